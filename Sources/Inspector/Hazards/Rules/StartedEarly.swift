/// An operation that was started although a dependency had not finished, and that was not asked for `isReady`
/// after it got that dependency.
///
/// Foundation on Linux asks an operation for `isReady`, stores the answer and schedules the queue, without
/// holding a lock. A thread that is preempted in between stores `true` after the operation has got another
/// dependency.
enum StartedEarly: HazardRule {
    static let name = "started-early"
    static let meaning =
        "Foundation started it before its dependencies had finished, on an outdated answer to isReady"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        var predecessors: [Int: [Int]] = [:]
        var early: [Int] = []
        for edge in context.edges where isUnasked(edge, context) {
            if predecessors[edge.successor] == nil { early.append(edge.successor) }
            predecessors[edge.successor, default: []].append(edge.predecessor)
        }
        for operation in early {
            findings.report(.error, context.kind(operation)) {
                finding(operation, predecessors[operation] ?? [], context)
            }
        }
    }

    /// Whether the successor started before the predecessor had finished, without having answered that it was
    /// ready. A class that ignores its dependencies answers so when it is enqueued at the latest, and then it
    /// is known to be ready.
    static func isUnasked(_ edge: Trace.Edge, _ context: HazardContext) -> Bool {
        let (predecessor, successor) = (edge.predecessor, edge.successor)
        return context.finished.isKnown(predecessor)
            && context.executing.happened(successor, certainlyBefore: context.finished, of: predecessor)
            // A cancelled operation does not wait.
            && context.executing.happened(successor, certainlyBefore: context.cancelled, of: successor)
            && context.ready.isKnown(successor)
            && context.ready.notBefore(successor) < context.ready.notAfter(successor)
            // If it is observed passively, all its times are intervals, and prove nothing.
            && context.executing.notBefore(successor) == context.executing.notAfter(successor)
    }

    private static func finding(
        _ operation: Int, _ predecessors: [Int], _ context: HazardContext
    ) -> HazardFinding {
        let last = predecessors.max { context.finished.notBefore($0) < context.finished.notBefore($1) }
        let (name, others) = (context.name(operation), context.names(predecessors))
        return HazardFinding(
            .error, [operation] + predecessors.prefix(4),
            // To any other operation, a program can add an edge while it is being started.
            context.isBarrier(operation)
                ? "Foundation started \(name) before \(others) had finished: it used an answer to isReady "
                    + "from before the dependency was added"
                : "\(name) was started before \(others) had finished, without a notification that it was "
                    + "ready: Foundation may have used an answer to isReady from before the dependency "
                    + "was added",
            evidence: context.events(operation, .enqueued, .executing)
                + (last.map { context.events($0, .finished) } ?? []),
            advice:
                "suspend the queue while you add the operations and their dependents: the race is between "
                + "one dependency that finishes and another that is being added"
        )
    }
}
