/// Operations that had a slot but got no thread, while threads were only waiting inside other operations.
enum ThreadStarvation: HazardRule {
    static let name = "thread-starvation"
    static let meaning = "it had a slot but no thread, while threads were blocked inside other operations"

    /// Nanoseconds that an operation may wait for a thread. 500 ms.
    private static let allowedWait: Int64 = 500_000_000
    /// How many threads must be blocked at the same time.
    private static let leastBlocked = 2

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        var stretches = Stretches()
        for wait in context.trace.blockingWaits where wait.operation != nil {
            stretches.add(
                from: TraceMoment.bounded(wait.start), to: wait.end.map(TraceMoment.bounded) ?? context.end)
        }
        let blocked = stretches.counted().filter { $0.count >= leastBlocked }
        guard !blocked.isEmpty else { return }
        let time = SuspendedTime(blocked.map(\.range))
        for operation in 0..<context.count where context.enqueued.isKnown(operation) {
            guard let waits = context.waits[operation], waits.dispatch >= allowedWait else { continue }
            let start = min(context.executing.notBefore(operation), context.lastMoment(operation))
            let since = start - waits.dispatch
            let overlap = time.upTo(start) - time.upTo(since)
            // For most of the time that it waited.
            guard overlap >= waits.dispatch / 2 else { continue }
            findings.report(.warning, context.kind(operation), cost: waits.dispatch) {
                let most = blocked.filter { $0.range.overlaps(since..<start) }.map(\.count).max() ?? 0
                let wait = DurationFormat.text(nanoseconds: waits.dispatch)
                return HazardFinding(
                    .warning, [operation],
                    "\(context.name(operation)) had a slot but waited \(wait) for a thread, while up to "
                        + "\(Prose.grouped(most)) threads were blocked inside operations",
                    evidence: [.init(since, "\(context.name(operation)) had a slot")]
                        + context.events(operation, .executing), cost: waits.dispatch,
                    advice:
                        "do not wait inside operations; add dependencies, or use GroupOperation, which "
                        + "needs no thread while its children run"
                )
            }
        }
    }
}
