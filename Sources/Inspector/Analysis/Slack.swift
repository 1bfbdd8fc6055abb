/// How much later each operation could have finished without moving the end of the run, in two readings.
///
/// Total float of the critical-path method (J. E. Kelley and M. R. Walker, "Critical-Path Planning and
/// Scheduling", 1959). Nanoseconds, never negative.
public struct Slack: Sendable {
    /// With the times and the hand-overs of slots that were recorded: what happened. Time that a successor waited for
    /// a slot or in a suspended queue gives way; the time from a release to the start does not.
    /// `nil` for an operation that was never enqueued.
    public let recorded: [Int64?]
    /// With any number of slots, measured against the length of ``CriticalPath``.
    /// `nil` for an operation that was never enqueued.
    public let throughDependencies: [Int64?]

    /// Cost: O(n log n) in operations and edges.
    public init(_ analysis: TraceAnalysis) {
        let trace = analysis.trace
        let lifelines = trace.operations.map { Lifeline($0, traceEnd: analysis.end) }
        let nesting = Nesting(trace, lifelines)
        let own = nesting.ownExecution(lifelines, analysis.waits)
        throughDependencies = Self.throughDependencies(analysis, lifelines, nesting, own)
        recorded = Self.recorded(analysis, lifelines, nesting, own)
    }

    private static func throughDependencies(
        _ analysis: TraceAnalysis, _ lifelines: [Lifeline?], _ nesting: Nesting, _ own: [Int64]
    ) -> [Int64?] {
        var graph = ConstraintGraph(operations: lifelines.count)
        for (index, line) in lifelines.enumerated() where line != nil {
            graph.connect(ConstraintGraph.start(index), ConstraintGraph.finish(index), lag: own[index])
        }
        for edge in edges(analysis.trace, lifelines) {
            graph.connect(
                ConstraintGraph.finish(edge.predecessor), ConstraintGraph.start(edge.successor), lag: 0)
        }
        for (index, children) in nesting.children.enumerated() {
            guard let parent = lifelines[index] else { continue }
            let last = lastChild(children, of: parent, lifelines)
            for child in children {
                guard let line = lifelines[child] else { continue }
                if line.start >= parent.start {
                    graph.connect(
                        ConstraintGraph.start(index), ConstraintGraph.start(child),
                        lag: line.enqueued - parent.start)
                }
                if line.end <= parent.end {
                    graph.connect(
                        ConstraintGraph.finish(child), ConstraintGraph.finish(index),
                        lag: child == last ? parent.end - line.end : 0)
                }
            }
        }
        let paths = graph.longestPaths(graph.order())
        return lifelines.indices.map { index in
            guard lifelines[index] != nil else { return nil }
            let finish = ConstraintGraph.finish(index)
            let through = paths.to[finish].saturatingAdd(paths.from[finish])
            return max(0, analysis.criticalPath.length - through)
        }
    }

    private static func recorded(
        _ analysis: TraceAnalysis, _ lifelines: [Lifeline?], _ nesting: Nesting, _ own: [Int64]
    ) -> [Int64?] {
        let trace = analysis.trace
        let causes = StartCauses(analysis, lifelines)
        let executions = ExecutionWaits(trace, lifelines)
        var graph = ConstraintGraph(operations: lifelines.count)
        // What gives way when what comes before an operation is late.
        let room = lifelines.indices.map { index in
            analysis.waits[index].map { $0.slot.saturatingAdd($0.suspended) } ?? 0
        }
        for edge in edges(trace, lifelines) {
            guard let successor = lifelines[edge.successor] else { continue }
            let last = causes.lastDependency(of: edge.successor).flatMap { lifelines[$0]?.end }
            graph.connect(
                ConstraintGraph.finish(edge.predecessor), ConstraintGraph.start(edge.successor),
                lag: successor.start - (last ?? successor.enqueued) - room[edge.successor])
        }
        for (index, line) in lifelines.enumerated() {
            guard let line else { continue }
            graph.connect(ConstraintGraph.start(index), ConstraintGraph.finish(index), lag: own[index])
            if causes.reason(of: index) == .slot, let holder = causes.cause(of: index) {
                graph.connect(
                    ConstraintGraph.finish(holder), ConstraintGraph.start(index),
                    lag: line.start - causes.moment(of: index))
            }
            if trace.operations[index].parent == nil, let wait = executions.ofProgram(upTo: line.enqueued),
                wait.operation != index
            {
                let waited = (analysis.waits[index]?.dependency ?? 0).saturatingAdd(room[index])
                graph.connect(
                    ConstraintGraph.finish(wait.operation), ConstraintGraph.start(index),
                    lag: line.start - wait.moment - waited)
            }
            for wait in executions.entries(of: index) where !wait.isChild {
                graph.connect(
                    ConstraintGraph.finish(wait.operation), ConstraintGraph.finish(index),
                    lag: line.end - wait.moment)
            }
        }
        for (index, children) in nesting.children.enumerated() {
            guard let parent = lifelines[index] else { continue }
            let lastEnd = lastChild(children, of: parent, lifelines).flatMap { lifelines[$0]?.end }
            for child in children {
                guard let line = lifelines[child] else { continue }
                if line.start >= parent.start {
                    let waited = (analysis.waits[child]?.dependency ?? 0).saturatingAdd(room[child])
                    graph.connect(
                        ConstraintGraph.start(index), ConstraintGraph.start(child),
                        lag: line.start - parent.start - waited)
                }
                if line.end <= parent.end, let lastEnd {
                    graph.connect(
                        ConstraintGraph.finish(child), ConstraintGraph.finish(index),
                        lag: parent.end - lastEnd)
                }
            }
        }

        let end = lifelines.reduce(Int64.min) { max($0, $1?.end ?? .min) }
        var times = [Int64](repeating: 0, count: lifelines.count * 2)
        var limits = [Int64](repeating: .max, count: lifelines.count * 2)
        for (index, line) in lifelines.enumerated() {
            guard let line else { continue }
            times[ConstraintGraph.start(index)] = line.start
            times[ConstraintGraph.finish(index)] = line.end
            limits[ConstraintGraph.finish(index)] = end - line.end
        }
        let slack = graph.slack(graph.order(), times: times, atMost: limits)
        return lifelines.indices.map { lifelines[$0] == nil ? nil : slack[ConstraintGraph.finish($0)] }
    }

    /// Those that the times of the trace do not contradict, as in ``CriticalPath``.
    private static func edges(_ trace: Trace, _ lifelines: [Lifeline?]) -> [Trace.Edge] {
        trace.edges.filter { edge in
            guard edge.predecessor != edge.successor, lifelines.indices.contains(edge.predecessor),
                lifelines.indices.contains(edge.successor), let predecessor = lifelines[edge.predecessor],
                let successor = lifelines[edge.successor]
            else { return false }
            return predecessor.end <= successor.start
        }
    }

    private static func lastChild(_ children: [Int], of parent: Lifeline, _ lifelines: [Lifeline?]) -> Int? {
        var last: (child: Int, end: Int64)?
        for child in children {
            guard let line = lifelines[child], line.end <= parent.end else { continue }
            if line.end > last?.end ?? .min { last = (child, line.end) }
        }
        return last?.child
    }
}
