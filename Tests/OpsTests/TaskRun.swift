import Foundation
import Inspector
import Ops
import Testing

/// Something that happens once. One task may wait for it, and blocks no thread meanwhile.
final class Happening: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func happen() { continuation.finish() }

    /// Returns when it happens, and throws when the task is cancelled.
    func wait() async throws {
        for await _ in stream {}
        try Task.checkCancellation()
    }
}

/// Waits for what another thread does soon, as `soon`, and blocks no thread.
func eventually(_ condition: () -> Bool) async throws -> Bool {
    let deadline = Date() + 300
    while !condition() {
        guard Date() < deadline else { return false }
        try await Task.sleep(for: .milliseconds(1))
    }
    return true
}

extension OperationQueue {
    /// Adds `operations` together, without waiting for them; callable from asynchronous functions.
    func addOperations(_ operations: [Operation]) {
        addOperations(operations, waitUntilFinished: false)
    }
}

/// The error of an operation that should fail.
struct Refusal: Error, Equatable, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}

extension Result {
    var value: Success? { try? get() }

    var error: (any Error)? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

extension Trace {
    /// Expects the log to have each transition of every operation in order, with its exact time, but no body
    /// of an operation that was cancelled before its start.
    func expectWhole(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(losses == [], sourceLocation: sourceLocation)
        for operation in operations {
            var transitions = [operation.enqueued, operation.ready]
            if operation.executing == nil {
                #expect(operation.cancelled != nil, sourceLocation: sourceLocation)
            } else {
                transitions.append(operation.executing)
            }
            transitions.append(operation.finished)
            let times = transitions.compactMap { $0?.isExact == true ? $0?.notAfter : nil }
            #expect(
                times.count == transitions.count && times == times.sorted(), "\(operation.displayName)",
                sourceLocation: sourceLocation)
        }
    }
}
