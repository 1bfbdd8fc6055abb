import Foundation
import Inspector
import Ops

/// The trace of what `body` does with a recorder of its own.
func trace(_ body: (Recorder) async throws -> Void) async throws -> Trace {
    let path = NSTemporaryDirectory() + "trending-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = Recorder()
    try recorder.start(writingTo: path)
    try await body(recorder)
    try recorder.stop()
    return try TraceReader(path: path).read()
}

extension Trace {
    func operation(named name: String) -> TracedOperation? { operations.first { $0.name == name } }
}

extension TracedOperation {
    /// Whether its body was called: where a dependency has failed, an operation is started, and no more.
    var didRun: Bool { bodyEnded != nil }
}

/// A clock on which no sleep takes time, or on which each lasts until it is cancelled. It keeps how long they were to be.
struct TestClock: Clock {
    struct Instant: InstantProtocol {
        var offset = Duration.zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
    }

    /// What was to be slept, one after the other.
    let sleeps: AsyncStream<Duration>
    private let began: AsyncStream<Duration>.Continuation
    private let isEndless: Bool

    init(isEndless: Bool = false) {
        (sleeps, began) = AsyncStream.makeStream()
        self.isEndless = isEndless
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        began.yield(deadline.offset)
        // Nobody yields anything: it ends when the task is cancelled.
        if isEndless { for await _ in AsyncStream<Never>.makeStream().stream {} }
        try Task.checkCancellation()
    }
}
