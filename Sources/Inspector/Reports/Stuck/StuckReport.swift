import EventLog
import InspectorColumns

/// Why a program stands still: what its operations and Swift tasks wait for in the end, at the end of a
/// trace.
package struct StuckReport {
    /// The most sentences about operations, and about tasks.
    private static let mostSentences = 5

    /// The most important first; each safe for a terminal, without a full stop.
    package let sentences: [String]
    /// How many operations and tasks have not finished.
    package let unfinished: String

    /// Cost: that of the rules of `lint` about standstills, and of `TaskStandstills`.
    ///
    /// - Parameter thread: what a thread of a process does at the moment, such as `blocked`; nil if that is
    ///   not known.
    package init(_ trace: Trace, thread: @escaping (ProcessThread) -> String? = { _ in nil }) {
        let rules: Set = ["self-wait-deadlock", "dependency-cycle", "never-finished"]
        let analysis = TraceAnalysis(trace)
        let report = HazardReport(analysis, rules: rules)
        let findings = report.groups.flatMap(\.findings).sorted { $0.severity > $1.severity }
        let whole = report.trace
        let text = TaskStandstillText(whole, thread: thread)
        let standstills = TaskStandstills(whole, analysis.blockers)
        let (tasks, open) = (standstills.all, standstills.open.count)
        let left = tasks.count - Self.mostSentences
        sentences =
            findings.prefix(Self.mostSentences).map(\.summary)
            + tasks.prefix(Self.mostSentences).map { text.sentence($0) }
            + (left > 0 ? ["\(Prose.counted(left, "more kind", "more kinds")) of tasks at other places"] : [])
        let operations = trace.operations.count { $0.enqueued != nil && $0.finished == nil }
        unfinished =
            operations + open == 0
            ? "every operation and task has finished"
            : Prose.counted(operations: operations, tasks: open)
                + " \(operations + open == 1 ? "has" : "have") not finished"
    }
}
