import InspectorColumns

/// How much later each operation could have finished without moving the end of the run, in two readings.
///
/// This is the total float of the critical-path method (J. E. Kelley and M. R. Walker, "Critical-Path
/// Planning and Scheduling", 1959). Nanoseconds, never negative.
public struct Slack: Sendable {
    /// With the recorded times and hand-overs of slots: what happened. A successor's wait for a slot or in a
    /// suspended queue can absorb a delay; the time from a release to the start cannot. `nil` for an
    /// operation that was never enqueued.
    public let recorded: [Int64?]
    /// With any number of slots, measured against the length of ``CriticalPath``.
    /// `nil` for an operation that was never enqueued.
    public let throughDependencies: [Int64?]

    /// Cost: linear in operations and edges, O(n log n) in children and blocking waits that are out of order.
    public init(_ analysis: TraceAnalysis) { self.init(analysis, DelayChains(analysis)) }

    /// - Parameter chains: of the same analysis.
    package init(_ analysis: TraceAnalysis, _ chains: DelayChains) {
        throughDependencies = Self.throughDependencies(analysis)
        recorded = Self.recorded(analysis, chains)
    }

    /// ``throughDependencies`` alone, at half the cost.
    package static func throughDependencies(_ analysis: TraceAnalysis) -> [Int64?] {
        let transitions = analysis.timings.transitions
        let graph = ConstraintGraph.throughDependencies(
            analysis.trace, transitions, analysis.nesting, analysis.ownExecution)
        let to = graph.longestLengthsTo()
        let from = graph.longestPathsFrom()
        let (trace, length) = (analysis.trace, analysis.criticalPath.length)
        return transitions.indices.map { index in
            guard transitions.has(index) else { return nil }
            return RunConstraints.least(of: index, in: trace) { finish in
                max(0, length - to[finish].saturatingAdd(from[finish]))
            }
        }
    }

    /// ``recorded`` alone, at half the cost.
    package static func recorded(_ analysis: TraceAnalysis, _ chains: DelayChains) -> [Int64?] {
        let transitions = analysis.timings.transitions
        let trace = analysis.trace
        let vertices = RunConstraints.count(in: trace)
        let constraints = RecordedConstraints(analysis, chains.causes, chains.executions)
        let graph = ConstraintGraph(operations: vertices, constraints.edges)
        let end = transitions.indices.reduce(Int64.min) { max($0, transitions.end(of: $1) ?? .min) }
        var times = [Int64](repeating: 0, count: vertices * 2)
        var limits = [Int64](repeating: .max, count: vertices * 2)
        for index in transitions.indices {
            guard let start = transitions.start(of: index), let finish = transitions.end(of: index) else {
                continue
            }
            times[ConstraintGraph.start(index)] = start
            times[ConstraintGraph.finish(index)] = finish
            limits[ConstraintGraph.finish(index)] = end - finish
        }
        for (place, run) in zip(transitions.count..<vertices, trace.tasks.runs) {
            times[ConstraintGraph.start(place)] = run.start
            times[ConstraintGraph.finish(place)] = run.end
        }
        let slack = graph.slack(times: times, atMost: limits)
        return transitions.indices.map { index in
            guard transitions.has(index) else { return nil }
            return RunConstraints.least(of: index, in: trace) { slack[$0] }
        }
    }
}
