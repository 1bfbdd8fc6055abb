import Foundation
import Loopback
import Ops
import Testing

@testable import timeline

/// A server, a store and a client of a test's own.
struct Run: Sendable {
    let server: TimelineServer
    let client: TimelineClient
    let store: PostStore
    let recorder: Recorder
    private let folder: URL

    static func with<Value>(
        faults: [String: TimelineServer.Fault] = [:], recorder: Recorder = Recorder(),
        _ body: (Run) async throws -> Value
    ) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appending(path: "timeline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await TimelineServer.start(faults: faults)
        let store = try PostStore(path: folder.appending(path: "\(UUID().uuidString).sqlite").path)
        let run = Run(
            server: server, client: TimelineClient(server.url), store: store, recorder: recorder,
            folder: folder)
        let result: Result<Value, any Error>
        do { result = .success(try await body(run)) } catch { result = .failure(error) }
        await server.stop()
        return try result.get()
    }

    /// An account whose token has expired, or one with the given token, which the server does not know.
    func account(token: Token? = nil) async -> Account {
        Account(name: "ada", token: token, refreshToken: await server.authority.makeRefreshToken())
    }

    func fetch(_ account: Account, timeout: Reauthorize.Timeout = .init()) -> FetchTimeline {
        FetchTimeline(
            "home", of: account, at: client, into: store, timeout: timeout, recorder: recorder)
    }

    /// Adds the operations to a queue, and returns when they have finished.
    func finish(_ operations: Operation...) async {
        start(operations)
        for operation in operations { await operation.finished() }
    }

    func start(_ operations: [Operation]) {
        let queue = InstrumentedQueue(recorder: recorder)
        for operation in operations { queue.addOperation(operation) }
    }

    func posts() throws -> [Post] { try store.posts() }

    func visits(of path: String) async -> Int { await server.visits.count(of: path) }
}

extension AsynchronousOperation {
    /// What it failed with, in words; nothing where it did not.
    var failureText: String { failure.map { "\($0)" } ?? "" }
}
