/// A group whose work ran before the group was started, so that the group's dependencies were ignored.
///
/// If the log names the group as the parent, the times show it. Operations that a group enqueues in its
/// `init` have no parent in the log. They count as the group's if their queue serves nobody else, and
/// everything that was enqueued in it later has the group as parent and depends on them.
enum WorkBeforeStart: HazardRule {
    static let name = "work-before-start"
    static let meaning = "a child ran before its parent was started"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        for child in 0..<context.count where context.parent[child] >= 0 {
            let parent = context.parent[child]
            if ran(child, before: parent, context) { report(child, of: parent, &findings, context) }
        }
        for queue in context.trace.queues.indices {
            guard let parent = owner(of: queue, context) else { continue }
            let members = context.members[queue]
            let orphans = members.filter { context.parent[$0] < 0 }
            guard !orphans.isEmpty,
                orphans.allSatisfy({ isDependedOn($0, by: parent, in: queue, context) })
            else { continue }
            for orphan in orphans where ran(orphan, before: parent, context) {
                report(orphan, of: parent, &findings, context)
            }
        }
    }

    private static func ran(_ child: Int, before parent: Int, _ context: HazardContext) -> Bool {
        context.executing.isKnown(parent)
            && context.executing.happened(child, certainlyBefore: context.executing, of: parent)
    }

    /// The only operation that enqueued everything with a parent in this queue, which is not its own queue.
    private static func owner(of queue: Int, _ context: HazardContext) -> Int? {
        var owner: Int?
        for member in context.members[queue] where context.parent[member] >= 0 {
            if let owner, owner != context.parent[member] { return nil }
            owner = context.parent[member]
        }
        return owner.flatMap { context.queue[$0] == queue ? nil : $0 }
    }

    /// Whether a child in the same queue depends on it, but the parent itself does not.
    private static func isDependedOn(_ orphan: Int, by parent: Int, in queue: Int, _ context: HazardContext)
        -> Bool
    {
        let successors = context.successors[orphan]
        return !successors.contains(parent)
            && successors.contains { context.parent[$0] == parent && context.queue[$0] == queue }
    }

    private static func report(
        _ child: Int, of parent: Int, _ findings: inout HazardCollector, _ context: HazardContext
    ) {
        findings.report(.error, context.kind(parent)) {
            let lead = context.executing.notBefore(parent) - context.executing.notAfter(child)
            return HazardFinding(
                .error, [parent, child],
                "\(context.name(child)) is work of \(context.name(parent)), but started "
                    + "\(DurationFormat.text(nanoseconds: lead)) before it",
                evidence: context.events(child, .enqueued, .executing)
                    + context.events(parent, .enqueued, .executing),
                advice:
                    "enqueue a group's children in its main(), or use a GroupOperation; until then keep the "
                    + "inner queue suspended"
            )
        }
    }
}
