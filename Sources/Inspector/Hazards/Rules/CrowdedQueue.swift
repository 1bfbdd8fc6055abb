import InspectorColumns

/// A queue with many operations that wait for dependencies while a slot is free. Foundation on Linux checks
/// each waiting operation whenever one is added, becomes ready or finishes.
enum CrowdedQueue: HazardRule {
    static let name = "crowded-queue"
    static let meaning =
        "many operations waited in one queue, which scans them all whenever one of them changes"

    /// Nanoseconds for one check of one waiting operation. Chains of 1,000, 4,000 and 16,000 operations take
    /// 0.2, 0.8 and 3.2 ms an operation, with 1.5 checks of each other operation, on 2 cores of x86-64 with
    /// Swift 6.3.
    private static let costOfALook: Int64 = 130
    /// Checks that take less time in total are not reported, in nanoseconds: 200 ms, and a twentieth of the
    /// makespan.
    private static let leastCost: Int64 = 200_000_000
    private static let leastPart: Int64 = 20

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for queue in context.trace.queues.indices {
            var crowd = Crowd()
            crowd.count(queue, context)
            let cost = crowd.cost(ofALook: costOfALook)
            guard cost >= max(leastCost, context.makespan / leastPart) else { continue }
            let bounded = min(cost, context.makespan)
            let severity = context.severity(ofCost: bounded)
            findings.report(severity, .queue(queue), cost: bounded) {
                finding(queue, crowd, bounded, severity, context)
            }
        }
    }

    private static func finding(
        _ queue: Int, _ crowd: Crowd, _ cost: Int64, _ severity: HazardSeverity, _ context: HazardContext
    ) -> HazardFinding {
        let (name, most) = (context.queueName(queue), Prose.grouped(crowd.most))
        return HazardFinding(
            severity, [],
            "up to \(most) operations waited for dependencies in \(name), which had free slots; on Linux, "
                + "Foundation scans them all whenever an operation is added, becomes ready or finishes: "
                + "about \(DurationFormat.text(nanoseconds: cost)) in all",
            evidence: [.init(crowd.when, "\(most) operations wait in \(name)")], cost: cost,
            advice: advice(queue, crowd, context))
    }

    private static func advice(_ queue: Int, _ crowd: Crowd, _ context: HazardContext) -> String {
        let limit = context.trace.queues[queue].limits.last?.limit ?? -1
        let others =
            "add operations when their dependencies are about to finish, or split the queue: each group "
            + "has its own"
        if crowd.mostExecuting <= 1, limit != 1 {
            return
                "set maxConcurrentOperationCount to 1: the operations ran one at a time anyway, their order "
                + "stays the same, and a queue scans only while a slot is free"
        }
        if limit < 0 || limit > crowd.mostExecuting {
            return
                "set maxConcurrentOperationCount to what the work needs (up to \(crowd.mostExecuting) "
                + "executed at once): a queue scans only while a slot is free. Or \(others)"
        }
        return others
    }
}

/// How often one queue checks operations that wait for dependencies.
private struct Crowd {
    private enum Change { case ended, becameReady, started, added }

    /// Checks at finishes and when operations become ready.
    private var looks: Int64 = 0
    /// Checks at additions: their number, and the time until the next addition, which began after them.
    private var additions: [(looks: Int64, gap: Int64)] = []
    private(set) var most = 0
    private(set) var when: Int64 = 0
    private(set) var mostExecuting = 0

    /// Cost: linear in the operations of the queue.
    mutating func count(_ queue: Int, _ context: HazardContext) {
        let members = Array(context.members[queue].filter { context.enqueued.isKnown($0) })
        let waits = members.map { Self.wait(of: $0, context) }
        // Nothing waits, so there is nothing to check.
        guard waits.contains(where: { $0 != nil }) else { return }
        // Among simultaneous events, ends come first, and additions last.
        var changes: [(time: Int64, change: Change, isMeant: Bool)] = []
        changes.reserveCapacity(4 * waits.count)
        for member in members where context.finished.isKnown(member) {
            changes.append((context.lastMoment(member), .ended, context.executing.isKnown(member)))
        }
        for wait in waits {
            if let wait { changes.append((wait.upperBound, .becameReady, true)) }
        }
        for (member, wait) in zip(members, waits) where context.executing.isKnown(member) {
            let start = context.executing.notAfter(member)
            changes.append((max(wait?.upperBound ?? start, start), .started, false))
        }
        for (member, wait) in zip(members, waits) {
            changes.append((context.enqueued.notAfter(member), .added, wait != nil))
        }
        let limits = context.trace.queues[queue].limits.map(\.limit)
        // The queue's largest limit: with fewer slots, it checks less often.
        let slots = limits.contains { $0 < 0 } ? nil : limits.max()
        for (time, change, isMeant) in changes.sortedByDigits(\.time) {
            take(change, isMeant, at: time, slots: slots ?? .max)
        }
    }

    /// When the operation waited for dependencies.
    private static func wait(of operation: Int, _ context: HazardContext) -> Range<Int64>? {
        if context.predecessors[operation].isEmpty { return nil }
        let enqueued = context.enqueued.notAfter(operation)
        let until = min(context.ready.notBefore(operation), context.lastMoment(operation))
        return enqueued < until ? enqueued..<until : nil
    }

    private var waiting = 0
    /// Operations that execute, or would with a free slot.
    private var unfinished = 0
    private var executing = 0
    private var lastAddition: Int64?

    /// - Parameter isMeant: whether an ending operation has executed, or an added one waits.
    private mutating func take(_ change: Change, _ isMeant: Bool, at time: Int64, slots: Int) {
        var needed = 0
        switch change {
        case .ended:
            unfinished -= 1
            if isMeant { executing -= 1 }
            // An operation that this makes ready takes the slot before the queue checks.
            needed = 1
        case .becameReady:
            waiting -= 1
            unfinished += 1
        case .started:
            executing += 1
            mostExecuting = max(mostExecuting, executing)
            return
        case .added:
            if let lastAddition { additions[additions.count - 1].gap = time - lastAddition }
            lastAddition = time
            additions.append((0, 0))
            if !isMeant { unfinished += 1 }
        }
        // Without a free slot, a queue does not check.
        if unfinished < slots - needed, waiting > 0 {
            if change == .added {
                additions[additions.count - 1].looks = Int64(waiting)
            } else {
                looks = looks.saturatingAdd(Int64(waiting))
            }
            if waiting > most { (most, when) = (waiting, time) }
        }
        if change == .added, isMeant { waiting += 1 }
    }

    /// Operations that are added in one call are checked once: additions cost at most the time between them.
    func cost(ofALook nanoseconds: Int64) -> Int64 {
        func cost(_ looks: Int64) -> Int64 {
            let (cost, overflow) = looks.multipliedReportingOverflow(by: nanoseconds)
            return overflow ? .max : cost
        }
        return additions.reduce(cost(looks)) { $0.saturatingAdd(min(cost($1.looks), $1.gap)) }
    }
}
