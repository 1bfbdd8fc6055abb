import InspectorColumns

/// Operations that were blocked in a slot while others of their queue waited for one.
enum BlockedSlot: HazardRule {
    static let name = "blocked-slot"
    static let meaning = "it was blocked, and kept a slot that others waited for"

    /// Shorter times are not reported, in nanoseconds: 200 ms, and a tenth of the makespan.
    private static let leastTime: Int64 = 200_000_000
    private static let leastPart: Int64 = 10
    /// How often a blocked time that is estimated must contain the time that may not belong to it.
    private static let leastCertainty: Int64 = 10

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let least = max(leastTime, context.makespan / leastPart)
        guard let use = context.processorUse else {
            context.lackOfProcessorTimes(ifExecutedFor: least).map { findings.cannotDecide($0) }
            return
        }
        for queue in context.trace.queues.indices {
            let limits = context.queueLimits[queue]
            guard let slots = limits.max(), limits.allSatisfy({ $0 > 0 }) else { continue }
            let waiting = waitingForSlots(queue, context)
            guard !waiting.isEmpty else { continue }
            for holders in holders(queue, SuspendedTime(waiting), use, context) {
                // Each of them could have given its slot to another only for its own part of the time.
                let cost = holders.blockedWhileWaiting / Int64(slots)
                guard cost >= least, holders.parts.blocked >= holders.parts.onCPU else { continue }
                findings.report(.note, context.kind(holders.operations[0]), cost: cost) {
                    finding(holders, queue, slots, cost, context)
                }
            }
        }
    }

    /// Operations of one kind in one queue.
    private struct Holders {
        var operations: [Int] = []
        var parts = ExecutionParts()
        var blockedWhileWaiting: Int64 = 0
    }

    /// When operations of the queue waited for a slot.
    private static func waitingForSlots(_ queue: Int, _ context: HazardContext) -> [Range<Int64>] {
        context.members[queue].compactMap { member in
            guard let waits = context.waits[member], waits.slot > 0, waits.suspended == 0,
                let ready = context.ready[member]
            else { return nil }
            return ready..<ready + waits.slot
        }
    }

    /// By kind, in the order of the first operation that was blocked.
    private static func holders(
        _ queue: Int, _ waiting: SuspendedTime, _ use: ProcessorUse, _ context: HazardContext
    ) -> [Holders] {
        var places: [Int32: Int] = [:]
        var holders: [Holders] = []
        let kinds = context.trace.operations.store.columns.kinds
        for member in context.members[queue] {
            // Of one that hangs, the cost would be how long somebody waited before ending the program.
            guard context.finished.isKnown(member), let start = context.executing[member],
                var parts = use.parts(of: member)
            else { continue }
            guard parts.isExact || parts.waitingForCPU <= parts.blocked / leastCertainty else { continue }
            let end = start.saturatingAdd(parts.total)
            // Threads that calculated for it would not have been faster in another slot.
            if let work = context.delegatedWork, parts.blocked > 0 {
                let delegated = min(parts.blocked, work.share(of: member, in: [.blocked], use).time)
                parts.blocked -= delegated
                parts.onCPU += delegated
            }
            let others = waiting.upTo(end) - waiting.upTo(start)
            // It may have been blocked mainly while nobody waited. At least this much of it was not.
            let certain = max(0, parts.blocked - (parts.total - others))
            let place = places[kinds[member]] ?? holders.count
            if place == holders.count {
                places[kinds[member]] = place
                holders.append(Holders())
            }
            holders[place].parts = holders[place].parts + parts
            guard certain > 0 else { continue }
            holders[place].operations.append(member)
            holders[place].blockedWhileWaiting = holders[place].blockedWhileWaiting.saturatingAdd(certain)
        }
        return holders.filter { !$0.operations.isEmpty }
    }

    private static func finding(
        _ holders: Holders, _ queue: Int, _ slots: Int, _ cost: Int64, _ context: HazardContext
    ) -> HazardFinding {
        let blocked = DurationFormat.text(nanoseconds: holders.parts.blocked)
        let name = context.name(holders.operations[0])
        let others = holders.operations.count - 1
        let who = others == 0 ? name : "\(name) and \(Prose.counted(others, "other"))"
        let taken = slots == 1 ? "its only slot" : "its \(Prose.grouped(slots)) slots"
        return HazardFinding(
            .note, Array(holders.operations.prefix(20)),
            "\(who) of \(context.queueName(queue)) \(others == 0 ? "was" : "were") blocked for \(blocked), "
                + "while others waited for \(taken)",
            evidence: holders.operations.prefix(3).flatMap { context.events($0, .executing, .finished) },
            cost: cost,
            advice:
                "wait without a thread, in a TaskOperation or an AsynchronousOperation; then raise the limit "
                + "of the queue")
    }
}
