import Foundation
import GRDB
import Ops
import Testing

@testable import timeline

@Suite("The list of posts on the screen")
@MainActor
struct PostListTests {
    private let published = (1...3).map { PublishedPost(id: $0, author: "ada", text: "\($0)") }

    @Test("the list of posts is notified of what a background operation saved in a separate context")
    func notified() async throws {
        try await Run.with { run in
            try run.store.save(published)
            let list = PostList(run.store, recorder: run.recorder)
            await list.shows { $0.count == 3 }
            #expect(list.unread.map(\.id) == [1, 2, 3])
            let before = list.updateCount
            await run.finish(MarkPostAsRead(2, in: run.store))
            await list.shows { posts in posts.contains { $0.isRead } }
            #expect(list.unread.map(\.id) == [1, 3])
            #expect(list.updateCount > before)
            await list.close()
        }
    }

    @Test("shows old posts without a notification: its context does not see other contexts' changes")
    func untold() async throws {
        try await Run.with { run in
            try run.store.save(published)
            let list = PostList(run.store, recorder: run.recorder)
            await list.shows { $0.count == 3 }
            // As the operation does it, but for the last step.
            let stranger = try DatabaseQueue(path: run.store.path)
            try await stranger.write { db in try db.execute(sql: "UPDATE post SET isRead = TRUE WHERE id = 1")
            }
            #expect(list.unread.map(\.id) == [1, 2, 3])
            // Told of another change, it sees both.
            await run.finish(MarkPostAsRead(3, in: run.store))
            await list.shows { $0.last?.isRead == true }
            #expect(list.unread.map(\.id) == [2])
            await list.close()
        }
    }

    @Test("the list of posts is not kept, and its context not followed, when it is closed")
    func closed() async throws {
        try await Run.with { run in
            weak var forgotten: PostList?
            do {
                let list = PostList(run.store, recorder: run.recorder)
                await list.shows { $0.isEmpty }
                forgotten = list
                await list.close()
            }
            #expect(forgotten == nil)
        }
    }
}
