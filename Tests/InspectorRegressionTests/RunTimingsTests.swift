import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression
@testable import InspectorTraces

@Suite struct RunTimingsTests {
    private let run = trace(limit: 1) {
        op("A", kind: "Fetch", ready: 0, start: 0, finish: 10)
        op("B", kind: "Fetch", ready: 0, start: 12, finish: 30)
        op("C", kind: "Parse", ready: 30, start: 33, finish: 40, outcome: .failed(message: "no")).after("B")
        op("D", kind: "Idle", enqueued: 40, ready: 40)
    }

    @Test("a run is timed as a whole, and by kind; parts that took no time are left out")
    func figures() {
        let timings = RunTimings(TraceAnalysis(run))
        #expect(timings.makespan == 40)
        #expect(timings.process == "test" && timings.host == "box")
        #expect(timings.totals.execution == 35)
        #expect(timings.failed == 1 && timings.cancelled == 0 && timings.unfinished == 1)
        #expect(timings.kinds.map(\.name) == ["Fetch", "Idle", "Parse"])
        #expect(timings.kinds.map(\.count) == [2, 1, 1])
        #expect(timings.kind("Fetch")?.samples[.execution]?.values == [10, 18])
        #expect(timings.kind("Fetch")?.samples[.suspended] == nil)
        #expect(timings.kind("Idle")?.samples.isEmpty == true)
        #expect(timings.path == ["Fetch", "Parse"])
    }

    @Test("a kind of Swift task is a kind: it executes while it runs, and depends on what it awaits")
    func tasks() {
        let timings = RunTimings(TraceAnalysis(MixedTrace.untouched))
        #expect(timings.makespan == 150)
        #expect(timings.kinds.map(\.name) == ["Fetch", "Request", "load()", "other()"])
        let load = timings.kind("load()")
        #expect(load?.count == 1)
        #expect(load?.samples[.execution]?.values == [45])
        #expect(load?.samples[.dependency]?.values == [50])
        #expect(load?.samples[.slot]?.values == [20])
        #expect(load?.samples[.dispatch]?.values == [15])
        #expect(timings.delays.contains { $0.kind == "load()" && $0.part == .execution })
    }

    @Test("a run's delays sum to the chain of what delayed it, the longest first")
    func delays() {
        let analysis = TraceAnalysis(run)
        let timings = RunTimings(analysis)
        #expect(timings.delays.reduce(0) { $0 + $1.nanoseconds } == DelayChains(analysis).ofRun.length)
        #expect(timings.delays.first == RunTimings.Delay(kind: "Fetch", part: .execution, nanoseconds: 28))
        #expect(timings.delays == timings.delays.sorted())
    }

    @Test("chains before the last one count as well, phase by phase, so that delays sum to the makespan")
    func phases() {
        let run = trace {
            op("parse", kind: "Parse", ready: 0, start: 0, finish: 60)
            op("check", kind: "Check", enqueued: 70, ready: 70, start: 70, finish: 75)
            op("aside", kind: "Aside", enqueued: 70, ready: 70, start: 70, finish: 72)
            op("write", kind: "Write", enqueued: 75, ready: 75, start: 75, finish: 100)
        }
        let delays = RunTimings(TraceAnalysis(run)).delays
        #expect(delays.reduce(0) { $0 + $1.nanoseconds } == 100)
        #expect(delays.map(\.kind) == ["Parse", "Write", nil, "Check"])
        #expect(delays.map(\.nanoseconds) == [60, 25, 10, 5])
    }

    @Test("a long critical path keeps its ends")
    func longPath() {
        var run = trace {
            for index in 0..<100 {
                op(
                    "\(index)", kind: "K\(index)", ready: Int64(index), start: Int64(index),
                    finish: Int64(index + 1))
            }
        }
        run.edges = (0..<99).map { Trace.Edge(predecessor: $0, successor: $0 + 1) }
        let path = RunTimings(TraceAnalysis(run)).path
        #expect(path.count == RunTimings.mostPathSteps)
        #expect(path.first == "K0" && path.last == "K99" && path.contains("…"))
    }

    @Test("an empty trace, and times at the end of all numbers, are timed without a trap")
    func absurd() {
        #expect(RunTimings(TraceAnalysis(trace {})).makespan == 0)
        let run = trace {
            op("A", enqueued: .min, ready: 0, start: .min, finish: .max)
            op("B", enqueued: .max, ready: .min, start: .max, finish: .min).after("A")
            op("C", start: .max, finish: 0).inside("C")
        }
        _ = RunTimings(TraceAnalysis(run))
    }
}
