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
}

extension TracedOperation {
    /// Whether its body was called: where a dependency has failed, an operation is started, and no more.
    public var didRun: Bool { bodyEnded != nil }
}
