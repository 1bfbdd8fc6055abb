/// The text above every picture: what was run, and the important figures.
struct PictureHeading {
    private static let longestName = 60

    private let analysis: TraceAnalysis
    /// What everything waits for, in a run with unfinished operations, or whose tasks can never go on. Not
    /// escaped for markup, but safe for a terminal.
    let verdict: String?
    private let isStandingStill: Bool

    init(_ analysis: TraceAnalysis) {
        self.analysis = analysis
        let end = RunEnd(analysis, analysis)
        verdict = end.reason.map { "never finished: " + $0 }
        isStandingStill = end.unfinished.isStandingStill
    }

    /// Not escaped for markup, but safe for a terminal.
    var process: String {
        let name = analysis.trace.header.process
        return TerminalText.shortened(name.isEmpty ? "trace" : name, toColumns: Self.longestName)
    }

    /// The verdict, wrapped to that width. Empty without one.
    func verdict(columns: Int) -> [String] {
        (verdict.map { Prose.wrapped($0, to: columns) } ?? "").split(separator: "\n").map(String.init)
    }

    var figures: [String] {
        let path = analysis.criticalPath
        let trace = analysis.trace
        let tasks = trace.tasks.asOperations == nil ? 0 : trace.tasks.entries.count
        let tasksOfPath = path.operations.count { trace.task($0) != nil }
        var parts = [
            Prose.counted(operations: analysis.kinds.operations - tasks, tasks: tasks),
            "makespan \(DurationFormat.text(nanoseconds: analysis.makespan))",
        ]
        let unobserved = analysis.trace.operations.count - analysis.kinds.operations
        if unobserved > 0 { parts[0] += " and \(Prose.grouped(unobserved)) not observed" }
        // In a run that hangs, paths would measure how long somebody waited before ending it.
        if isStandingStill { return parts }
        parts.append(
            "critical path \(DurationFormat.text(nanoseconds: path.length)) "
                + "("
                + Prose.counted(operations: path.operations.count - tasksOfPath, tasks: tasksOfPath) + ")")
        if let parallelism = analysis.parallelism {
            parts.append("parallelism \(Prose.twoDecimals(parallelism))")
        }
        return parts
    }
}
