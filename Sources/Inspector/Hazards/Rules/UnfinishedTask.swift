import WaitDiagnosis

/// A Swift task that others wait for in the end, and that had not finished when the log ended. Those that
/// await a continuation, and circles, have rules of their own.
enum UnfinishedTask: HazardRule {
    static let name = "unfinished-task"
    static let meaning = "a Swift task had not finished when the log ended"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        check(context, &findings) {
            $0.state != .awaiting(.continuation)
        } advice: { standstill in
            switch standstill.state {
            case .running:
                "look where it is, with opviz watch or a debugger: a thread that blocks in a task keeps its "
                    + "executor from all others"
            case .executor:
                "find what keeps the executor: opviz explain says who had it"
            case .awaiting: "find what it awaits, and who should have ended that"
            }
        }
    }

    /// Reports the tasks that others wait for in the end.
    ///
    /// - Parameter isMeant: whether the rule is about that one; sleeping tasks and circles are left out.
    static func check(
        _ context: HazardContext, _ findings: inout HazardCollector,
        _ isMeant: (TaskStandstills.Standstill) -> Bool,
        advice: (TaskStandstills.Standstill) -> String
    ) {
        guard let tasks = context.tasks else { return }
        let meant = tasks.standstills.all.filter { !$0.isCircle && isMeant($0) && !$0.isSleep }
        for standstill in meant {
            let lasted = max(0, tasks.tasks.end - standstill.since)
            guard lasted >= UnfinishedReport.shortest else { continue }
            if let incompleteness = context.incompleteness {
                let unfinished = Prose.counted(tasks.standstills.open.count, "task")
                return findings.cannotDecide("\(unfinished) without an end in the log, but \(incompleteness)")
            }
            let task = standstill.tasks[0]
            let severity = severity(standstill, lasted, tasks)
            if severity == .note, tasks.isCutOff(task) {
                // A warning of `outlives-scope`.
                continue
            }
            findings.report(severity, tasks.kind(task), cost: severity == .note ? nil : lasted) {
                HazardFinding(
                    severity, [tasks.operation(task)], tasks.text.sentence(standstill),
                    evidence: evidence(standstill, tasks), cost: severity == .note ? nil : lasted,
                    advice: severity == .note
                        ? "nothing, unless it should have finished earlier: the trace shows only "
                            + "how far it came"
                        : advice(standstill))
            }
        }
    }

    /// A program that was ended may have been in the middle of its work.
    private static func severity(
        _ standstill: TaskStandstills.Standstill, _ lasted: Int64, _ tasks: TaskHazards
    ) -> HazardSeverity {
        let task = standstill.tasks[0]
        if tasks.tasks.isProvenLost(task) { return .error }
        if standstill.waiting == 0 || tasks.isLoop(task) { return .note }
        let isLong = lasted >= UnfinishedReport.longExecution || lasted >= tasks.makespan / 2
        return isLong || tasks.isClosed(task) ? .warning : .note
    }

    private static func evidence(
        _ standstill: TaskStandstills.Standstill, _ tasks: TaskHazards
    ) -> [HazardFinding.Evidence] {
        let task = standstill.tasks[0]
        let name = tasks.name(task)
        let entry = tasks.tasks.entries[task]
        var evidence: [HazardFinding.Evidence] = []
        if let created = entry.created { evidence.append(.init(created, "\(name) was created")) }
        if let cancelled = entry.cancelled { evidence.append(.init(cancelled, "\(name) was cancelled")) }
        let begun =
            switch standstill.state {
            case .running: "began to run"
            case .executor(let executor): "was enqueued, on \(tasks.text.executor(executor))"
            case .awaiting: "was suspended"
            }
        evidence.append(.init(standstill.since, "\(name) \(begun)"))
        if let search = tasks.tasks.searches[Int32(task)] {
            evidence.append(.init(search.time, search.evidence(of: "resume")))
        }
        evidence.append(
            .init(
                tasks.tasks.end,
                tasks.isClosed(task) ? "the log was closed" : "the log ends; it was not closed"))
        return evidence
    }
}

extension TraceTasks.Search {
    /// `a search for what could resume it found nothing`
    func evidence(of verb: String) -> String {
        "a search for what could \(verb) it found \(holder == 0 ? "nothing" : "something")"
    }
}
