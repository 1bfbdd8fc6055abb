import InspectorColumns
import WaitDiagnosis

/// A Swift task that nothing awaited, and that the end of the program cut off, or that went on after what
/// created it had finished.
enum OutlivesScope: HazardRule {
    static let name = "outlives-scope"
    static let meaning = "a Swift task that nothing awaited went on after what created it had finished"

    /// Nanoseconds that a task may go on after the one that created it. 100 ms.
    private static let allowedTime: Int64 = 100_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        guard let tasks = context.tasks else { return }
        let parents = tasks.trace.operations.store.columns.parents
        for (task, entry) in tasks.tasks.entries.enumerated()
        where tasks.isUnawaited(task) {
            let end = entry.finished ?? tasks.tasks.end
            let parent = Int(parents[tasks.operation(task)])
            let left = parent >= 0 ? tasks.finish(of: parent) : nil
            if entry.finished == nil {
                guard tasks.isCutOff(task), context.incompleteness == nil else { continue }
                report(task, cutOffAt: end, tasks, &findings)
            } else if let left, end - left > allowedTime {
                report(task, leftAt: left, parent, end, tasks, &findings)
            }
        }
    }

    private static func report(
        _ task: Int, cutOffAt end: Int64, _ tasks: TaskHazards, _ findings: inout HazardCollector
    ) {
        // It may have waited for something that need not come.
        let (state, since) = tasks.standstills.state(task)
        let severity: HazardSeverity = state == .awaiting(.continuation) ? .note : .warning
        findings.report(severity, tasks.kind(task)) {
            let (name, entry) = (tasks.name(task), tasks.tasks.entries[task])
            let isReady = if case .executor = state { true } else { false }
            return HazardFinding(
                severity, [tasks.operation(task)],
                "the program ended before \(name) had finished, which nothing awaited: what it had "
                    + "not done is lost",
                evidence: [
                    .init(entry.created, "\(name) was created"),
                    .init(
                        since,
                        "\(name) \(isReady ? "was ready" : "was suspended")"
                            + TaskStandstillText.place(tasks.standstills.stack(task))),
                    .init(end, "the log was closed"),
                ],
                advice: "await its value before the program ends, or create it in a task group that does")
        }
    }

    private static func report(
        _ task: Int, leftAt left: Int64, _ parent: Int, _ end: Int64, _ tasks: TaskHazards,
        _ findings: inout HazardCollector
    ) {
        findings.report(.note, tasks.kind(task)) {
            let (name, creator) = (tasks.name(task), tasks.text.name(ofOperation: parent))
            let time = DurationFormat.text(nanoseconds: end - left)
            return HazardFinding(
                .note, [tasks.operation(task), parent],
                "\(name) went on for \(time) after \(creator), which created it, had finished; "
                    + "nothing awaited it",
                evidence: [
                    .init(tasks.tasks.entries[task].created, "\(name) was created"),
                    .init(left, "\(creator) finished"), .init(end, "\(name) finished"),
                ],
                advice:
                    "nothing, if it is meant to go on; otherwise await it, or use async let or a task group, "
                    + "which cancel and await it")
        }
    }
}
