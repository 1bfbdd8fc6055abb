import Foundation
import Loopback
import Ops

/// The actions of a user with two timelines: fetches both at once, reads a few posts, and cancels a search.
/// Also a user whose account was closed.
@MainActor
struct Story {
    private let server: TimelineServer
    private let list: PostList
    private let queue: InstrumentedQueue
    private let home: FetchTimeline
    private let mentions: FetchTimeline
    private let search: FetchTimeline
    private let closed: FetchTimeline
    private let reactions: TransformOperation<[Data], [Reactions]>
    private let marks: [MarkPostAsRead]

    init(_ server: TimelineServer, _ store: PostStore, _ recorder: Recorder) async {
        self.server = server
        list = PostList(store, recorder: recorder)
        queue = InstrumentedQueue(recorder: recorder)
        queue.name = "timeline"
        let client = TimelineClient(server.url)
        // Its token has expired.
        let ada = Account(name: "ada", refreshToken: await server.authority.makeRefreshToken())
        let eve = Account(name: "eve", refreshToken: "revoked")
        let fetch = { (name: String, account: Account) in
            FetchTimeline(name, of: account, at: client, into: store, recorder: recorder)
        }
        (home, mentions, search) = (fetch("home", ada), fetch("mentions", ada), fetch("search", ada))
        closed = fetch("home", eve)

        let requests = FetchReactions(
            toPosts: Array(1...8), limit: 4, after: home.reauthorize, at: client, recorder: recorder)
        requests.addDependency(home)
        reactions = requests.decoded()
        marks = [3, 5, 8, 99].map { MarkPostAsRead($0, in: store) }
        for mark in marks { mark.addDependency(home) }
        for operation in [home, mentions, search, closed, requests, reactions] + marks {
            queue.addOperation(operation)
        }
    }

    /// - Returns: what is wrong with the outcome, one sentence each.
    func tell() async -> [String] {
        await server.visits.first(of: "/timelines/search")
        search.cancel()
        for operation in [home, mentions, search, closed, reactions] + marks { await operation.finished() }
        await list.shows { $0.count == 13 && $0.filter(\.isRead).count == 3 }
        await list.close()

        let refreshes = await server.authority.refreshCount
        print(
            "\(list.posts.count) posts of two timelines, and one more was given up: \(refreshes) refresh of "
                + "the token"
        )
        print("the list was told \(list.updateCount) times, and shows \(list.unread.count) unread posts")
        for operation in [closed] + marks {
            if let failure = operation.failure { print("\(operation.name ?? ""): \(failure)") }
        }
        return await faults(refreshes)
    }

    private func faults(_ refreshes: Int) async -> [String] {
        var faults: [String] = []
        if refreshes != 1 { faults.append("the token was refreshed \(refreshes) times") }
        for operation in [home, mentions, reactions] + marks.dropLast() {
            if let failure = operation.failure { faults.append("\(operation.name ?? ""): \(failure)") }
        }
        if list.posts.filter(\.isRead).map(\.id) != [3, 5, 8] { faults.append("others were marked as read") }
        if (try? reactions.get().map(\.post)) != Array(1...8) {
            faults.append("the reactions are not in the order of the posts")
        }
        if marks.last?.failure as? MissingPost != MissingPost(id: 99) {
            faults.append("there is no post 99, and nobody said so")
        }
        if !search.isCancelled || search.failure != nil { faults.append("the search was not cancelled") }
        if closed.failure == nil { faults.append("a closed account got its timeline") }
        let fetches = await server.visits.count(of: "/timelines/home")
        if fetches != 1 { faults.append("\(fetches) requests for a timeline instead of one") }
        return faults
    }
}
