import InspectorColumns

/// What the executions of a run spent their time on, and how many threads were on processors: lines of a
/// ``RunSummary``.
struct ProcessorSummary {
    /// The sum over all executions.
    let parts: ExecutionParts
    /// What the executions on the critical path spent their time on.
    let criticalPath: String?
    /// How many threads of the program were on processors over the run, and how many waited for one.
    private let threads: (onCPU: [Double], waiting: [Double])?
    /// Nanoseconds for which threads without operations were on processors.
    private let outside: Int64
    /// Less than this part of what operations took is not mentioned.
    private static let noteworthy = 0.02

    /// Nil if the trace does not say when threads were on processors. Nearly linear in operations and
    /// switches.
    init?(_ analysis: TraceAnalysis) {
        guard let use = ProcessorUse(analysis.timings) else { return nil }
        parts = use.parts(of: analysis.trace.operations.indices)
        let outside = OutsideStretches(use)
        criticalPath = CriticalPathParts(analysis, use, outside)?.text
        self.outside = outside.onCPU
        threads = use.runTimes.flatMap {
            use.threadsOverTime(
                parts: ConcurrencySummary.bars, from: $0.lowerBound, to: $0.upperBound)
        }
    }

    /// `12.3 s: 9.00 s blocked, 3.10 s on CPU, 200 ms waiting for a CPU`.
    var executing: String {
        "\(DurationFormat.text(nanoseconds: parts.total)): \(parts.text ?? "unmeasured")"
    }

    var lines: [(label: String, text: String)] {
        guard parts.total > 0 else { return [] }
        var lines = [(label: "executing", text: executing)]
        guard let threads else { return lines }
        let onCPU = threads.onCPU.reduce(0, +) / Double(threads.onCPU.count)
        let waiting = threads.waiting.reduce(0, +) / Double(threads.waiting.count)
        lines.append(
            (
                label: "threads",
                text: "average \(Prose.twoDecimals(onCPU)) on CPU, \(Prose.twoDecimals(waiting)) waiting for "
                    + "a CPU  "
                    + ConcurrencySummary.curve(threads.onCPU, peak: max(1, threads.onCPU.max() ?? 0))
            ))
        if Double(outside) > Double(parts.onCPU) * Self.noteworthy {
            lines.append(
                (
                    label: "other CPU",
                    text: "\(DurationFormat.text(nanoseconds: outside)) on threads without operations"
                ))
        }
        return lines
    }
}
