import Foundation
import Inspector
import Ops
import Testing

@Suite("A transform operation takes the output of another as its input")
struct TransformOperationTests {
    private func run(_ operations: Operation...) async {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperations(operations)
        await queue.drained()
    }

    private func fetch(_ text: String = "[1,2,3]") -> TaskOperation<Data> {
        TaskOperation(name: "fetch") { Data(text.utf8) }
    }

    // MARK: Input

    private final class Decode: TransformOperation<Data, [Int]>, @unchecked Sendable {
        override func transform(_ data: Data) async throws -> [Int] {
            try JSONDecoder().decode([Int].self, from: data)
        }
    }

    @Test(
        "the decoder never sees an absent input in 5,000 runs, at one slot and unlimited", arguments: [1, -1])
    func neverNothing(slots: Int) async {
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.maxConcurrentOperationCount = slots
        var decoded = 0
        // All at once would measure how Foundation looks through a long queue.
        for round in 0..<50 {
            let fetches = (0..<100).map { fetch("[\(round * 100 + $0)]") }
            let decoders = fetches.map { Decode(from: $0) }
            // The decoders first: only the dependency holds them back.
            queue.addOperations(decoders + fetches)
            await queue.drained()
            for (number, decoder) in decoders.enumerated() {
                if decoder.output?.value == [round * 100 + number] { decoded += 1 }
            }
        }
        #expect(decoded == 5_000)
    }

    @Test("a transform's dependency may run on another queue")
    func acrossQueues() async {
        let (first, second) = (InstrumentedQueue(recorder: Recorder()), OperationQueue())
        let fetch = fetch()
        let decode = Decode(from: fetch)
        second.addOperation(decode)
        first.addOperation(fetch)
        await second.drained()
        #expect(decode.output?.value == [1, 2, 3])
    }

