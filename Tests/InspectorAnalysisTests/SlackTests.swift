import InspectorAnalysis
import TestTraces
import Testing

@Suite struct SlackTests {
    @Test("the faster one of two dependencies has slack")
    func diamond() {
        let slack = Slack(
            TraceAnalysis(
                trace {
                    op("A", ready: 0, start: 0, finish: 10)
                    op("B", ready: 10, start: 10, finish: 30).after("A")
                    op("C", ready: 10, start: 10, finish: 50).after("A")
                    op("D", ready: 50, start: 55, finish: 60).after("B", "C")
                }))
        #expect(slack.recorded == [0, 20, 0, 0])
        #expect(slack.throughDependencies == [0, 20, 0, 0])
    }

    @Test("an operation that hands its slot over has no slack as recorded, and much with more slots")
    func slots() {
        let slack = Slack(
            TraceAnalysis(
                trace(limit: 1) {
                    op("A", ready: 0, start: 0, finish: 10)
                    op("B", ready: 0, start: 10, finish: 30)
                }))
        #expect(slack.recorded == [0, 0])
        #expect(slack.throughDependencies == [10, 0])
    }

    @Test("a successor that waits for a slot anyway gives its dependency room")
    func room() {
        let slack = Slack(
            TraceAnalysis(
                trace(limit: 2) {
                    op("A", ready: 0, start: 0, finish: 10)
                    op("long", ready: 0, start: 0, finish: 40)
                    op("other", ready: 0, start: 10, finish: 30)
                    op("B", ready: 10, start: 30, finish: 60).after("A")
                }))
        #expect(slack.recorded == [0, 20, 0, 0])
    }

    @Test(
        "operations cancelled while waiting for a slot still count for their dependencies"
    )
    func cancelledWithoutASlot() {
        let slack = Slack(
            TraceAnalysis(
                trace(limit: 1) {
                    op("long", ready: 0, start: 0, finish: 100)
                    op("second", ready: 22, finish: 50, outcome: .cancelled).after("first")
                    op("first", ready: 5, finish: 20, outcome: .cancelled)
                }))
        #expect(slack.recorded == [0, 50, 78])
    }

    @Test("a child that its parent does not wait for last has slack")
    func nesting() {
        let slack = Slack(
            TraceAnalysis(
                trace {
                    op("group", ready: 0, start: 0, finish: 100)
                    op("first", enqueued: 10, ready: 10, start: 10, finish: 40).inside("group")
                    op("second", enqueued: 10, ready: 10, start: 10, finish: 90).inside("group")
                }))
        #expect(slack.recorded == [0, 50, 0])
        #expect(slack.throughDependencies == [0, 60, 0])
    }

    @Test(
        "an operation's slack is how much shorter its longest path is than the longest of all paths",
        arguments: 0..<40)
    func bruteForce(block: Int) {
        for seed in block * 50..<(block + 1) * 50 {
            var generator = SplitMix64(seed: UInt64(seed))
            let trace = randomGraph(&generator)
            let analysis = TraceAnalysis(trace)
            let slack = Slack(analysis)
            let through = trace.operations.indices.map { longestPath(through: $0, trace) }
            let longest = through.max() ?? 0
            #expect(slack.throughDependencies == through.map { longest - $0 }, "seed \(seed)")
            if longest > 0 {
                let work = trace.operations.reduce(0) { $0 + duration($1) }
                #expect(analysis.parallelism == Double(work) / Double(longest), "seed \(seed)")
            }
        }
    }

    @Test(
        "delaying an operation by its slack does not move the end, and a nanosecond more does",
        arguments: 0..<40)
    func shifted(block: Int) {
        for seed in block * 50..<(block + 1) * 50 {
            var generator = SplitMix64(seed: UInt64(seed))
            let trace = randomGraph(&generator)
            let slack = Slack(TraceAnalysis(trace))
            let end = makespan(trace)
            for (index, recorded) in slack.recorded.enumerated() {
                guard let recorded else { continue }
                #expect(makespan(trace, delaying: index, by: recorded) == end, "seed \(seed)")
                #expect(makespan(trace, delaying: index, by: recorded + 1) > end, "seed \(seed)")
            }
        }
    }

    private func duration(_ operation: TracedOperation) -> Int64 {
        (operation.finished?.notAfter ?? 0) - (operation.executing?.notAfter ?? 0)
    }

    /// Tries every path.
    private func longestPath(through index: Int, _ trace: Trace) -> Int64 {
        func longest(_ index: Int, _ next: (Trace.Edge) -> (from: Int, to: Int)) -> Int64 {
            trace.edges.map(next).filter { $0.from == index }
                .map { duration(trace.operations[$0.to]) + longest($0.to, next) }.max() ?? 0
        }
        return duration(trace.operations[index]) + longest(index) { ($0.predecessor, $0.successor) }
            + longest(index) { ($0.successor, $0.predecessor) }
    }

    /// The last finish when every operation starts as long after its last dependency as it did.
    private func makespan(_ trace: Trace, delaying delayed: Int? = nil, by delay: Int64 = 0) -> Int64 {
        var ends: [Int: Int64] = [:]
        func end(of index: Int) -> Int64 {
            if let known = ends[index] { return known }
            let operation = trace.operations[index]
            let ready =
                trace.edges.filter { $0.successor == index }.map { end(of: $0.predecessor) }.max() ?? 0
            let lag = (operation.executing?.notAfter ?? 0) - (operation.ready?.notAfter ?? 0)
            let end = ready + lag + duration(operation) + (index == delayed ? delay : 0)
            ends[index] = end
            return end
        }
        return trace.operations.indices.map(end).max() ?? 0
    }
}
