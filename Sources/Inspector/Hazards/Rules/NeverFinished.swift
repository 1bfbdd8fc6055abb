/// An operation that did not finish while the log went on, told once for each that the others wait for in the end.
enum NeverFinished: HazardRule {
    static let name = "never-finished"
    static let meaning =
        "it was started or cancelled, or others waited for it, and it had not finished at the end"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let unfinished = (0..<context.count).filter { context.isUnfinished($0) }
        if unfinished.isEmpty { return }
        if let incompleteness = context.incompleteness {
            let operations = Prose.counted(unfinished.count, "operation")
            return findings.cannotDecide("\(operations) without a finish in the log, but \(incompleteness)")
        }
        let blockers = context.blockers
        var roots = blockers.roots(of: unfinished)
        gatherByQueue(&roots, unfinished, blockers, context)
        // Those behind an origin, and the origin itself where it was enqueued; the origins that hold up the most come first.
        let behind = Adjacency(owners: context.count, ownerOfOperation: roots)
        let origins = roots.indices.filter { !behind[$0].isEmpty }
            .map { (origin: $0, waiting: behind[$0].count) }
            .sortedByDigits { -Int64($0.waiting) }
            .map(\.origin)
        let report = UnfinishedReport(context.trace, context.waits, end: context.end)
        for origin in origins {
            let severity: HazardSeverity =
                hasBegun(origin, context) || blockers[origin] != nil ? .error : .warning
            let cost = waited(origin, context)
            findings.report(severity, context.kind(origin), cost: cost) {
                let isLimbo =
                    context.cancelled.isKnown(origin) && !context.executing.isKnown(origin)
                    && blockers[origin] == nil
                let reason =
                    isLimbo
                    ? " was cancelled before its start, and never finished"
                    : report.reason(from: origin, blockers) { context.certainBlockers }
                return finding(
                    origin, behind: behind[origin].filter { $0 != origin }, severity, cost, reason: reason,
                    isUnnotified: report.isUnnotified(origin), context)
            }
        }
    }

    private static func hasBegun(_ operation: Int, _ context: HazardContext) -> Bool {
        context.executing.isKnown(operation) || context.cancelled.isKnown(operation)
    }

    /// Of the operations of one queue that wait for nothing that is known, and were never started, one stands for all: the
    /// first that was cancelled, which may have the slot, or else the first.
    private static func gatherByQueue(
        _ roots: inout [Int], _ unfinished: [Int], _ blockers: Blockers, _ context: HazardContext
    ) {
        var first = Array(repeating: -1, count: context.trace.queues.count)
        let idle = unfinished.filter {
            roots[$0] == $0 && blockers[$0] == nil && context.queue[$0] >= 0
                && !context.executing.isKnown($0)
        }
        for operation in idle
        where context.cancelled.isKnown(operation) && first[context.queue[operation]] < 0 {
            first[context.queue[operation]] = operation
        }
        for operation in idle where first[context.queue[operation]] < 0 {
            first[context.queue[operation]] = operation
        }
        var moved = Array(0..<context.count)
        for operation in idle where !context.cancelled.isKnown(operation) {
            moved[operation] = first[context.queue[operation]]
        }
        for operation in unfinished { roots[operation] = moved[roots[operation]] }
    }

    private static func finding(
        _ origin: Int, behind: [Int], _ severity: HazardSeverity, _ cost: Int64, reason: String,
        isUnnotified: Bool, _ context: HazardContext
    ) -> HazardFinding {
        var summary = "\(context.name(origin))\(reason)\(childrenOver(origin, context))"
        if !behind.isEmpty {
            summary +=
                "; \(severity == .error ? "stuck behind it" : "and with it"): \(Prose.counted(behind.count, "operation")) "
                + "(\(context.names(behind)))"
        }
        var evidence = context.events(origin, .enqueued)
        if context.executing.isKnown(origin) { evidence += context.events(origin, .executing) }
        if context.cancelled.isKnown(origin) { evidence += context.events(origin, .cancelled) }
        if let ended = context.bodyEnded[origin] {
            evidence.append(.init(ended, "\(context.name(origin)) left its body"))
        }
        if let mark = context.trace.marks.last(where: { $0.operation == origin }) {
            let text = TerminalText.shortened(mark.text, toColumns: 60)
            evidence.append(.init(Lifeline.bounded(mark.time), "\(context.name(origin)) said: \(text)"))
        }
        if isUnnotified, let asked = context.trace.operations[origin].unnotifiedFinish {
            evidence.append(
                .init(
                    Lifeline.bounded(asked.notAfter),
                    "\(context.name(origin)) was asked, and said isFinished; its queue was not told"))
        }
        evidence.append(
            .init(
                context.end,
                context.trace.processes[context.trace.operations[origin].process].isClosed
                    ? "the log was closed" : "the process was last known alive; it was killed, or runs on"))
        return HazardFinding(
            severity, [origin] + behind.prefix(20), summary, evidence: evidence, cost: cost,
            advice: isUnnotified ? notifying : advice(origin, context))
    }

    /// That it waits for nothing that is known: its children have all finished.
    private static func childrenOver(_ operation: Int, _ context: HazardContext) -> String {
        let children = context.children[operation]
        guard context.executing.isKnown(operation), !children.isEmpty,
            children.allSatisfy({ context.finished.isKnown($0) })
        else { return "" }
        return children.count == 1
            ? ", though its child has finished" : ", though its \(children.count) children have finished"
    }

    /// Since it started or, where it did not, since it was enqueued.
    private static func waited(_ operation: Int, _ context: HazardContext) -> Int64 {
        let since = context.executing[operation] ?? context.enqueued[operation] ?? context.end
        return max(0, context.end - since)
    }

    private static let notifying =
        "call willChangeValue and didChangeValue for isFinished around the change; where isFinished is computed from other values, when those change"

    private static func advice(_ operation: Int, _ context: HazardContext) -> String {
        if context.blockers[operation] != nil {
            return "break the circle: one of these must not wait for the next"
        }
        if context.executing.isKnown(operation) {
            return
                "see that every way through it ends in finish(), failures and cancellation included, or give it a timeout"
        }
        if context.cancelled.isKnown(operation) {
            return "let start() finish an operation that was cancelled before it"
        }
        if !context.enqueued.isKnown(operation) {
            return "add it to a queue, or remove the dependency on it"
        }
        return "see who was to let it start: its queue may be suspended, full, or never told that it is ready"
    }
}
