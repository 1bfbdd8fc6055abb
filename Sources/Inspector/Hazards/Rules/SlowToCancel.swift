/// An operation that was cancelled while it executed, and took long to react.
enum SlowToCancel: HazardRule {
    static let name = "slow-to-cancel"
    static let meaning = "it was cancelled while it executed, but went on for more than a second"

    /// Nanoseconds that an operation may take to end after it was cancelled. 1 s.
    private static let allowedTime: Int64 = 1_000_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for operation in 0..<context.count
        where context.cancelled.isKnown(operation) && context.executing.isKnown(operation) {
            let time = context.cancelled.notAfter(operation)
            let last =
                context.finished.isKnown(operation) ? context.finished.notBefore(operation) : context.end
            guard time >= context.executing.notAfter(operation), last - time > allowedTime else { continue }
            if !context.finished.isKnown(operation), let incompleteness = context.incompleteness {
                findings.cannotDecide(
                    "\(context.name(operation)) has no end in the log, but \(incompleteness)")
                return
            }
            findings.report(.warning, context.kind(operation), cost: last - time) {
                HazardFinding(
                    .warning, [operation],
                    "\(context.name(operation)) was cancelled, but went on for "
                        + "\(DurationFormat.text(nanoseconds: last - time))",
                    evidence: context.events(operation, .executing, .cancelled, .finished), cost: last - time,
                    advice:
                        "check isCancelled in every loop of the body, and make cancel() interrupt what it "
                        + "waits for"
                )
            }
        }
    }
}
