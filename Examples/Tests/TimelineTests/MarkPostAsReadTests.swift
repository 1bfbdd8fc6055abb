import Foundation
import GRDB
import Inspector
import Ops
import RecordedRun
import Testing

@testable import timeline

@Suite("A post is marked as read")
struct MarkPostAsReadTests {
    private static let published = (1...3).map { PublishedPost(id: $0, author: "ada", text: "\($0)") }

    @Test("a post is marked as read by its id, and no other")
    func byID() async throws {
        try await Run.with { run in
            try run.store.save(Self.published)
            let mark = MarkPostAsRead(2, in: run.store)
            await run.finish(mark)
            let post = try mark.get()
            #expect(post == Post(id: 2, author: "ada", text: "2", isRead: true))
            let posts = try run.posts()
            #expect(posts.map(\.isRead) == [false, true, false])
        }
    }

    @Test("a post that is not there is a failure that says so, and nothing is saved")
    func missing() async throws {
        let trace = try await trace { recorder in
            try await Run.with(recorder: recorder) { run in
                try run.store.save(Self.published)
                let mark = MarkPostAsRead(99, in: run.store)
                await run.finish(mark)
                #expect(mark.failure as? MissingPost == MissingPost(id: 99))
                let posts = try run.posts()
                #expect(posts.count == 3)
            }
        }
        let mark = try #require(trace.operation(named: "mark 99 as read"))
        #expect(mark.outcome == .failed(message: "there is no post 99"))
    }

    @Test("a hundred at once do not get in each other's way, and no thread waits for the database")
    func manyAtOnce() async throws {
        let trace = try await trace { recorder in
            try await Run.with(recorder: recorder) { run in
                try run.store.save((1...100).map { PublishedPost(id: $0, author: "ada", text: "") })
                let marks = (1...100).map { MarkPostAsRead($0, in: run.store) }
                run.start(marks)
                for mark in marks { await mark.finished() }
                #expect(marks.allSatisfy { $0.failure == nil })
                let posts = try run.posts()
                #expect(posts.allSatisfy { $0.isRead })
            }
        }
        #expect(trace.marks.contains { $0.text.hasPrefix("waits for the key the posts in ") })
    }

    @Test("cancelled while it waits for the database, it finishes at once and changes nothing")
    func cancelled() async throws {
        try await Run.with { run in
            try run.store.save(Self.published)
            let other = Holding([run.store.key])
            run.start([other])
            await other.beginning.first { _ in true }
            let mark = MarkPostAsRead(1, in: run.store)
            run.start([mark])
            mark.cancel()
            await mark.finished()
            #expect(!other.isFinished)
            other.finish()
            await other.finished()
            #expect(throws: CancellationError.self) { try mark.output?.get() }
            let posts = try run.posts()
            #expect(posts.allSatisfy { !$0.isRead })
        }
    }

    @Test("an error within the transaction takes back what was done in it")
    func rollback() async throws {
        try await Run.with { run in
            try run.store.save(Self.published)
            let broken = SynchronousOperation<Void>(name: "broken") {
                try run.store.save { db in
                    try db.execute(sql: "UPDATE post SET isRead = TRUE")
                    throw CancellationError()
                }
            }
            await run.finish(broken)
            let posts = try run.posts()
            #expect(posts.allSatisfy { !$0.isRead })
        }
    }

    @Test("what was read stays so when the timeline is fetched again")
    func fetchedAgain() async throws {
        try await Run.with { run in
            let account = await run.account()
            await run.finish(run.fetch(account))
            await run.finish(MarkPostAsRead(7, in: run.store))
            await run.finish(run.fetch(account))
            let posts = try run.posts()
            #expect(posts.filter(\.isRead).map(\.id) == [7])
        }
    }
}

/// Has its keys until it is finished by hand.
private final class Holding: AsynchronousOperation, @unchecked Sendable {
    let beginning: AsyncStream<Void>
    private let began: AsyncStream<Void>.Continuation

    init(_ keys: Set<ExclusionKey>) {
        (beginning, began) = AsyncStream.makeStream()
        super.init()
        exclusionKeys = keys
    }

    override func main() { began.yield() }
}
