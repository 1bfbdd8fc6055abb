import InspectorRegression
import TestTraces
import Testing

@Suite("Budgets: what a run took")
struct BudgetMeasurementTests {
    /// Two at a time of three Parse, then a Store.
    private let run = TraceAnalysis(
        trace(limit: 2) {
            op("a", kind: "Parse", enqueued: 0, ready: 0, start: 0, finish: 100)
            op("b", kind: "Parse", enqueued: 0, ready: 0, start: 0, finish: 200)
            op("c", kind: "Parse", enqueued: 0, ready: 0, start: 100, finish: 200)
            op(
                "d", kind: "Store", enqueued: 0, ready: 200, start: 200, finish: 400,
                outcome: .failed(message: "no")
            )
            .after("c")
        })

    private func check(_ yaml: String) throws -> BudgetResult {
        try #require(try Budgets(yaml: yaml, named: "b.yml").check(run).first)
    }

    @Test(
        "a kind of Swift task has limits like one of operations, and those of the whole run do not count it")
    func tasks() throws {
        let run = TraceAnalysis(MixedTrace.untouched)
        func verdict(_ yaml: String) throws -> BudgetResult.Verdict? {
            try Budgets(yaml: yaml).check(run).first?.verdict
        }
        #expect(try verdict("{kind: load(), total execution: 45ns}") == .kept)
        #expect(try verdict("{kind: load(), total execution: 44ns}") == .broken)
        #expect(try verdict("{kind: load(), concurrency: 1}") == .kept)
        #expect(try verdict("{kind: other(), count: exactly 1}") == .kept)
        #expect(try verdict("count: exactly 2") == .kept)
        #expect(try verdict("makespan: 149ns") == .broken)
    }

