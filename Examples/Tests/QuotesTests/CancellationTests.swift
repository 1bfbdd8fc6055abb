import Dispatch
import Foundation
import GRDB
import Inspector
import Ops
import OpsNetwork
import Testing

@testable import quotes

@Suite("A page that is cancelled")
struct CancellationTests {
    @Test("a page cancelled before its start asks the server nothing")
    func beforeStart() async throws {
        let run = try await PageRun(.page(1))
        run.page.cancel()
        let end = try await run.end()
        #expect(end.told.isOneCancellation)
        #expect(end.isStoreUnchanged)
        #expect(end.trace.startedKinds == [])
    }

    @Test("a page cancelled while the server does not answer finishes without an answer")
    func whileWaiting() async throws {
        let run = try await PageRun(.never)
        run.queue.isSuspended = false
        await run.server.arrivals.next()
        run.page.cancel()
        let end = try await run.end()
        #expect(end.told.isOneCancellation)
        #expect(end.isStoreUnchanged)
        #expect(end.trace.startedKinds == ["ImportPage", "DownloadPage"])
    }

    @Test("a page cancelled in the middle of the body does not wait for the rest")
    func midBody() async throws {
        let run = try await PageRun(.stalled(after: "[{"))
        run.queue.isSuspended = false
        await run.server.arrivals.next()
        run.page.cancel()
        let end = try await run.end()
        #expect(end.told.isOneCancellation)
        #expect(end.isStoreUnchanged)
        #expect(end.trace.startedKinds == ["ImportPage", "DownloadPage"])
    }

    @Test("a page cancelled at its parsing stores nothing")
    func atParsing() async throws {
        let run = try await PageRun(.page(1))
        try await run.pause(before: "ParsePage") { run.page.cancel() }
        let end = try await run.end()
        #expect(end.told.isOneCancellation)
        #expect(end.isStoreUnchanged)
        #expect(end.trace.startedKinds == ["ImportPage", "DownloadPage", "ParsePage"])
    }

    @Test("a page cancelled in the middle of its transaction stores nothing")
    func midTransaction() async throws {
        let run = try await PageRun(.page(1))
        let reached = DispatchSemaphore(value: 0)
        let go = DispatchSemaphore(value: 0)
        try run.store.pause(afterInserting: 60) {
            reached.signal()
            go.wait()
        }
        run.queue.isSuspended = false
        await reached.waited()
        run.page.cancel()
        go.signal()
        let end = try await run.end()
        #expect(end.told.isOneCancellation)
        #expect(end.isStoreUnchanged)
        #expect(end.trace.startedKinds == ["ImportPage", "DownloadPage", "ParsePage", "StorePage"])
    }

    @Test("between the store and the completion is in the store, and the completion gets the cancellation")
    func beforeCompletion() async throws {
        let run = try await PageRun(.page(1))
        try await run.pause(before: "CompletePage") { run.page.cancel() }
        let end = try await run.end()
        #expect(end.told.isOneCancellation)
        #expect(try run.store.allQuotes() == QuoteServer.quotes(onPage: 1))
        #expect(end.trace.outcomes(of: "StorePage") == [.succeeded])
        #expect(end.trace.outcomes(of: "ImportPage") == [.cancelled])
    }

    @Test("a page cancelled after its end stays as it is")
    func afterEnd() async throws {
        let run = try await PageRun(.page(1))
        run.queue.isSuspended = false
        await run.page.finished()
        run.page.cancel()
        let end = try await run.end()
        #expect(end.told.sentences == ["40 quotes"])
        #expect(try run.page.quotes() == QuoteServer.quotes(onPage: 1))
        #expect(end.trace.operations.allSatisfy { $0.outcome == .succeeded })
    }

    @Test("at any moment is in the store completely or not at all, and its completion is called once")
    func anyMoment() async throws {
        let server = try await ScriptedServer.start(.page(1))
        let session = NetworkSession()
        for round in 0..<100 {
            let store = try QuoteStore()
            let (page, results) = withResults { completion in
                ImportPage(
                    1, of: server.url, session: session, into: store, recorder: Recorder(),
                    completion: completion)
            }
            let queue = InstrumentedQueue(recorder: Recorder())
            // Cancels when some step ends, or rather at about that time.
            if round < 80 { page.children[round % 4].completionBlock = { page.cancel() } }
            queue.addOperation(page)
            if round >= 80 { page.cancel() }
            let answers = await results.collected()
            #expect(answers.count == 1)
            let stored = try store.allQuotes()
            #expect(stored == [] || stored == QuoteServer.quotes(onPage: 1))
            if case .success? = answers.first { #expect(stored.count == 40) }
        }
        await server.stop()
    }
}

extension QuoteStore {
    /// Calls `body` in the middle of the transaction that creates this quotation.
    fileprivate func pause(afterInserting id: Int, _ body: @escaping @Sendable () -> Void) throws {
        try database.inDatabase { db in
            db.add(
                function: DatabaseFunction("pause", argumentCount: 0) { _ in
                    body()
                    return nil
                })
            try db.execute(
                sql: """
                    CREATE TEMP TRIGGER pause AFTER INSERT ON quote WHEN new.id = \(id)
                    BEGIN SELECT pause(); END
                    """)
        }
    }
}

extension DispatchSemaphore {
    /// Waits on a thread that is not one of Swift's threads for tasks.
    fileprivate func waited() async {
        await withCheckedContinuation { waited in
            DispatchQueue.global().async {
                self.wait()
                waited.resume()
            }
        }
    }
}
