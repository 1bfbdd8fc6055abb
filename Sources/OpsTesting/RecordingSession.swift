import Foundation
import Inspector
import Ops

/// One recording, from the start of a recorder to the trace that it left.
struct RecordingSession {
    private let recorder: Recorder
    private let name: String
    private let path = NSTemporaryDirectory() + "opviz-test-\(UUID().uuidString).json"

    /// What 25,000 operations take: a test's are often added all at once, and the room for them is not to be
    /// made meanwhile.
    private static let reserve: UInt64 = 4 << 20

    /// - Throws: `RecorderError`, where the recorder is recording already, say.
    init(_ recorder: Recorder, named name: String?) throws {
        self.recorder = recorder
        self.name = name ?? "run"
        try recorder.start(writingTo: path, reserve: Self.reserve)
    }

    /// Ends it without a trace.
    func discard() {
        try? recorder.stop()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Ends it.
    ///
    /// - Parameter isDrained: whether all operations finished in time.
    /// - Throws: `StuckRun` where they did not; `RecorderError` and `TraceError` where the log could not be
    ///   written or read.
    func finish(isDrained: Bool, timeLimit: Duration, at place: CallSite) throws -> RecordedRun {
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Elsewhere where another process writes to a file of that name.
        let path = recorder.path ?? path
        try recorder.stop()
        let log = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let run = RecordedRun(try TraceReader(path: path).read(), named: name, log: log)
        guard isDrained else { throw StuckRun(run, timeLimit: timeLimit, at: place) }
        return run
    }

    /// Waits until the queues are empty, without a thread of the caller's: operations with tasks may need it.
    /// False where they are not in time.
    static func drained(_ queues: [OperationQueue], within timeLimit: Duration) async -> Bool {
        // A wait of centuries overflows.
        let nanoseconds = min(max(0, timeLimit.nanosecondsClamped), 1 << 60)
        return await withCheckedContinuation { done in
            Thread.detachNewThread {
                let drained = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    for queue in queues { queue.waitUntilAllOperationsAreFinished() }
                    drained.signal()
                }
                let result = drained.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
                done.resume(returning: result == .success)
            }
        }
    }
}
