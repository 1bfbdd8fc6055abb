import InspectorAnalysis
import TestTraces
import Testing

@Suite struct CriticalPathTests {
    @Test("the critical path goes through the slower of two dependencies")
    func diamond() {
        let analysis = TraceAnalysis(
            trace {
                op("A", ready: 0, start: 0, finish: 10)
                op("B", ready: 10, start: 10, finish: 30).after("A")
                op("C", ready: 10, start: 10, finish: 50).after("A")
                op("D", ready: 50, start: 55, finish: 60).after("B", "C")
            })
        #expect(analysis.criticalNames == ["A", "C", "D"])
        #expect(analysis.criticalPath.length == 55)
        #expect(analysis.makespan == 60)
        #expect(analysis.work == 75)
        #expect(analysis.criticalPath.contains(edge: Trace.Edge(predecessor: 2, successor: 3)))
        #expect(!analysis.criticalPath.contains(edge: Trace.Edge(predecessor: 1, successor: 3)))
        #expect(!analysis.criticalPath.contains(edge: Trace.Edge(predecessor: 0, successor: 3)))
        #expect(analysis.criticalPath.contains(operation: 2))
        #expect(!analysis.criticalPath.contains(operation: 1))
    }

    @Test("an operation that waited only for a slot is not on the critical path")
    func slots() {
        let analysis = TraceAnalysis(
            trace(limit: 1) {
                op("A", ready: 0, start: 0, finish: 10)
                op("B", ready: 0, start: 10, finish: 30)
            })
        #expect(analysis.criticalNames == ["B"])
        #expect(analysis.criticalPath.length == 20)
        #expect(analysis.parallelism == 1.5)
    }

    @Test("the critical path leads through a parent's children, and counts the parent's work around them")
    func nesting() {
        let analysis = TraceAnalysis(
            trace {
                op("group", ready: 0, start: 0, finish: 100)
                op("first", enqueued: 10, ready: 10, start: 10, finish: 40).inside("group")
                op("second", enqueued: 10, ready: 40, start: 40, finish: 90).inside("group").after("first")
                op("after", ready: 100, start: 100, finish: 120).after("group")
            })
        #expect(analysis.criticalNames == ["group", "first", "second", "after"])
        #expect(analysis.criticalPath.length == 120)
        #expect(analysis.work == 20 + 30 + 50 + 20)
        #expect(analysis.criticalPath.contains(edge: Trace.Edge(predecessor: 0, successor: 3)))
    }

    @Test("on the critical path, an operation that never finished ends with the trace")
    func unfinished() {
        let analysis = TraceAnalysis(
            trace(lastAlive: 100) {
                op("A", ready: 0, start: 10)
                op("B").after("A")
            })
        #expect(analysis.criticalNames.first == "A")
        #expect(analysis.criticalPath.length == 90)
        #expect(analysis.makespan == 100)
    }

    @Test("the critical path ignores a dependency that contradicts the times")
    func contradicted() {
        let analysis = TraceAnalysis(
            trace {
                op("A", ready: 0, start: 0, finish: 20)
                op("B", ready: 0, start: 0, finish: 10).after("A")
            })
        #expect(analysis.criticalNames == ["A"])
        #expect(analysis.criticalPath.length == 20)
    }

    @Test("a cycle does not hide from the critical path what comes after it")
    func cycle() {
        let analysis = TraceAnalysis(
            trace {
                op("A", ready: 0, start: 0, finish: 0).after("B").inside("B")
                op("B", ready: 0, start: 0, finish: 0).after("A").inside("A")
                op("C", ready: 0, start: 0, finish: 10).after("B")
                op("D", ready: 10, start: 10, finish: 30).after("C")
            })
        #expect(analysis.criticalPath.length == 30)
        #expect(analysis.criticalNames.suffix(2) == ["C", "D"])
        #expect(Set(analysis.criticalNames).count == analysis.criticalNames.count)
    }

    @Test("a trace without operations has an empty path")
    func empty() {
        let analysis = TraceAnalysis(trace {})
        #expect(analysis.criticalPath.operations.isEmpty)
        #expect(analysis.criticalPath.length == 0)
        #expect(analysis.parallelism == nil)
    }

    @Test("the critical path of a chain of 100,000 operations is found")
    func longChain() {
        var long = trace {
            for time in 0..<Int64(100_000) { op("\(time)", ready: 0, start: time, finish: time + 1) }
        }
        long.edges = (1..<100_000).map { Trace.Edge(predecessor: $0 - 1, successor: $0) }
        #expect(TraceAnalysis(long).criticalPath.length == 100_000)
    }

    @Test("the critical path is as long as the longest of all paths", arguments: 0..<40)
    func bruteForce(block: Int) {
        for seed in block * 50..<(block + 1) * 50 {
            var generator = SplitMix64(seed: UInt64(seed))
            let trace = randomGraph(&generator)
            let analysis = TraceAnalysis(trace)
            let path = analysis.criticalPath
            #expect(path.length == longestPath(trace), "seed \(seed)")
            let own = path.operations.reduce(0) { $0 + (analysis.waits[$1]?.execution ?? 0) }
            #expect(own == path.length, "seed \(seed)")
            for (from, to) in zip(path.operations, path.operations.dropFirst()) {
                #expect(trace.edges.contains(Trace.Edge(predecessor: from, successor: to)), "seed \(seed)")
            }
        }
    }

    /// Tries every path.
    private func longestPath(_ trace: Trace) -> Int64 {
        func longest(from index: Int) -> Int64 {
            let operation = trace.operations[index]
            let own = (operation.finished?.notAfter ?? 0) - (operation.executing?.notAfter ?? 0)
            return own
                + (trace.edges.filter { $0.predecessor == index }.map { longest(from: $0.successor) }.max()
                    ?? 0)
        }
        return trace.operations.indices.map { longest(from: $0) }.max() ?? 0
    }
}
