import WaitDiagnosis

/// An operation that did not finish while the log went on. Reported once for each operation that others wait
/// for in the end, unless another rule explains it.
enum NeverFinished: HazardRule {
    static let name = "never-finished"
    static let meaning =
        "it was started, cancelled or waited for, but had not finished when the log ended"

    /// In the log of a killed program, an operation that waited for less and had not started is not a
    /// finding. Nanoseconds; 100 ms.
    private static let leastWait: Int64 = 100_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let standstills = context.unfinished.blockers.standstills
        if standstills.isEmpty { return }
        if let incompleteness = context.incompleteness {
            let unfinished = (0..<context.count).count { context.isUnfinished($0) }
            let operations = Prose.counted(unfinished, "operation")
            return findings.cannotDecide("\(operations) without a finish in the log, but \(incompleteness)")
        }
        for standstill in standstills {
            let origins = context.unfinished.operations(standstill.origins)
            guard context.explained.isDisjoint(with: origins) else { continue }
            let severity = severity(standstill, origins[0], context)
            let cost = waited(origins[0], context)
            // It may have been about to be started.
            if severity == .warning, cost < leastWait, !isClosed(origins[0], context) { continue }
            findings.report(severity, context.kind(origins[0]), cost: cost) {
                finding(standstill, origins[0], severity, cost, context)
            }
        }
    }

    /// An operation that no queue has begun may wait on purpose.
    private static func severity(
        _ standstill: Standstill, _ origin: Int, _ context: HazardContext
    ) -> HazardSeverity {
        switch standstill.cause {
        case .deadlock, .executing, .unnotified, .cancelled: .error
        case .suspended, .notAdded, .notReady, .full, .notStarted: .warning
        }
    }

    private static func finding(
        _ standstill: Standstill, _ origin: Int, _ severity: HazardSeverity, _ cost: Int64,
        _ context: HazardContext
    ) -> HazardFinding {
        let others = context.unfinished.operations(standstill.others)
        var summary = context.unfinished.sentence(standstill) + childrenOver(origin, context)
        if case .suspended = standstill.cause {
            summary += "; waiting in it: \(context.waiting(standstill))"
        } else if standstill.waiting > 0 {
            summary += severity == .error ? "; stuck behind it: " : "; and with it: "
            summary += context.waiting(standstill)
        }
        return HazardFinding(
            severity, [origin] + others.prefix(20), summary,
            evidence: evidence(standstill, origin, context), cost: cost,
            advice: StandstillText.advice(standstill.cause))
    }

    private static func evidence(
        _ standstill: Standstill, _ origin: Int, _ context: HazardContext
    ) -> [HazardFinding.Evidence] {
        var evidence = context.events(origin, .enqueued)
        if context.executing.isKnown(origin) { evidence += context.events(origin, .executing) }
        if context.cancelled.isKnown(origin) { evidence += context.events(origin, .cancelled) }
        if let ended = context.bodyEnded[origin] {
            evidence.append(.init(ended, "\(context.name(origin)) left its body"))
        }
        if let mark = context.trace.marks.last(where: { $0.operation == origin }) {
            let text = TerminalText.shortened(mark.text, toColumns: 60)
            evidence.append(.init(TraceMoment.bounded(mark.time), "\(context.name(origin)) said: \(text)"))
        }
        if case .suspended(let queue) = standstill.cause,
            let since = context.trace.queues[queue].suspensions.last?.lowerBound
        {
            evidence.append(.init(TraceMoment.bounded(since), "\(context.queueName(queue)) was suspended"))
        }
        if standstill.cause == .unnotified, let asked = context.trace.operations[origin].unnotifiedFinish {
            evidence.append(
                .init(
                    TraceMoment.bounded(asked.notAfter),
                    "\(context.name(origin)) answered true to isFinished, but did not notify its queue"))
        }
        evidence.append(
            .init(
                context.end,
                isClosed(origin, context) ? "the log was closed" : "the log ends; it was not closed"))
        return evidence
    }

    /// Whether it has no known reason to wait: its children have all finished.
    private static func childrenOver(_ operation: Int, _ context: HazardContext) -> String {
        let children = context.children[operation]
        guard context.executing.isKnown(operation), !children.isEmpty,
            children.allSatisfy({ context.finished.isKnown($0) })
        else { return "" }
        return children.count == 1
            ? ", though its child has finished"
            : ", though its \(Prose.grouped(children.count)) children have finished"
    }

    private static func isClosed(_ operation: Int, _ context: HazardContext) -> Bool {
        context.trace.processes[context.trace.operations[operation].process].isClosed
    }

    /// The time since it started; or since it was enqueued, if it did not start.
    private static func waited(_ operation: Int, _ context: HazardContext) -> Int64 {
        let since = context.executing[operation] ?? context.enqueued[operation] ?? context.end
        return max(0, context.end - since)
    }
}
