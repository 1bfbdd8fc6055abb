/// An operation whose `isExecuting` becomes true after it has finished, so that a thread that waits for it
/// waits for ever.
enum StartedAfterFinish: HazardRule {
    static let name = "started-after-finish"
    static let meaning = "it was executing again after it had finished"

    /// A thread that waits for a finished operation wakes up within this time, in nanoseconds. 100 ms.
    private static let wakeUpTime: Int64 = 100_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for operation in 0..<context.count where context.finished.isKnown(operation) {
            guard context.executing.isKnown(operation),
                context.finished.happened(operation, certainlyBefore: context.executing, of: operation)
            else { continue }
            findings.report(.error, context.kind(operation)) {
                finding(
                    operation, "\(context.name(operation)) started after it had finished",
                    context.events(operation, .finished, .executing))
            }
        }
        for wait in context.trace.blockingWaits where wait.end == nil {
            guard case .operation(let target) = wait.target, target >= 0, target < context.count,
                let finished = context.finished[target],
                context.end - max(finished, TraceMoment.bounded(wait.start)) >= wakeUpTime
            else { continue }
            if context.incompleteness != nil { break }
            let cost = context.end - finished
            findings.report(.error, context.kind(target), cost: cost) {
                finding(
                    target,
                    "\(context.name(target)) has finished, but a thread waits for it until the log ends: "
                        + "its state was overwritten afterwards",
                    context.events(target, .executing, .finished) + [
                        .init(TraceMoment.bounded(wait.start), "thread \(wait.thread) began to wait for it"),
                        .init(context.end, "the log ends; thread \(wait.thread) still waits"),
                    ], cost: cost)
            }
        }
    }

    private static func finding(
        _ operation: Int, _ summary: String, _ evidence: [HazardFinding.Evidence], cost: Int64? = nil
    ) -> HazardFinding {
        HazardFinding(
            .error, [operation], summary, evidence: evidence, cost: cost,
            advice: "in start(), set executing before main() is called; main() may finish at once")
    }
}
