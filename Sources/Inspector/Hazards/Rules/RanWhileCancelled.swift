/// An operation that was cancelled before its start, but whose body ran.
enum RanWhileCancelled: HazardRule {
    static let name = "ran-while-cancelled"
    static let meaning = "it was cancelled before its start, but its body ran"

    /// An operation that was cancelled this many nanoseconds before its start certainly started after that,
    /// even without other evidence: `start()` reads the flag first, and the start is logged a little later.
    /// 20 ms.
    private static let certainly: Int64 = 20_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        var unproved = 0
        for operation in 0..<context.count where context.executing.isKnown(operation) {
            let start = context.executing.notBefore(operation)
            if context.cancelled.isKnown(operation) {
                let time = context.cancelled.notAfter(operation)
                guard time <= start else { continue }
                if isProved(operation, cancelled: time, start, context) {
                    report(operation, &findings, context)
                } else {
                    unproved += 1
                }
            } else if let time = queueCancellation(operation, context),
                time <= start
                    ? isProved(operation, cancelled: time, start, context)
                    : context.lastMoment(operation) - time >= certainly
            {
                if let incompleteness = context.incompleteness {
                    return findings.cannotDecide(
                        "\(context.name(operation)) ran although its queue was cancelled, but "
                            + "\(incompleteness)"
                    )
                }
                report(operation, byQueueAt: time, &findings, context)
            }
        }
        if unproved > 0 {
            findings.cannotDecide(
                "\(Prose.counted(unproved, "operation")) was cancelled just before its start in the log; "
                    + "start() may have checked isCancelled before that"
            )
        }
    }

    private static func isProved(
        _ operation: Int, cancelled time: Int64, _ start: Int64, _ context: HazardContext
    ) -> Bool {
        start - time >= certainly || context.occupancy.reasonNotStarted(operation, before: time) != nil
    }

    /// When its queue cancelled all operations while it was in the queue.
    private static func queueCancellation(_ operation: Int, _ context: HazardContext) -> Int64? {
        let queue = context.queue[operation]
        guard queue >= 0, context.enqueued.isKnown(operation) else { return nil }
        let cancellations = context.trace.queues[queue].cancellations
        let next = cancellations.partitioningIndex { $0 >= context.enqueued.notAfter(operation) }
        guard next < cancellations.count else { return nil }
        let time = TraceMoment.bounded(cancellations[next])
        return time <= context.finished.notBefore(operation) ? time : nil
    }

    private static func report(
        _ operation: Int, byQueueAt time: Int64? = nil, _ findings: inout HazardCollector,
        _ context: HazardContext
    ) {
        let ran = max(
            0, context.lastMoment(operation) - max(context.executing.notAfter(operation), time ?? .min))
        findings.report(.error, context.kind(operation), cost: ran) {
            let name = context.name(operation)
            guard let time else {
                return HazardFinding(
                    .error, [operation], "\(name) was cancelled before its start, but its body ran",
                    evidence: context.events(operation, .enqueued, .cancelled, .executing, .finished),
                    cost: ran,
                    advice: "check isCancelled first in start(), and finish at once when it is set")
            }
            return HazardFinding(
                .error, [operation],
                "everything in \(context.queueName(context.queue[operation])) was cancelled, but \(name) "
                    + "was not, and its body ran",
                evidence: context.events(operation, .enqueued, .executing, .finished)
                    + [
                        .init(
                            time, "everything in \(context.queueName(context.queue[operation])) was cancelled"
                        )
                    ],
                cost: ran,
                advice: "call super.cancel() in an override of cancel(); without it, isCancelled stays false")
        }
    }
}
