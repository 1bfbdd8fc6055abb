/// A queue with many operations that wait for dependencies while others finish: on Linux, Foundation looks at each of those
/// that wait, at every finish.
enum CrowdedQueue: HazardRule {
    static let name = "crowded-queue"
    static let meaning =
        "many operations waited in one queue while others finished, and each finish looked at them all"

    /// Nanoseconds that one look at one waiting operation takes: chains of 1,000, 4,000 and 16,000 operations take 0.2, 0.8
    /// and 3.2 ms an operation, on 2 cores of x86-64 with Swift 6.3.
    private static let costOfALook: Int64 = 200
    /// Looks that take less together are not worth a word, in nanoseconds: 200 ms, and one part in twenty of the makespan.
    private static let leastCost: Int64 = 200_000_000
    private static let leastPart: Int64 = 20

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for queue in context.trace.queues.indices {
            let (looks, most, when) = looks(queue, context)
            let (cost, overflow) = looks.multipliedReportingOverflow(by: costOfALook)
            guard overflow || cost >= max(leastCost, context.makespan / leastPart) else { continue }
            let bounded = overflow ? context.makespan : min(cost, context.makespan)
            findings.report(.warning, .queue(queue), cost: bounded) {
                HazardFinding(
                    .warning, [],
                    "up to \(most) operations waited for dependencies in \(context.queueName(queue)) while others finished; on Linux each finish looks at them all, \(looks) looks, about \(DurationFormat.text(nanoseconds: bounded))",
                    evidence: [.init(when, "\(most) operations wait in \(context.queueName(queue))")],
                    cost: bounded,
                    advice:
                        "add operations when their dependencies are about to finish, or split the queue: groups have queues of their own"
                )
            }
        }
    }

    /// The number of waiting operations, added up over all finishes; the most that waited, and when.
    private static func looks(_ queue: Int, _ context: HazardContext) -> (
        looks: Int64, most: Int, when: Int64
    ) {
        let members = context.members[queue]
        let waits = members.compactMap { wait(of: $0, context) }
        guard !waits.isEmpty else { return (0, 0, 0) }
        // Of what happens at the same time, that which ends comes first, and that which begins last.
        var changes: [(time: Int64, change: Int)] = waits.map { ($0.upperBound, -1) }
        changes.reserveCapacity(members.count + 2 * waits.count)
        for member in members where context.enqueued.isKnown(member) {
            if let finished = context.finished[member] { changes.append((finished, 0)) }
        }
        for wait in waits { changes.append((wait.lowerBound, 1)) }
        changes = changes.sortedByDigits(\.time)
        var (looks, waiting, most, when): (Int64, Int, Int, Int64) = (0, 0, 0, 0)
        for (time, change) in changes {
            waiting += change
            if change == 0 { looks = looks.saturatingAdd(Int64(waiting)) }
            if change == 0, waiting > most { (most, when) = (waiting, time) }
        }
        return (looks, most, when)
    }

    /// When the operation waited for dependencies.
    private static func wait(of operation: Int, _ context: HazardContext) -> Range<Int64>? {
        guard context.enqueued.isKnown(operation), !context.predecessors[operation].isEmpty else {
            return nil
        }
        let enqueued = context.enqueued.notAfter(operation)
        let until = min(context.ready.notBefore(operation), context.lastMoment(operation))
        return enqueued < until ? enqueued..<until : nil
    }
}
