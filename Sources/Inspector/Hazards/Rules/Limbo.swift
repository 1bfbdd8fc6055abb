/// An operation whose `start()` returned and left it neither executing nor finished. Nothing will continue
/// it.
enum Limbo: HazardRule {
    static let name = "limbo"
    static let meaning = "its start() returned, but it is neither executing nor finished"

    /// For at least this long, in nanoseconds. 100 ms.
    private static let leastGap: Int64 = 100_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        var busy = Array(repeating: false, count: context.trace.queues.count)
        for index in 0..<context.count where context.isUnfinished(index) && context.executing.isKnown(index) {
            if context.queue[index] >= 0 { busy[context.queue[index]] = true }
        }
        let resumed = context.trace.queues.map { queue in
            queue.suspensions.reduce(Int64.min) { max($0, TraceMoment.bounded($1.upperBound)) }
        }
        for operation in 0..<context.count
        where context.isUnfinished(operation) && !context.executing.isKnown(operation) {
            guard let since = since(operation, busy, resumed, context), context.end - since >= leastGap else {
                continue
            }
            if let incompleteness = context.incompleteness {
                return findings.cannotDecide(
                    "\(context.name(operation)) was to be started, but \(incompleteness)")
            }
            let cost = context.end - since
            context.explain(CollectionOfOne(operation))
            findings.report(.error, context.kind(operation), cost: cost) {
                finding(operation, cost, context)
            }
        }
    }

    /// Since when it must have been started and stuck: its body ended, or it was cancelled in a queue that
    /// had nothing else to do. (A queue starts cancelled operations at once, so that they finish.)
    private static func since(
        _ operation: Int, _ busy: [Bool], _ resumed: [Int64], _ context: HazardContext
    ) -> Int64? {
        if let ended = context.bodyEnded[operation] { return ended }
        let queue = context.queue[operation]
        guard let cancelled = context.cancelled[operation], queue >= 0, !busy[queue] else { return nil }
        return resumed[queue] < context.end ? max(cancelled, resumed[queue]) : nil
    }

    private static func finding(_ operation: Int, _ cost: Int64, _ context: HazardContext) -> HazardFinding {
        var evidence = context.events(operation, .enqueued)
        let name = context.name(operation)
        if context.cancelled.isKnown(operation) { evidence += context.events(operation, .cancelled) }
        if let ended = context.bodyEnded[operation] { evidence.append(.init(ended, "\(name) left its body")) }
        let queue = context.queue[operation]
        if queue >= 0, let resumed = context.trace.queues[queue].suspensions.map(\.upperBound).max() {
            evidence.append(.init(TraceMoment.bounded(resumed), "\(context.queueName(queue)) was resumed"))
        }
        evidence.append(.init(context.end, "the log ends; \(name) is neither executing nor finished"))
        let how =
            context.bodyEnded.isKnown(operation)
            ? "its body ended, but it set neither isExecuting nor isFinished"
            : "it was cancelled before its start, its queue had a slot for it, but it did not finish"
        return HazardFinding(
            .error, [operation],
            "\(name) is neither executing nor finished: \(how); it keeps its "
                + "slot\(context.stuckBehind(operation))",
            evidence: evidence, cost: cost,
            advice:
                "make finish() set isFinished in every state, and call it from start() when the operation "
                + "is cancelled"
        )
    }
}
