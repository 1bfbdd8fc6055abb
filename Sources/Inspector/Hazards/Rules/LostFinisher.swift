/// A group that goes on although all its children have finished: the operation that should finish it was
/// cancelled, or never got there.
enum LostFinisher: HazardRule {
    static let name = "lost-finisher"
    static let meaning = "every child finished, but the parent never does"

    /// For at least this long after the last child, in nanoseconds: a parent may have some work left. 100 ms.
    private static let leastTime: Int64 = 100_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for parent in 0..<context.count
        where context.isUnfinished(parent) && context.executing.isKnown(parent) {
            // Its body must have ended, because the parent itself may be working until then.
            let children = context.children[parent]
            guard !children.isEmpty, context.bodyEnded.isKnown(parent), context.openWait(parent) == nil,
                let last = children.max(by: { context.finished.notAfter($0) < context.finished.notAfter($1) }
                ),
                context.finished.isKnown(last), context.end - context.finished.notAfter(last) >= leastTime
            else { continue }
            if let incompleteness = context.incompleteness {
                return findings.cannotDecide(
                    "\(context.name(parent)) does not finish after its children, but \(incompleteness)")
            }
            let cost = context.end - context.finished.notAfter(last)
            context.explain(CollectionOfOne(parent))
            findings.report(.error, context.kind(parent), cost: cost) {
                finding(parent, Array(children), last: last, cost, context)
            }
        }
    }

    private static func finding(
        _ parent: Int, _ children: [Int], last: Int, _ cost: Int64, _ context: HazardContext
    ) -> HazardFinding {
        let cancelled = children.filter { context.cancelled.isKnown($0) }
        let how =
            cancelled.isEmpty
            ? "" : ", \(Prose.grouped(cancelled.count)) of them cancelled (\(context.names(cancelled)))"
        var evidence =
            context.events(parent, .executing)
            + [
                .init(
                    context.bodyEnded[parent],
                    "\(context.name(parent)) left its body, but goes on executing")
            ]
        for child in cancelled.prefix(3) { evidence += context.events(child, .cancelled) }
        evidence += context.events(last, .finished)
        evidence.append(.init(context.end, "the log ends, and \(context.name(parent)) has not finished"))
        return HazardFinding(
            .error, [parent] + children.prefix(20),
            "all \(Prose.counted(children.count, "child", "children")) of \(context.name(parent)) "
                + "have finished\(how), but it is still executing"
                + context.unfinished.claimOfSearch(parent) + context.stuckBehind(parent),
            evidence: evidence, cost: cost,
            advice: cancelled.isEmpty
                ? "finish the group when its last child has finished, or use a GroupOperation"
                : "keep cancellation away from the operation that finishes the group: the body of a "
                    + "cancelled operation does not run; or use a GroupOperation"
        )
    }
}
