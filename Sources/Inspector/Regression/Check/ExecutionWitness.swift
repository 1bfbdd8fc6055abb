import InspectorColumns

/// Why the executions of a kind became longer or shorter, as their CPU time says.
///
/// The figures are those of a typical execution: medians over the runs, of the medians of each run.
struct ExecutionWitness {
    /// Parts with a smaller fraction of the difference are not named.
    private static let leastNamedShare = 0.1

    let kind: String
    /// The execution's comparison, which is proven.
    private let execution: MetricComparison
    /// Nil if the kind uses hardly any CPU time.
    private let cpu: MetricComparison?
    /// Nanoseconds by which each part is longer on the current side.
    let parts: [(part: ExecutionParts.Part, difference: Double)]

    /// Nanoseconds by which an execution is longer on the current side.
    var difference: Double { execution.currentTime - execution.baselineTime }

    /// For each kind whose executions are proven to have changed and whose CPU time is known, the largest
    /// difference first.
    static func all(of check: RegressionCheck) -> [ExecutionWitness] {
        let metrics = check.primary + check.others
        return metrics.compactMap { execution in
            guard execution.metric.quantity == .part(.execution), let kind = execution.metric.kind,
                [.regressed, .improved].contains(check.verdict(of: execution)),
                let before = medians(of: kind, check.baseline.timings),
                let after = medians(of: kind, check.current.timings)
            else { return nil }
            let cpu = metrics.first { $0.metric == TimingMetric(kind: kind, .onCPU) }
            let parts = KindExecutions.parts.map { part in
                if part == .onCPU, let cpu { return (part, cpu.currentTime - cpu.baselineTime) }
                return (part, (after[part] ?? 0) - (before[part] ?? 0))
            }
            return ExecutionWitness(kind: kind, execution: execution, cpu: cpu, parts: parts)
        }.sorted { abs($0.difference) > abs($1.difference) }
    }

    /// Nil if no run has CPU times of the kind.
    private static func medians(of kind: String, _ runs: [RunTimings]) -> [ExecutionParts.Part: Double]? {
        let samples = runs.compactMap { $0.kind(kind)?.executionSamples }.filter { $0[.onCPU] != nil }
        guard !samples.isEmpty else { return nil }
        return KindExecutions.parts.reduce(into: [:]) { medians, part in
            medians[part] = samples.map { $0[part]?.median ?? 0 }.median
        }
    }

    /// `Execution of DecodePage +20.0 ms: it used 19.8 ms more CPU time.`
    func sentence(_ words: CheckWords) -> String {
        "E\(words.label(execution.metric).dropFirst()) \(words.signed(difference)): \(reason)."
    }

    private var reason: String {
        if cpu?.verdict == .inconclusive {
            return "these runs do not show whether it used \(difference < 0 ? "less" : "more") CPU time"
        }
        let isCPUTold = cpu.map { $0.verdict != .unchanged } ?? true
        let named = parts.filter {
            ($0.part != .onCPU || isCPUTold)
                && $0.difference / difference >= Self.leastNamedShare
        }.sorted { abs($0.difference) > abs($1.difference) }
        let fragments = named.map { fragment($0.part, $0.difference) }
        let unchanged = isCPUTold ? [] : ["its CPU time did not change"]
        guard !fragments.isEmpty else { return unchanged.first ?? "no part of it changed as much" }
        return ([Prose.list(fragments)] + unchanged).joined(separator: "; ")
    }

    private func fragment(_ part: ExecutionParts.Part, _ difference: Double) -> String {
        let time = DurationFormat.text(nanoseconds: abs(difference))
        let change = "\(time) \(difference < 0 ? "less" : "more")"
        return part.row.change.replacing("{}", with: change)
    }
}
