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
        for (queue, crowd) in crowds(context).enumerated() {
            guard crowd.cost >= max(leastCost, context.makespan / leastPart) else { continue }
            let bounded = min(crowd.cost, context.makespan)
            let severity = context.severity(ofCost: bounded)
            findings.report(severity, .queue(queue), cost: bounded) {
                finding(queue, crowd, bounded, severity, context)
            }
        }
    }

    /// For each queue. Linear in operations, but for sorting.
    private static func crowds(_ context: HazardContext) -> [Crowd] {
        var crowds = context.trace.queues.map { queue in
            let limits = queue.limits.map(\.limit)
            // The queue's largest limit: with fewer slots, it checks less often.
            let slots = limits.contains { $0 < 0 } ? nil : limits.max()
            return Crowd(slots: slots ?? .max, costOfALook: costOfALook)
        }
        var waits: [Int64] = Array(repeating: .min, count: context.count)
        var ready: [MomentOrders.Moment] = []
        let order = context.orders
        var depends = Array(repeating: false, count: context.count)
        for edge in context.edges { depends[edge.successor] = true }
        for moment in order.added where depends[moment.index] {
            guard let until = endOfWait(moment.index, context) else { continue }
            waits[moment.index] = until
            ready.append(MomentOrders.Moment(time: until, index: moment.index))
        }
        // Nothing waits, so there is nothing to check.
        if ready.isEmpty { return [] }
        let started = order.started.map { moment in
            MomentOrders.Moment(time: max(waits[moment.index], moment.time), index: moment.index)
        }
        // Among simultaneous events, ends come first, and additions last.
        let lists = [order.ended, ready.sortedByDigits(\.time), started.sortedByDigits(\.time), order.added]
        MomentOrders.merge(lists) { list, moment in
            let queue = context.queue[moment.index]
            guard queue >= 0 else { return }
            switch list {
            case 0:
                guard context.finished.isKnown(moment.index) else { return }
                crowds[queue].end(hasExecuted: context.executing.isKnown(moment.index))
                crowds[queue].check(at: moment.time, free: 1)
            case 1:
                crowds[queue].becomeReady()
                crowds[queue].check(at: moment.time)
            case 2: crowds[queue].start()
            default: crowds[queue].add(at: moment.time, waits: waits[moment.index] != .min)
            }
        }
        return crowds
    }

    /// When an operation with dependencies no longer waited for them; nil if it never did.
    private static func endOfWait(_ operation: Int, _ context: HazardContext) -> Int64? {
        let until = min(context.ready.notBefore(operation), context.lastMoment(operation))
        return context.enqueued.notAfter(operation) < until ? until : nil
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
    /// `Int.max` for no limit.
    private let slots: Int
    /// Nanoseconds.
    private let costOfALook: Int64
    /// Of all checks so far, but for those of the last addition. Operations that are added in one call are
    /// checked once: additions cost at most the time until the next one.
    private(set) var cost: Int64 = 0
    private(set) var most = 0
    private(set) var when: Int64 = 0
    private(set) var mostExecuting = 0

    private var waiting = 0
    /// Operations that execute, or would with a free slot.
    private var unfinished = 0
    private var executing = 0
    private var lastAddition: (time: Int64, cost: Int64)?

    init(slots: Int, costOfALook: Int64) {
        self.slots = slots
        self.costOfALook = costOfALook
    }

    mutating func end(hasExecuted: Bool) {
        unfinished -= 1
        if hasExecuted { executing -= 1 }
    }

    mutating func becomeReady() {
        waiting -= 1
        unfinished += 1
    }

    mutating func start() {
        executing += 1
        mostExecuting = max(mostExecuting, executing)
    }

    mutating func add(at time: Int64, waits: Bool) {
        if let lastAddition {
            cost = cost.saturatingAdd(min(lastAddition.cost, time - lastAddition.time))
        }
        if !waits { unfinished += 1 }
        lastAddition = (time, costOfACheck(at: time))
        if waits { waiting += 1 }
    }

    /// - Parameter free: how many slots must be free besides: an operation that an end makes ready takes the
    ///   slot before the queue checks.
    mutating func check(at time: Int64, free: Int = 0) {
        cost = cost.saturatingAdd(costOfACheck(at: time, free: free))
    }

    /// Without a free slot, a queue does not check.
    private mutating func costOfACheck(at time: Int64, free: Int = 0) -> Int64 {
        guard unfinished < slots - free, waiting > 0 else { return 0 }
        if waiting > most { (most, when) = (waiting, time) }
        let (cost, overflow) = Int64(waiting).multipliedReportingOverflow(by: costOfALook)
        return overflow ? .max : cost
    }
}
