import InspectorColumns

/// An operation of high priority that waited for operations of lower priority: for their slots, or for a
/// dependency.
enum PriorityInversion: HazardRule {
    static let name = "priority-inversion"
    static let meaning =
        "it waited for slots taken by lower priorities, or for a dependency of lower priority"

    /// `Operation.QueuePriority` ranges from -8 to 8; other values are clamped.
    private static let levels = 17

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        // If all operations have the default priority, the column is empty.
        guard context.priorities.values.contains(where: { $0 != 0 }) else { return }
        let least = context.leastPriorityWait
        for queue in context.trace.queues.indices
        where context.trace.queues[queue].limits.last?.limit ?? -1 > 0 {
            checkSlots(of: queue, least, context, &findings)
        }
        for edge in context.edges where context.priority(edge.predecessor) < context.priority(edge.successor)
        {
            guard let waits = context.waits[edge.predecessor], waits.slot >= least,
                let dependency = context.waits[edge.successor]?.dependency, dependency >= waits.slot
            else { continue }
            let severity = context.severity(ofCost: waits.slot)
            findings.report(severity, context.kind(edge.successor), cost: waits.slot) {
                behind(edge, waits.slot, severity, context)
            }
        }
    }

    private static func level(_ operation: Int, _ context: HazardContext) -> Int {
        min(max(context.priority(operation), -8), 8) + 8
    }

    /// Goes through the queue by time, and counts executing operations by priority.
    private static func checkSlots(
        of queue: Int, _ least: Int64, _ context: HazardContext, _ findings: inout HazardCollector
    ) {
        let members = context.members[queue]
        let waiting = members.filter {
            context.ready.isKnown($0) && context.waits[$0]?.slot ?? 0 >= least
        }
        if waiting.isEmpty { return }
        // Among simultaneous events, ends come first, and becoming ready comes last.
        let executed = members.filter { context.executing.isKnown($0) }
        var changes: [(time: Int64, rank: Int, operation: Int)] = executed.map {
            (max(context.lastMoment($0), context.executing.notAfter($0)), 0, $0)
        }
        changes += executed.map { (context.executing.notAfter($0), 1, $0) }
        changes += waiting.map { (context.ready.notAfter($0), 2, $0) }
        changes = changes.sortedByDigits(\.time)
        var executing = Array(repeating: 0, count: levels)
        for (_, rank, operation) in changes {
            let level = level(operation, context)
            switch rank {
            case 0: executing[level] -= 1
            case 1: executing[level] += 1
            default:
                guard executing[level...].allSatisfy({ $0 <= 0 }),
                    executing[..<level].contains(where: { $0 > 0 })
                else { continue }
                let slot = context.waits[operation]?.slot ?? 0
                let lower = executing[..<level].reduce(0) { $0 + max(0, $1) }
                let severity = context.severity(ofCost: slot)
                findings.report(severity, context.kind(operation), cost: slot) {
                    HazardFinding(
                        severity, [operation],
                        "\(context.name(operation)) (priority \(context.priority(operation))) waited "
                            + "\(DurationFormat.text(nanoseconds: slot)) for a slot of "
                            + "\(context.queueName(queue)), while lower priorities had them all (\(lower))",
                        evidence: context.events(operation, .ready, .executing), cost: slot,
                        advice:
                            "priority only orders waiting operations: give urgent work a queue of its own, "
                            + "or split the long operations"
                    )
                }
            }
        }
    }

    private static func behind(
        _ edge: Trace.Edge, _ slot: Int64, _ severity: HazardSeverity, _ context: HazardContext
    ) -> HazardFinding {
        let (first, second) = (edge.predecessor, edge.successor)
        return HazardFinding(
            severity, [second, first],
            "\(context.name(second)) (priority \(context.priority(second))) depends on "
                + "\(context.name(first)) (priority \(context.priority(first))), which waited "
                + "\(DurationFormat.text(nanoseconds: slot)) for a slot",
            evidence: context.events(first, .ready, .executing, .finished)
                + context.events(second, .executing),
            cost: slot,
            advice: "give what an urgent operation depends on the same priority; queues do not pass it on")
    }
}
