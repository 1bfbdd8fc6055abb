import Foundation
public import Inspector
public import Ops

/// The trace of what `body` does with a recorder of its own.
public func trace(of body: (Recorder) async throws -> Void) async throws -> Trace {
    let path = NSTemporaryDirectory() + "run-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = Recorder()
    try recorder.start(writingTo: path)
    try await body(recorder)
    try recorder.stop()
    return try TraceReader(path: path).read()
}

extension Trace {
    /// The first of that name.
    public func operation(named name: String) -> TracedOperation? {
        operations.first { $0.name == name }
    }

    /// Whether every operation has come to its end.
    public var isFinished: Bool { operations.allSatisfy { $0.finished != nil } }

    /// Whether the body of the first operation with that name was called; nil if the operation is missing.
    public func didRun(_ name: String) -> Bool? {
        operations.firstIndex { $0.name == name }.map { bodies.contains($0) }
    }

    /// The operations whose body was called.
    public var bodies: [Int] {
        operations.indices.filter { operations[$0].executing != nil && !failedForDependency($0) }
    }

    /// Where a dependency has failed or was cancelled, an operation is started all the same, and fails with
    /// that.
    private func failedForDependency(_ index: Int) -> Bool {
        guard case .failed(let message)? = operations[index].outcome else { return false }
        return edges.contains { edge in
            let name = operations[edge.predecessor].displayName
            return edge.successor == index
                && (message == "\(name) was cancelled" || message.hasPrefix("\(name) failed"))
        }
    }
}
