import EventLog
import InspectorColumns

/// An operation that did its work although none of its dependencies had succeeded, and did not declare that
/// as intended, as an `AsynchronousOperation` with `runsRegardless` does.
enum RanAfterFailedDependency: HazardRule {
    static let name = "ran-after-failed-dependency"
    static let meaning = "a dependency failed or was cancelled, but it ran anyway"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let outcomes = context.trace.operations.store.columns.outcomes
        let isFailed = (0..<context.count).map { outcomes[$0] >= OperationColumns.cancelled }
        guard isFailed.contains(true) else { return }
        let (executing, finished) = (context.executing, context.finished)
        let allPredecessors = context.predecessors
        var isMeant = Set<Int>()
        for mark in context.trace.marks {
            // `AsynchronousOperation` adds it.
            guard let operation = mark.operation, case .runsRegardless = KnownMark(mark.text) else {
                continue
            }
            isMeant.insert(operation)
        }
        var mixed = 0
        for successor in 0..<context.count
        where executing.isKnown(successor) && !isFailed[successor] && !isMeant.contains(successor) {
            let predecessors = allPredecessors[successor]
            let start = executing.notAfter(successor)
            func failedBefore(_ predecessor: Int) -> Bool {
                isFailed[predecessor] && finished.happened(predecessor, by: start)
            }
            let count = predecessors.count(where: failedBefore)
            if count == 0 { continue }
            if count < predecessors.count {
                mixed += 1
                continue
            }
            let ran = max(0, context.lastMoment(successor) - context.executing.notAfter(successor))
            findings.report(.warning, context.kind(successor), cost: ran) {
                finding(successor, predecessors.filter(failedBefore), ran, context)
            }
        }
        if mixed > 0 {
            findings.cannotDecide(
                "\(Prose.counted(mixed, "operation")) ran after some, but not all, dependencies had failed; "
                    + "the log does not say whether it needs them"
            )
        }
    }

    private static func finding(
        _ successor: Int, _ failed: [Int], _ ran: Int64, _ context: HazardContext
    ) -> HazardFinding {
        let how =
            switch context.trace.operations[failed[0]].outcome {
            case .cancelled: "was cancelled"
            default: "failed"
            }
        let what =
            failed.count == 1
            ? "\(context.name(failed[0])) \(how)" : "all of \(context.names(failed)) failed or were cancelled"
        return HazardFinding(
            .warning, [successor] + failed.prefix(20),
            "\(what), and \(context.name(successor)), which depends on it, ran anyway",
            evidence: failed.prefix(3).map {
                .init(
                    context.finished[$0],
                    "\(context.name($0)) finished: "
                        + "\(context.trace.operations[$0].outcome == .cancelled ? "cancelled" : "failed")"
                )
            } + context.events(successor, .executing, .finished),
            cost: ran,
            advice:
                "check how the dependency ended before using its result; operations of Ops fail with a "
                + "DependencyFailure instead, unless runsRegardless is set"
        )
    }
}