    @Test("the trace has a transform's dependency on its input, and every transition of a chain")
    func trace() async throws {
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let fetch = fetch()
            let decode = Decode(from: fetch, name: "decode")
            let sum = TransformOperation(from: decode, name: "sum", kind: "Sum") { $0.reduce(0, +) }
            queue.addOperations([sum, decode, fetch])
            await queue.drained()
            #expect(sum.output?.value == 6)
        }
        trace.expectWhole()
        #expect(trace.predecessors(of: "decode") == ["fetch"] && trace.predecessors(of: "sum") == ["decode"])
        #expect(try trace.operation("decode").kind == "Decode" && trace.operation("sum").kind == "Sum")
    }

    @Test("an operation whose class has its output by other means serves as well as an input")
    func otherClass() async {
        let constant = Constant()
        let double = TransformOperation(from: constant) { $0 * 2 }
        await run(double, constant)
        #expect(double.output?.value == 42)
        let failing = Constant(error: Refusal(reason: "no"))
        let failed = TransformOperation(from: failing) { $0 * 2 }
        await run(failed, failing)
        #expect(failed.failure.map { "\($0)" } == "Constant failed: no")
    }

    // MARK: Failure

    @Test("a transform's error names the operation that failed, and each one of a chain up to the first")
    func failureNamed() async throws {
        let fetch = TaskOperation<Data>(name: "fetch") { throw Refusal(reason: "no route") }
        let decode = Decode(from: fetch)
        let sum = TransformOperation(from: decode, name: "sum") { $0.reduce(0, +) }
        await run(sum, decode, fetch)
        let failure = try #require(sum.output?.error as? DependencyFailure)
        #expect("\(failure)" == "Decode failed: fetch failed: no route")
        #expect(failure.dependency == "Decode" && failure.code == .failed)
        let cause = try #require(failure.underlyingError as? DependencyFailure)
        #expect(
            cause.dependency == "fetch" && cause.underlyingError as? Refusal == Refusal(reason: "no route"))
    }

    @Test("another dependency that failed makes a transform fail as well")
    func otherDependency() async {
        let fetch = fetch()
        let reauthorize = ClosureOperation("reauthorize") { $0.finish(throwing: Refusal(reason: "expired")) }
        let decode = Decode(from: fetch)
        decode.addDependency(reauthorize)
        await run(decode, reauthorize, fetch)
        #expect(decode.failure.map { "\($0)" } == "reauthorize failed: expired")
    }

    @Test("a transform regardless of its dependency takes the result, failed or not")
    func regardless() async {
        let failed = TaskOperation<Data>(name: "fetch") { throw Refusal(reason: "no route") }
        let succeeded = fetch()
        let reports = [failed, succeeded].map { fetch in
            TransformOperation(regardlessOf: fetch) { result in result.error.map { "\($0)" } ?? "done" }
        }
        await run(reports[0], reports[1], failed, succeeded)
        #expect(reports.map { $0.output?.value } == ["no route", "done"])
    }

    @Test(
        "a transform started by hand before its dependency fails and says so; regardless, it gets the error")
    func startedTooEarly() async throws {
        let never = fetch()
        let decode = Decode(from: never)
        let report = TransformOperation(regardlessOf: never) { "\($0.error.map { "\($0)" } ?? "")" }
        decode.start()
        report.start()
        #expect(try await eventually { report.isFinished })
        #expect((decode.failure as? DependencyFailure)?.code == .unfinished)
        #expect(decode.failure.map { "\($0)" } == "fetch had not finished")
        #expect(report.output?.value == "fetch had not finished")
    }

    // MARK: Cancellation

    private enum Stage: CaseIterable { case beforeEnqueue, waiting, running, finished }

    @Test(
        "a transform whose dependency is cancelled fails and names it, unless that had finished",
        arguments: Stage.allCases)
    private func cancelledDependency(stage: Stage) async throws {
        let (begun, never) = (Happening(), Happening())
        let fetch = TaskOperation(name: "fetch") {
            begun.happen()
            if stage == .running { try await never.wait() }
            return Data("[1]".utf8)
        }
        let decode = Decode(from: fetch)
        if stage == .beforeEnqueue { fetch.cancel() }
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.isSuspended = true
        queue.addOperation(fetch)
        if stage == .waiting { fetch.cancel() }
        queue.isSuspended = false
        if stage == .running {
            try await begun.wait()
            fetch.cancel()
        }
        if stage == .finished {
            await queue.drained()
            fetch.cancel()
        }
        queue.addOperation(decode)
        await queue.drained()
        if stage == .finished {
            #expect(decode.output?.value == [1])
        } else {
            #expect(decode.output?.error.map { "\($0)" } == "fetch was cancelled")
            #expect(!decode.isCancelled)
        }
    }

    @Test(
        "a transform cancelled at any stage finishes, and its dependency is left alone",
        arguments: Stage.allCases)
    private func cancelled(stage: Stage) async throws {
        let (begun, never, journal) = (Happening(), Happening(), Journal())
        let trace = try await recordedAsynchronously { recorder in
            let queue = InstrumentedQueue(recorder: recorder)
            let fetch = fetch()
            let decode = TransformOperation(from: fetch, name: "decode") { data in
                journal.note("began")
                begun.happen()
                if stage == .running { try await never.wait() }
                return data.count
            }
            if stage == .beforeEnqueue { decode.cancel() }
            queue.addOperation(decode)
            if stage == .waiting { decode.cancel() }
            queue.addOperation(fetch)
            if stage == .running {
                try await begun.wait()
                decode.cancel()
            }
            await queue.drained()
            if stage == .finished { decode.cancel() }
            #expect(fetch.output?.value != nil && !fetch.isCancelled && decode.isFinished)
            if stage == .finished {
                #expect(decode.output?.value == 7)
            } else {
                #expect(decode.output?.error is CancellationError)
            }
        }
        #expect(journal.all == (stage == .running || stage == .finished ? ["began"] : []))
        trace.expectWhole()
        #expect(try trace.operation("decode").outcome == (stage == .finished ? .succeeded : .cancelled))
    }

    @Test("a transform finished by hand at any moment has the output or a failure")
    func finishRace() async {
        let queue = InstrumentedQueue(recorder: Recorder())
        let fetches = (0..<500).map { _ in fetch() }
        let decoders = fetches.map { fetch in TransformOperation(from: fetch) { $0.count } }
        queue.addOperations(fetches)
        for decoder in decoders {
            queue.addOperation(decoder)
            DispatchQueue.global().async { decoder.finish() }
        }
        await queue.drained()
        for decoder in decoders { #expect((decoder.failure == nil) == (decoder.output?.value == 7)) }
    }

    // MARK: Memory

    @Test("a transform lets go of its dependency and of its input at its end")
    func released() async throws {
        final class Page: Sendable {}
        weak var weakFetch: Operation?
        weak var weakPage: Page?
        let count: TransformOperation<Page, Int>
        let skipped: TransformOperation<Page, Int>
        let queue = InstrumentedQueue(recorder: Recorder())
        do {
            let fetch = TaskOperation {
                Page()
            }
            count = TransformOperation(from: fetch) { _ in 1 }
            skipped = TransformOperation(from: fetch) { _ in 1 }
            skipped.cancel()
            queue.addOperations([fetch, count, skipped])
            await queue.drained()
            (weakFetch, weakPage) = (fetch, fetch.output?.value)
            #expect(weakPage != nil)
        }
        #expect(try await eventually { weakFetch == nil && weakPage == nil })
        #expect(count.output?.value == 1 && skipped.output?.error is CancellationError)
    }
}

/// Has an output, but is not an operation of this package.
private final class Constant: Operation, ResultOperation, @unchecked Sendable {
    private let error: Refusal?

    init(error: Refusal? = nil) { self.error = error }

    var output: Result<Int, any Error>? {
        guard isFinished else { return nil }
        return error.map { .failure($0) } ?? .success(21)
    }
}
