/// A dependency that did not hold its dependent back: it was added after the start.
enum LateEdge: HazardRule {
    static let name = "late-edge"
    static let meaning = "a dependency had no effect: its dependent had started already"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for edge in context.edges {
            let (predecessor, successor) = (edge.predecessor, edge.successor)
            // A cancelled operation does not wait.
            guard
                context.executing.happened(successor, certainlyBefore: context.finished, of: predecessor),
                context.executing.happened(successor, certainlyBefore: context.cancelled, of: successor),
                !StartedEarly.isUnasked(edge, context)
            else { continue }
            if !context.finished.isKnown(predecessor), let incompleteness = context.incompleteness {
                return findings.cannotDecide(
                    "\(context.name(predecessor)) has no finish in the log, but \(incompleteness)")
            }
            findings.report(.error, context.kind(successor)) {
                let (first, second) = (context.name(predecessor), context.name(successor))
                return HazardFinding(
                    .error, [successor, predecessor],
                    "\(second) depends on \(first), and started before \(first) had finished: the "
                        + "dependency was added after the start, or an override of isReady ignores it",
                    evidence: context.events(successor, .enqueued, .executing)
                        + context.events(predecessor, .enqueued, .finished),
                    advice: "add dependencies before the operation is added to its queue")
            }
        }
    }
}
