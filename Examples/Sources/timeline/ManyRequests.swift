import Foundation
import Ops

/// Hundreds of requests, gathered by one operation: one at a time, four, and all at once.
struct ManyRequests: Sendable {
    private let client: TimelineClient
    private let account: Account

    init(_ server: TimelineServer) async {
        client = TimelineClient(server.url)
        account = Account(name: "ada", refreshToken: await server.authority.makeRefreshToken())
    }

    /// - Returns: what is wrong with the outcome, one sentence each.
    func measure(count: Int) async throws -> [String] {
        print()
        var faults: [String] = []
        for limit in [1, 4, -1] {
            var posts: [Post.ID] = []
            let duration = try await ContinuousClock().measure {
                posts = try await reactions(count: count, limit: limit).map(\.post)
            }
            print("\(count) requests, \(limit > 0 ? "\(limit) at a time" : "all at once"): \(duration)")
            if posts != Array(1...count) { faults.append("the answers are not in the order of the requests") }
        }
        return faults
    }

    func reactions(count: Int, limit: Int, recorder: Recorder = Recorder()) async throws -> [Reactions] {
        let reauthorize = Reauthorize(account, at: client, recorder: recorder)
        let requests = FetchReactions(
            toPosts: Array(1...count), limit: limit, after: reauthorize, at: client, recorder: recorder)
        let reactions = requests.decoded()
        let queue = InstrumentedQueue(recorder: recorder)
        for operation in [reauthorize, requests, reactions] { queue.addOperation(operation) }
        return try await reactions.value
    }
}
