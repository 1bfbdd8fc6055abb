import Foundation
import Ops
import OpsNetwork

/// Asks what people think of posts, with a request for each, and gathers the answers in the order of the
/// posts.
final class FetchReactions: GatherOperation<Data>, @unchecked Sendable {
    private let posts: [Post.ID]
    private let reauthorize: Reauthorize
    private let client: TimelineClient

    /// - Parameters:
    ///   - limit: how many requests may be under way at once; -1 as many as the system likes.
    ///   - reauthorize: gives the token; in a queue, or in a group.
    init(
        toPosts posts: [Post.ID], limit: Int, after reauthorize: Reauthorize, at client: TimelineClient,
        failurePolicy: FailurePolicy = .failFast, recorder: Recorder = .shared
    ) {
        self.posts = posts
        self.reauthorize = reauthorize
        self.client = client
        super.init(
            name: "reactions to \(posts.count) posts", maxConcurrentOperationCount: limit,
            failurePolicy: failurePolicy, recorder: recorder)
        addDependency(reauthorize)
    }

    override func prepare() {
        do {
            let token = try reauthorize.get()
            for id in posts {
                add(
                    DataOperation(
                        client.reactions(toPost: id, token), session: client.session, maximumSize: 1 << 16,
                        name: "reactions to \(id)"))
            }
        } catch {
            finish(throwing: error)
        }
    }

    /// The answers, decoded.
    func decoded() -> TransformOperation<[Data], [Reactions]> {
        then(name: "decode reactions", kind: "DecodeReactions") { answers in
            try answers.map { try JSONDecoder().decode(Reactions.self, from: $0) }
        }
    }
}
