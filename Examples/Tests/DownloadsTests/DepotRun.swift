import Foundation
import Inspector
import Ops
import Testing

@testable import downloads

/// Runs `body` with a server, a folder and a recorder of its own, and reads the trace of it.
@discardableResult
func withDepot(_ body: (Depot) async throws -> Void) async throws -> Trace {
    let path = NSTemporaryDirectory() + "downloads-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = Recorder()
    try recorder.start(writingTo: path)
    let server = FileServer(SampleFiles.all)
    let depot = try Depot(server: server, files: try await server.start(), recorder: recorder)
    defer { try? depot.remove() }
    try await body(depot)
    await server.stop()
    try recorder.stop()
    return try TraceReader(path: path).read()
}

extension Trace {
    subscript(_ name: String) -> TracedOperation? { operations.first { $0.name == name } }

    /// The names of what ran in the queue, in the order of the starts.
    func started(in queue: String) -> [String] {
        operations.filter { $0.queue.map { queues[$0].name } == queue && $0.executing != nil }
            .sorted { ($0.executing?.notAfter ?? 0) < ($1.executing?.notAfter ?? 0) }
            .map(\.displayName)
    }
}
