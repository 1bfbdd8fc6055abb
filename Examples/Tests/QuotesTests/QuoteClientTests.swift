import FlyingFox
import Foundation
import Inspector
import Ops
import Testing

@testable import quotes

@Suite("The import of quotations")
struct QuoteClientTests {
    /// Imports pages from a server of its own, then reads quotations, and reads the trace of it.
    private func importPages(
        _ count: Int, reading ids: [Int] = [], into store: QuoteStore
    ) async throws -> (report: Report, readCounts: [Int], trace: Trace) {
        let path = NSTemporaryDirectory() + "quotes-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        let server = try await QuoteServer.start()
        let client = QuoteClient(
            of: server.url, store: store, recorder: recorder, connectionCount: count)
        let imported = client.importPages(1...count) { _, _ in }
        let (told, tell) = AsyncStream<Int>.makeStream()
        let readings = try client.countReadings(of: ids, after: imported) { _, count in
            tell.yield((try? count.get()) ?? -1)
        }
        let report = try await imported.value
        for reading in readings { await reading.finished() }
        var readCounts: [Int] = []
        for await count in told.prefix(ids.count) { readCounts.append(count) }
        await server.stop()
        try recorder.stop()
        return (report, readCounts, try TraceReader(path: path).read())
    }

    @Test("leaves a trace in which every operation has all its transitions, known exactly")
    func completeTrace() async throws {
        let (report, _, trace) = try await importPages(20, into: QuoteStore())
        #expect(report.failures == [])
        #expect(report.stored == 20 * QuoteServer.quotesPerPage)
        #expect(trace.losses == [])
        #expect(trace.operations.count == 20 * 5 + 1)
        for operation in trace.operations {
            let transitions = [operation.enqueued, operation.ready, operation.executing, operation.finished]
            #expect(transitions.allSatisfy { $0?.isExact == true }, "\(operation.displayName)")
            #expect(operation.outcome == .succeeded)
        }
    }

    @Test("leaves a trace whose waits and execution times sum to the lifetimes, to the nanosecond")
    func exactSums() async throws {
        let (_, _, trace) = try await importPages(20, into: QuoteStore())
        let analysis = TraceAnalysis(trace)
        for (index, operation) in trace.operations.enumerated() {
            let enqueued = try #require(operation.enqueued).notAfter
            let finished = try #require(operation.finished).notAfter
            let waits = try #require(analysis.waits[index])
            let sum = LifetimeParts.Part.allCases.reduce(0) { $0 + waits[$1] }
            #expect(sum == finished - enqueued, "\(operation.displayName)")
        }
    }

    @Test("leaves a trace of the groups: steps in order inside their page, the report after all pages")
    func structure() async throws {
        let (_, _, trace) = try await importPages(3, into: QuoteStore())
        let operations = trace.operations
        for page in 1...3 {
            let group = try #require(operations.firstIndex { $0.name == "page \(page)" })
            let steps = operations.indices.filter { operations[$0].parent == group }
            #expect(
                steps.map { operations[$0].kind } == [
                    "DownloadPage", "ParsePage", "StorePage", "CompletePage",
                ])
            let queues = Set(steps.map { operations[$0].queue })
            #expect(queues.count == 1)
            let queue = try #require(steps.first.flatMap { operations[$0].queue })
            #expect(trace.queues[queue].limits.last?.limit == 1)
            for (step, next) in zip(steps, steps.dropFirst()) {
                #expect(trace.edges.contains(Trace.Edge(predecessor: step, successor: next)))
            }
        }
        let report = try #require(operations.firstIndex { $0.name == "report" })
        #expect(trace.edges.filter { $0.successor == report }.count == 3)
    }

    @Test("names the pages that failed, and its report succeeds all the same")
    func failedPages() async throws {
        let server = try await ScriptedServer.start(.status(.notFound))
        let client = QuoteClient(
            of: server.url, store: try QuoteStore(), recorder: Recorder(), connectionCount: 2)
        let report = try await client.importPages(1...2) { _, _ in }.value
        await server.stop()
        #expect(report.stored == 0)
        #expect(
            report.failures
                == [1, 2].map { page in
                    "page \(page): DownloadPage failed: GET \(server.url)/quotes/\(page) answered 404 "
                        + "Not Found"
                })
    }

    @Test("run twice updates what is there")
    func updates() async throws {
        let store = try QuoteStore()
        _ = try await importPages(2, into: store)
        _ = try await importPages(2, into: store)
        #expect(try store.allQuotes().count == 2 * QuoteServer.quotesPerPage)
    }

    @Test("is followed by the readings, of which two of one quotation go one after the other")
    func readings() async throws {
        let store = try QuoteStore()
        let (_, readCounts, trace) = try await importPages(1, reading: [50, 50, 50, 60], into: store)
        #expect(readCounts.sorted() == [1, 1, 2, 3])
        #expect(try store.quotes([50, 60]).map(\.readCount) == [3, 1])

        let operations = trace.operations
        let report = try #require(operations.first { $0.name == "report" }?.finished)
        let groups = operations.indices.filter { operations[$0].name == "read quote 50" }
        let bodies = try groups.map { group in
            let steps = operations.filter { $0.parent == group }
            return try #require(steps.first?.executing).notBefore..<#require(steps.last?.finished).notAfter
        }.sorted { $0.lowerBound < $1.lowerBound }
        #expect(bodies.count == 3)
        #expect(bodies[0].lowerBound >= report.notBefore)
        #expect(zip(bodies, bodies.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound })
        #expect(trace.marks.contains { $0.text.hasPrefix("waits for the key quote 50") })
    }
}
