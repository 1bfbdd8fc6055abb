import InspectorColumns

/// An operation that finished at a time at which its queue cannot have started it yet.
///
/// A finish without a start in the log proves nothing: that is normal for an operation that was cancelled
/// before its start, and that its queue started and finished.
enum FinishedBeforeStart: HazardRule {
    static let name = "finished-before-start"
    static let meaning = "it finished before its queue could have started it"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let outcomes = context.trace.operations.store.columns.outcomes
        var unproved = 0
        for operation in 0..<context.count {
            guard context.enqueued.isKnown(operation), context.finished.isKnown(operation),
                !context.executing.isKnown(operation)
            else { continue }
            if let incompleteness = context.incompleteness {
                return findings.cannotDecide(
                    "operations finished without a start in the log, but \(incompleteness)")
            }
            let time = context.finished.notBefore(operation)
            if let reason = context.occupancy.reasonNotStarted(operation, before: time) {
                findings.report(.error, context.kind(operation)) { finding(operation, reason, context) }
            } else if !context.cancelled.isKnown(operation),
                outcomes[operation] != OperationColumns.cancelled
            {
                unproved += 1
            }
        }
        if unproved > 0 {
            findings.cannotDecide(
                "\(Prose.counted(unproved, "operation")) finished without a start in the log; with a slot "
                    + "of the queue, start() may have finished it"
            )
        }
    }

    private static func finding(_ operation: Int, _ reason: String, _ context: HazardContext) -> HazardFinding
    {
        var evidence = context.events(operation, .enqueued, .finished)
        if context.cancelled.isKnown(operation) { evidence += context.events(operation, .cancelled) }
        return HazardFinding(
            .error, [operation],
            "\(context.name(operation)) finished before it was started: it \(reason)", evidence: evidence,
            advice:
                "do not finish in cancel(): set the flag, and let start() finish it; on Linux, the queue "
                + "keeps a pointer to the operation and crashes"
        )
    }
}
