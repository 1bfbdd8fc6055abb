import InspectorColumns

/// An operation of high priority that waited while operations of lower priority had every slot: because it
/// waited for one itself, or because a dependency did.
///
/// Only that time counts, not the rest of the wait, in which operations of the same or of higher priority had
/// a slot.
enum PriorityInversion: HazardRule {
    static let name = "priority-inversion"
    static let meaning =
        "it, or a dependency of lower priority, waited while lower priorities had every slot"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        checkOperations(context, &findings)
        if let tasks = context.tasks { check(tasks, &findings) }
    }

    /// Swift tasks that waited for an actor while a task of lower priority had it. The runtime raises the
    /// priority of that task meanwhile, but lets it end.
    private static func check(_ tasks: TaskHazards, _ findings: inout HazardCollector) {
        let entries = tasks.tasks.entries
        guard let waits = TaskWaits(tasks.trace, tasks.timings.transitions),
            let lowest = entries.map(\.priority).min(), entries.contains(where: { $0.priority > lowest })
        else { return }
        let least = HazardContext.leastPriorityWait(in: tasks.makespan)
        for (task, entry) in entries.enumerated() where entry.priority > lowest {
            waits.forEach(of: task) { wait in
                guard wait.reason == .actorHeld, let holder = tasks.trace.task(wait.operation),
                    entries[holder].priority < entry.priority,
                    case let held = wait.moment - wait.start, held >= least
                else { return }
                let severity = tasks.severity(ofCost: held)
                findings.report(severity, tasks.kind(task), cost: held) {
                    let (name, other) = (tasks.name(task), tasks.name(holder))
                    return HazardFinding(
                        severity, [tasks.operation(task), wait.operation],
                        "\(name) (priority \(entry.priority)) waited "
                            + "\(DurationFormat.text(nanoseconds: held)) for an actor that \(other) "
                            + "(priority "
                            + "\(entries[holder].priority)) had",
                        evidence: [
                            .init(wait.start, "\(name) was enqueued on the actor"),
                            .init(wait.moment, "\(other) left it"),
                        ],
                        cost: held,
                        advice:
                            "let urgent and other work share no actor, or keep the time short for which one "
                            + "task has it")
                }
            }
        }
    }

    private static func checkOperations(_ context: HazardContext, _ findings: inout HazardCollector) {
        // If all operations have the default priority, the column is empty.
        guard context.priorities.values.contains(where: { $0 != 0 }) else { return }
        var search = InversionSearch(context)
        for queue in context.trace.queues.indices {
            let waiting: [Int] = context.members[queue].filter {
                context.ready.isKnown($0) && context.waits[$0]?.slot ?? 0 >= search.least
            }
            for operation in waiting.sortedByDigits({ context.ready.notAfter($0) }) {
                search.checkSlot(of: operation, &findings)
            }
        }
        for edge in context.edges where context.priority(edge.predecessor) < context.priority(edge.successor)
        {
            search.check(edge, &findings)
        }
    }
}

private struct InversionSearch {
    private struct Place: Hashable {
        let queue: Int
        let level: Int
    }

    let least: Int64
    private let context: HazardContext
    private var heldSlots: [Place: HeldSlots] = [:]
    /// By successor: when the last of its dependencies finished.
    private var lastFinishes: [Int: Int64] = [:]

    init(_ context: HazardContext) {
        self.context = context
        least = context.leastPriorityWait
    }

    mutating func checkSlot(of operation: Int, _ findings: inout HazardCollector) {
        guard let slot = context.waits[operation]?.slot, slot >= least else { return }
        let held = min(
            slot,
            heldSlots(below: operation, in: context.queue[operation]).time(
                from: context.ready.notAfter(operation), to: endOfSlotWait(operation)))
        guard held >= least else { return }
        let severity = context.severity(ofCost: held)
        findings.report(severity, context.kind(operation), cost: held) {
            HazardFinding(
                severity, [operation],
                "\(context.name(operation)) (priority \(context.priority(operation))) waited "
                    + wait(of: operation, slot, held, "lower priorities had every slot"),
                evidence: context.events(operation, .ready, .executing), cost: held,
                advice:
                    "priority only orders waiting operations: give urgent work a queue of its own, "
                    + "or split the long operations"
            )
        }
    }

    mutating func check(_ edge: Trace.Edge, _ findings: inout HazardCollector) {
        let (first, second) = (edge.predecessor, edge.successor)
        guard let slot = context.waits[first]?.slot, slot >= least,
            let dependency = context.waits[second]?.dependency, dependency >= least,
            // Otherwise it waited for another dependency anyway.
            context.finished.notAfter(first) >= lastFinish(before: second)
        else { return }
        let held = min(
            slot, dependency,
            heldSlots(below: second, in: context.queue[first]).time(
                from: max(context.ready.notAfter(first), context.enqueued.notAfter(second)),
                to: min(endOfSlotWait(first), context.ready.notBefore(second))))
        guard held >= least else { return }
        let severity = context.severity(ofCost: held)
        findings.report(severity, context.kind(second), cost: held) {
            let (name, priority) = (context.name(second), context.priority(second))
            return HazardFinding(
                severity, [second, first],
                "\(name) (priority \(priority)) depends on \(context.name(first)) "
                    + "(priority \(context.priority(first))), which waited "
                    + wait(
                        of: first, slot, held,
                        "\(name) waited for it, and priorities below \(priority) had every slot"),
                evidence: context.events(first, .ready, .executing, .finished)
                    + context.events(second, .enqueued, .executing),
                cost: held,
                advice:
                    "give what an urgent operation depends on the same priority; queues do not pass it on")
        }
    }

    /// `399 ms for a slot of queue main; for 300 ms of it, lower priorities had every slot`
    private func wait(of operation: Int, _ slot: Int64, _ held: Int64, _ meanwhile: String) -> String {
        let (all, part) = (DurationFormat.text(nanoseconds: slot), DurationFormat.text(nanoseconds: held))
        return "\(all) for a slot of \(context.queueName(context.queue[operation]))"
            + (all == part ? ", while \(meanwhile)" : "; for \(part) of it, \(meanwhile)")
    }

    /// When the operation got a slot, or until when it waited for one.
    private func endOfSlotWait(_ operation: Int) -> Int64 {
        let free = context.waits.slotFree(of: operation) ?? context.end
        return min(
            free, context.executing.notBefore(operation), context.finished.notBefore(operation),
            context.lastMoment(operation))
    }

    private mutating func lastFinish(before successor: Int) -> Int64 {
        if let time = lastFinishes[successor] { return time }
        let finished = context.finished
        let time = context.predecessors[successor].map { finished.notAfter($0) }.max() ?? .min
        lastFinishes[successor] = time
        return time
    }

    private mutating func heldSlots(below operation: Int, in queue: Int) -> HeldSlots {
        let place = Place(queue: queue, level: HeldSlots.level(operation, context))
        if let slots = heldSlots[place] { return slots }
        let slots = HeldSlots(of: queue, context) { [context] in
            HeldSlots.level($0, context) < place.level
        }
        heldSlots[place] = slots
        return slots
    }
}
