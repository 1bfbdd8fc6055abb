/// An operation that was cancelled, with a child that was not, and that started after that or went on.
enum CancelNotPropagated: HazardRule {
    static let name = "cancel-not-propagated"
    static let meaning = "it was cancelled, but one of its children was not, and ran"

    /// A child that starts this long after the cancellation, in nanoseconds, certainly started after it. 20
    /// ms.
    private static let certainly: Int64 = 20_000_000
    /// A child that goes on for this long, in nanoseconds, was not cancelled. 1 s.
    private static let leastTime: Int64 = 1_000_000_000

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        var finishers = 0
        for parent in 0..<context.count where context.cancelled.isKnown(parent) {
            let time = context.cancelled.notAfter(parent)
            guard time <= context.finished.notBefore(parent) else { continue }
            let children = context.children[parent]
            for child in children where ran(child, after: time, context) {
                if let incompleteness = context.incompleteness {
                    return findings.cannotDecide(
                        "\(context.name(child)) ran after its parent was cancelled, but \(incompleteness)")
                }
                if isFinisher(child, of: parent, among: children.count, context) {
                    finishers += 1
                    continue
                }
                let cost = max(0, context.lastMoment(child) - max(time, context.executing.notAfter(child)))
                findings.report(.error, context.kind(child), cost: cost) {
                    finding(parent, child, cancelled: time, cost, context)
                }
            }
        }
        if finishers > 0 && findings.groups.isEmpty {
            findings.cannotDecide(
                "\(Prose.counted(finishers, "child", "children")) ran after the parent was cancelled, after "
                    + "all others; perhaps to finish the parent"
            )
        }
    }

    private static func ran(_ child: Int, after time: Int64, _ context: HazardContext) -> Bool {
        guard context.executing.isKnown(child), !context.cancelled.isKnown(child) else { return false }
        let start = context.executing.notBefore(child)
        if start < time {
            return time <= context.finished.notBefore(child) && context.lastMoment(child) - time >= leastTime
        }
        return start - time >= certainly || context.occupancy.reasonNotStarted(child, before: time) != nil
    }

    /// Hand-written groups have a child that depends on all the others and finishes the group. That child has
    /// to run.
    private static func isFinisher(
        _ child: Int, of parent: Int, among siblings: Int, _ context: HazardContext
    )
        -> Bool
    {
        siblings > 1 && context.predecessors[child].count { context.parent[$0] == parent } >= siblings - 1
    }

    private static func finding(
        _ parent: Int, _ child: Int, cancelled time: Int64, _ cost: Int64, _ context: HazardContext
    ) -> HazardFinding {
        let (name, group) = (context.name(child), context.name(parent))
        let isLate = context.executing.notBefore(child) >= time
        return HazardFinding(
            .error, [parent, child],
            "\(group) was cancelled, but its child \(name) \(isLate ? "started afterwards" : "went on"): "
                + "the cancellation did not reach it",
            evidence: context.events(parent, .cancelled) + context.events(child, .executing, .finished),
            cost: cost,
            advice: "let cancel() of the group cancel its queue as well, or use a GroupOperation")
    }
}
