import Foundation
import Inspector
import Ops
import OpsNetwork
import Testing

@testable import quotes

/// A recorded import of page 1 from a scripted server.
struct PageRun {
    let server: ScriptedServer
    let store: QuoteStore
    let page: ImportPage
    let clock = ManualClock()
    /// The page is in it; suspended.
    let queue: InstrumentedQueue
    private let results: AsyncStream<Result<[Quote], any Error>>
    private let recorder = Recorder()
    private let path = NSTemporaryDirectory() + "quotes-\(UUID().uuidString).json"
    private let before: [Quote]

    /// What came of it.
    struct End {
        /// All results that the completion received.
        let told: [Result<[Quote], any Error>]
        let trace: Trace
        let isStoreUnchanged: Bool
    }

    init(_ answer: ScriptedServer.Answer) async throws {
        try recorder.start(writingTo: path)
        server = try await ScriptedServer.start(answer)
        store = try .withAnOldQuote()
        before = try store.allQuotes()
        (page, results) = withResults { [server, store, clock, recorder] completion in
            ImportPage(
                1, of: server.url, session: NetworkSession(), into: store, clock: clock, recorder: recorder,
                completion: completion)
        }
        queue = InstrumentedQueue(recorder: recorder)
        queue.isSuspended = true
        queue.addOperation(page)
    }

    /// A step of the page, by its kind.
    func step(_ kind: String) throws -> AsynchronousOperation {
        let steps = page.children.compactMap { $0 as? any AsynchronousOperation & KindedOperation }
        return try #require(steps.first { $0.kind == kind })
    }

    /// Runs the page up to the body of this step, `during` it, and then on.
    func pause(before kind: String, _ during: () -> Void) async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let (goings, go) = AsyncStream<Void>.makeStream()
        try step(kind).addCondition(
            Condition("the test goes on") {
                arrived.yield()
                await goings.next()
                return true
            })
        queue.isSuspended = false
        await arrivals.next()
        during()
        go.yield()
    }

    /// Waits for the page to finish, which it does in every case.
    func end() async throws -> End {
        queue.isSuspended = false
        await page.finished()
        let told = await results.collected()
        for step in page.children { await step.finished() }
        await server.stop()
        try recorder.stop()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let trace = try TraceReader(path: path).read()
        #expect(trace.losses == [])
        #expect(trace.operations.count == 5)
        #expect(trace.operations.allSatisfy { $0.finished != nil })
        return End(told: told, trace: trace, isStoreUnchanged: try store.allQuotes() == before)
    }
}

extension QuoteStore {
    /// With one of page 1's quotations, of which another text is known.
    static func withAnOldQuote() throws -> QuoteStore {
        let store = try QuoteStore()
        let old = Quote(id: 50, author: "Anonymous", text: "It was known before.", readCount: 7)
        try store.save([old]) {}
        return store
    }
}

extension Trace {
    /// What became of the operations of this kind.
    func outcomes(of kind: String) -> [Outcome?] { operations.filter { $0.kind == kind }.map(\.outcome) }

    /// The kinds of what was started, and not only when it was cancelled already.
    var startedKinds: [String] { operations.filter { $0.executing != nil }.map(\.kind) }
}

extension [Result<[Quote], any Error>] {
    /// The errors, one sentence each; or how many quotations.
    var sentences: [String] {
        map { result in
            switch result {
            case .success(let quotes): "\(quotes.count) quotes"
            case .failure(let error): "\(error)"
            }
        }
    }

    /// Whether it received one result, a cancellation.
    var isOneCancellation: Bool {
        guard count == 1, case .failure(let error) = self[0] else { return false }
        return error is CancellationError
    }
}
