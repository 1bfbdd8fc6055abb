import Foundation
import Inspector
import Ops
import Testing

/// Runs `body` with a recorder of its own, and reads back what it logged.
func recorded(_ body: (Recorder) throws -> Void) throws -> Trace {
    try Trace(recordedEvents(body))
}

/// As `recorded`, with a body that suspends.
func recordedAsynchronously(_ body: (Recorder) async throws -> Void) async throws -> Trace {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = Recorder()
    try recorder.start(writingTo: path)
    try await body(recorder)
    try recorder.stop()
    return try TraceReader(path: path).read()
}

/// As `recorded`, but gives the events as they stand in the log.
func recordedEvents(_ body: (Recorder) throws -> Void) throws -> EventLogContents {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = Recorder()
    try recorder.start(writingTo: path)
    try body(recorder)
    try recorder.stop()
    return try TraceReader(path: path).events()
}

/// The kind of closures that were written in `function`.
func closureKind(_ function: String) -> String {
    #if os(Linux)
        function
    #else
        "BlockOperation"
    #endif
}

func temporaryPath() -> String {
    NSTemporaryDirectory() + "opviz-test-\(UUID().uuidString).json"
}

/// How classes that are not ours are observed. `OPVIZ_OBSERVE=passive`, with which the tests run a second
/// time, has no methods replaced.
enum Observation {
    static let isOfClasses = ProcessInfo.processInfo.environment["OPVIZ_OBSERVE"] != "passive"
}

extension Trait where Self == ConditionTrait {
    static var whereClassesAreObserved: Self { .enabled(if: Observation.isOfClasses) }
    static var whereClassesAreNotObserved: Self { .enabled(if: !Observation.isOfClasses) }
}

extension OperationQueue {
    /// Waits until the queue is empty. A test that would hang fails instead.
    func drain(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(isDrained(within: 30), "the queue is stuck", sourceLocation: sourceLocation)
    }

    /// As `drain`, for operations with tasks: those need the thread that a blocking test would keep. They
    /// wait their turn behind all other tests.
    func drained(sourceLocation: SourceLocation = #_sourceLocation) async {
        let isDrained = await withCheckedContinuation { done in
            Thread.detachNewThread { done.resume(returning: self.isDrained(within: 300)) }
        }
        #expect(isDrained, "the queue is stuck", sourceLocation: sourceLocation)
    }

    private func isDrained(within seconds: Double) -> Bool {
        let drained = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            self.waitUntilAllOperationsAreFinished()
            drained.signal()
        }
        return drained.wait(timeout: .now() + seconds) == .success
    }
}

extension DispatchSemaphore {
    /// Waits for a signal that must come. A test that would hang fails instead.
    func expectSignal(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(wait(timeout: .now() + 30) == .success, "nothing signalled", sourceLocation: sourceLocation)
    }
}

/// Waits for what another thread does soon, without an order to wait for.
func soon(_ condition: () -> Bool) -> Bool {
    let deadline = Date() + 30
    while !condition() {
        guard Date() < deadline else { return false }
        usleep(500)
    }
    return true
}

/// A list that operations add to.
final class Journal: Sendable {
    private let entries = Mutexed<[String]>([])

    func note(_ entry: String) { entries.withLock { $0.append(entry) } }

    var all: [String] { entries.withLock { $0 } }
}

/// A value behind a lock. `@unchecked Sendable` is sound because every access to `value` holds the lock.
final class Mutexed<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

/// An asynchronous operation whose work is a closure; the test says when it is over.
final class ClosureOperation: AsynchronousOperation, @unchecked Sendable {
    private let work: @Sendable (ClosureOperation) -> Void

    init(_ name: String? = nil, work: @escaping @Sendable (ClosureOperation) -> Void = { $0.finish() }) {
        self.work = work
        super.init()
        self.name = name
    }

    override func main() { work(self) }
}

/// An operation of a class that does not use this project.
final class ForeignOperation: Operation, @unchecked Sendable {
    private let work: @Sendable () -> Void

    init(_ name: String? = nil, work: @escaping @Sendable () -> Void = {}) {
        self.work = work
        super.init()
        self.name = name
    }

    override func main() { work() }
}

extension Trace {
    /// The operation of that name.
    func operation(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> TracedOperation
    {
        try #require(
            operations.first { $0.name == name }, "no operation \(name)", sourceLocation: sourceLocation)
    }

    /// The names of the operations that `name` waits for, in order.
    func predecessors(of name: String) -> [String] {
        edges.filter { operations[$0.successor].name == name }.compactMap { operations[$0.predecessor].name }
    }
}

/// Forks; the child marks something and ends.
func forkAndMark(_ recorder: Recorder) -> pid_t { forkAnd { recorder.mark("in the child") } }

/// Forks; the child runs its parent's clean-up, and ends.
func forkAndStop(_ recorder: Recorder) -> pid_t { forkAnd { try? recorder.stop() } }

/// Forks; the child runs `body`, and ends.
func forkAnd(_ body: () -> Void) -> pid_t {
    // Swift does not allow calls of `fork`, because most of its runtime does not work in the child. This
    // child uses only the recorder.
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "fork"), to: Fork.self)
    let child = fork()
    if child == 0 {
        body()
        _exit(0)
    }
    return child
}
