import InspectorColumns

/// What the executions of each kind spent their time on, for comparisons.
struct KindExecutions {
    /// The parts that are kept.
    static let parts = ExecutionParts.Part.allCases.filter { $0 != .unmeasured }

    /// An execution counts as measured if at most this fraction of it is unmeasured. A thread is measured
    /// from its first time on a processor on, which may be a little after its first operation.
    private static let mostUnmeasured = 0.01
    /// A kind has times if at least this fraction of its executions is measured. With less, the measured
    /// ones may not be typical.
    private static let leastMeasured = 0.5

    /// For each kind, the measured executions.
    private var measured: [[ExecutionParts]]
    /// For each kind, how many operations were executed.
    private var counts: [Int]

    /// Nil if the trace does not say when threads were on processors. Linear in operations and switches.
    init?(_ timings: TraceTimings) {
        guard let use = ProcessorUse(timings) else { return nil }
        let kinds = timings.trace.operations.store.columns.kinds
        let count = timings.trace.kinds.count
        measured = Array(repeating: [], count: count)
        counts = Array(repeating: 0, count: count)
        let trace = timings.trace
        let tasks = TaskLifetimes(trace.tasks, use)
        for index in timings.transitions.indices {
            let task = trace.task(index).flatMap { trace.tasks.runs(of: $0).isEmpty ? nil : $0 }
            guard let parts = use.parts(of: index) ?? task.flatMap(tasks.runningParts) else { continue }
            let kind = Int(kinds[index])
            counts[kind] += 1
            if Double(parts.unmeasured) <= Double(parts.total) * Self.mostUnmeasured {
                measured[kind].append(parts)
            }
        }
    }

    /// Empty for a kind that was not measured, or too rarely. Otherwise without parts that were zero for all
    /// operations, except for the CPU time.
    func samples(ofKind kind: Int) -> [ExecutionParts.Part: TimingSamples] {
        let executions = measured[kind]
        guard Double(executions.count) >= Double(counts[kind]) * Self.leastMeasured else { return [:] }
        return Self.parts.reduce(into: [:]) { samples, part in
            let times = executions.map { $0[part] }
            if part == .onCPU || times.contains(where: { $0 > 0 }) { samples[part] = TimingSamples(times) }
        }
    }
}