    @Test("an executor has a limit for the tasks that run there, at any time and at once")
    func executors() throws {
        let run = TraceAnalysis(MixedTrace.untouched)
        func sentence(_ yaml: String) throws -> String? {
            try Budgets(yaml: yaml).check(run).first?.sentence
        }
        #expect(
            try sentence("{executor: Cache, concurrency: 1}")
                == "concurrency on executor Cache is 1, within at most 1")
        // One moved there within a run, the other began a run there.
        #expect(
            try sentence("{executor: Cache, count: exactly 3}")
                == "count on executor Cache is 2, instead of 3")
        let error = #expect(throws: BudgetsError.self) { try sentence("{executor: Cahce, count: 1}") }
        #expect(
            error?.description
                == "budgets:1: no task ran on an executor named 'Cahce'; did you mean 'Cache'?")
        #expect(try Budgets(yaml: "{executor: X, optional: true, count: 1}").check(run)[0].verdict == .unused)
    }

    @Test(arguments: [
        ("makespan: 400ns", "400 ns"), ("critical path: 1s", "300 ns"), ("max slot wait: 1s", "100 ns"),
        ("slot wait: 99%", "11.1 %"), ("max slot wait: 99%", "11.1 %"), ("dependency wait: 99%", "22.2 %"),
        ("concurrency: 9", "2"), ("count: 9", "4"), ("failures: 9", "1"), ("cancellations: 9", "0"),
        ("{kind: Parse, p50 execution: 1s}", "100 ns"), ("{kind: Parse, max execution: 1s}", "200 ns"),
        ("{kind: Parse, mean execution: 1s}", "133 ns"), ("{kind: Parse, total execution: 1s}", "400 ns"),
        ("{kind: Parse, max lifetime: 1s}", "200 ns"), ("{kind: Parse, slot wait: 50%}", "20.0 %"),
        ("{queue: main, count: 9}", "4"), ("{kind: Store, queue: main, concurrency: 9}", "1"),
    ])
    func `each quantity is measured`(yaml: String, measured: String) throws {
        let result = try check(yaml)
        #expect(result.measured?.text == measured)
        #expect(result.verdict == .kept)
    }

    @Test(arguments: [
        ("makespan: 399ns", "makespan is 400 ns, 1 ns over the limit of 399 ns"),
        (
            "slot wait: 10%",
            "slot wait of all operations is 11.1 % of all lifetimes, over the limit of 10.0 %"
        ),
        (
            "{kind: Parse, p95 execution: 20 ns}",
            "p95 execution of Parse is 200 ns, 180 ns over the limit of 20 ns"
        ),
        ("{kind: Parse, count: exactly 2}", "count of Parse is 3, instead of 2"),
        ("{queue: main, concurrency: at least 3}", "concurrency in queue main is 2, under the minimum of 3"),
        ("no failures", "failures is 1, over the limit of 0"),
    ])
    func `a broken limit is a sentence with the numbers`(yaml: String, sentence: String) throws {
        let result = try check(yaml)
        #expect(result.verdict == .broken)
        #expect(result.sentence == sentence)
    }

    @Test func `a limit may be reached`() throws {
        #expect(try check("makespan: 400ns").sentence == "makespan is 400 ns, within at most 400 ns")
    }

    @Test func `a kind or a queue that the run has not is an error with the line, unless it is optional`()
        throws
    {
        func error(_ yaml: String) -> String {
            do {
                return try "\(check(yaml).verdict)"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            error("- kind: Prase\n  count: 1")
                == "b.yml:2: no operation of kind 'Prase'; did you mean 'Parse'?")
        #expect(
            error("- kind: Store2\n  count: 1")
                == "b.yml:2: no operation of kind 'Store2'; did you mean 'Store'?")
        #expect(
            error("- queue: other\n  count: 1") == "b.yml:2: no queue named 'other'; the only queue is 'main'"
        )
        #expect(error("- kind: Prase\n  optional: true\n  max execution: 1s") == "unused")
    }

    @Test func `what did not happen was not fast`() throws {
        let empty = TraceAnalysis(trace {})
        let result = try #require(try Budgets(yaml: "makespan: 1s").check(empty).first)
        #expect(result.verdict == .broken)
        #expect(result.sentence == "makespan: nothing to measure, no operation was enqueued")
        let unstarted = TraceAnalysis(trace(lastAlive: 9) { op("a", kind: "Parse", enqueued: 0) })
        let execution = try #require(
            try Budgets(yaml: "{kind: Parse, max execution: 1s}").check(unstarted).first)
        #expect(execution.sentence == "max execution of Parse: nothing to measure, no operation started")
    }

    @Test func `hazards match those of lint, the first with its sentence`() throws {
        let stuck = TraceAnalysis(trace(lastAlive: 900) { op("a", enqueued: 0, ready: 0, start: 1) })
        let result = try #require(try Budgets(yaml: "no hazards").check(stuck).first)
        #expect(
            result.sentence.hasPrefix("hazards is 1, over the limit of 0; the first: a is still executing"))
        #expect(try Budgets(yaml: "no hazards: [late-edge]").check(stuck).first?.verdict == .kept)
        #expect(
            try Budgets(yaml: "no hazards: {except: never-finished}").check(stuck).first?.verdict == .kept)
    }

    @Test func `operations overlap only if that is certain`() {
        let analysis = TraceAnalysis(
            trace {
                op("a", enqueued: 0, ready: 0, start: 0).finishing(within: 90...110)
                op("b", enqueued: 0, ready: 0, finish: 200).starting(within: 80...100)
                op("c", enqueued: 0, ready: 0, start: 150, finish: 180)
            })
        #expect(ProvenConcurrency.peak(of: [0, 1], in: analysis) == 1)
        #expect(ProvenConcurrency.peak(of: [0, 1, 2], in: analysis) == 2)
    }

    @Test func `absurd times and names do no harm`() throws {
        let hostile = TraceAnalysis(
            trace {
                op(
                    "a", kind: "<img onerror>\u{1B}[31m", enqueued: .min, ready: .max, start: .min,
                    finish: .max)
                op(
                    "b", kind: String(repeating: "x", count: 10_000), enqueued: .max, start: .max,
                    finish: .min)
            })
        let yaml =
            "- makespan: 1s\n- slot wait: 1%\n- max lifetime: 1ns\n- concurrency: 0\n- kind: nothing\n  "
            + "optional: true\n  count: 1"
        for result in try Budgets(yaml: yaml).check(hostile) {
            #expect(!result.sentence.contains("\u{1B}"))
            #expect(result.sentence.count < 1000)
        }
    }
}
