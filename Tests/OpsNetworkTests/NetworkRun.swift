import Foundation
import Inspector
import Ops
import OpsNetwork
import Testing

/// Runs `body` with a recorder of its own, and reads back what it logged.
func recorded(_ body: (Recorder) async throws -> Void) async throws -> Trace {
    let path = NSTemporaryDirectory() + "opviz-test-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = Recorder()
    try recorder.start(writingTo: path)
    try await body(recorder)
    try recorder.stop()
    return try TraceReader(path: path).read()
}

/// Runs `operations`, and returns when they have finished.
func run(_ operations: Operation..., sourceLocation: SourceLocation = #_sourceLocation) async {
    let queue = InstrumentedQueue(recorder: Recorder())
    queue.addOperations(operations)
    await queue.drained(sourceLocation: sourceLocation)
}

/// The failure of a request that should fail.
func failure<Failure: Error>(
    of operation: some ResultOperation, as type: Failure.Type = Failure.self,
    sourceLocation: SourceLocation = #_sourceLocation
) async throws -> Failure {
    await run(operation, sourceLocation: sourceLocation)
    guard case .failure(let error) = operation.output else {
        Issue.record("it succeeded", sourceLocation: sourceLocation)
        throw CancellationError()
    }
    return try #require(error as? Failure, "\(error)", sourceLocation: sourceLocation)
}

/// Waits for what another thread does soon, and blocks no thread.
func eventually(_ condition: () -> Bool) async throws -> Bool {
    let deadline = Date() + 300
    while !condition() {
        guard Date() < deadline else { return false }
        try await Task.sleep(for: .milliseconds(1))
    }
    return true
}

extension OperationQueue {
    /// Waits until the queue is empty, and blocks none of Swift's threads. A test that would hang fails
    /// instead.
    func drained(sourceLocation: SourceLocation = #_sourceLocation) async {
        let isDrained = await withCheckedContinuation { done in
            Thread.detachNewThread {
                let drained = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    self.waitUntilAllOperationsAreFinished()
                    drained.signal()
                }
                done.resume(returning: drained.wait(timeout: .now() + 300) == .success)
            }
        }
        #expect(isDrained, "the queue is stuck", sourceLocation: sourceLocation)
    }

    /// Adds `operations` together, without waiting for them; callable from asynchronous functions.
    func addOperations(_ operations: [Operation]) {
        addOperations(operations, waitUntilFinished: false)
    }
}

/// Something that happens once.
final class Event: Sendable {
    private let state = Locked(false)

    func happen() { state.withLock { $0 = true } }

    var hasHappened: Bool { state.withLock { $0 } }

    /// Waits for it. A test that would hang fails instead.
    func wait(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await eventually { hasHappened }, "it never happened", sourceLocation: sourceLocation)
    }

    /// For the threads of a server.
    func block() {
        while !hasHappened { usleep(500) }
    }
}

extension Trace {
    /// The operation of that name.
    func operation(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> TracedOperation
    {
        try #require(
            operations.first { $0.name == name }, "no operation \(name)", sourceLocation: sourceLocation)
    }
}

extension Result {
    var value: Success? { try? get() }

    var error: (any Error)? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
