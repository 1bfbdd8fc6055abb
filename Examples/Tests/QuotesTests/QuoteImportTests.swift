import Foundation
import Inspector
import Ops
import Testing

@testable import quotes

@Suite("The import of quotations")
struct QuoteImportTests {
    /// Imports pages from a server of its own, and reads the trace of it.
    private func importPages(
        _ pages: Int, brokenPage: Int? = nil, into store: QuoteStore
    ) async throws -> (report: Report, trace: Trace) {
        let path = NSTemporaryDirectory() + "quotes-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        let server = try await QuoteServer.start(brokenPage: brokenPage)
        let report = await QuoteImport(server: server, store: store, recorder: recorder).run(pages: pages)
        await server.stop()
        try recorder.stop()
        return (report, try TraceReader(path: path).read())
    }

    @Test("leaves a trace in which every operation has all its transitions, known exactly")
    func completeTrace() async throws {
        let (report, trace) = try await importPages(20, into: QuoteStore())
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
        let (_, trace) = try await importPages(20, into: QuoteStore())
        let analysis = TraceAnalysis(trace)
        for (index, operation) in trace.operations.enumerated() {
            let enqueued = try #require(operation.enqueued).notAfter
            let finished = try #require(operation.finished).notAfter
            let waits = try #require(analysis.waits[index])
            let sum = Waits.Part.allCases.reduce(0) { $0 + waits[$1] }
            #expect(sum == finished - enqueued, "\(operation.displayName)")
        }
    }

    @Test("leaves a trace of the groups: steps in order inside their page, the report after all pages")
    func structure() async throws {
        let (_, trace) = try await importPages(3, into: QuoteStore())
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
            #expect(trace.queues[queue].limits.map(\.limit) == [1])
            for (step, next) in zip(steps, steps.dropFirst()) {
                #expect(trace.edges.contains(Trace.Edge(predecessor: step, successor: next)))
            }
        }
        let report = try #require(operations.firstIndex { $0.name == "report" })
        #expect(trace.edges.filter { $0.successor == report }.count == 3)
    }

    @Test("names the page that failed, stores the others, and the trace says which steps failed")
    func brokenPage() async throws {
        let (report, trace) = try await importPages(4, brokenPage: 3, into: QuoteStore())
        #expect(report.failures == ["page 3: the server answered 500"])
        #expect(report.stored == 3 * QuoteServer.quotesPerPage)
        let failed = trace.operations.filter { $0.outcome == .failed(message: "the server answered 500") }
        #expect(failed.map(\.kind) == ["DownloadPage", "ParsePage", "StorePage"])
    }

    @Test("run twice updates what is there")
    func updates() async throws {
        let store = try QuoteStore()
        _ = try await importPages(2, into: store)
        _ = try await importPages(2, into: store)
        #expect(try store.count() == 2 * QuoteServer.quotesPerPage)
    }
}
