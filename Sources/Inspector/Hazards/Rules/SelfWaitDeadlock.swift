/// Operations whose threads block until others have finished that can never start, because the waiting ones have their slots.
enum SelfWaitDeadlock: HazardRule {
    static let name = "self-wait-deadlock"
    static let meaning =
        "operations wait for each other in a circle, a blocked thread among them: none will finish"

    /// So many of a circle's operations are told.
    private static let shown = 6

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        guard context.trace.blockingWaits.contains(where: { $0.end == nil }) else { return }
        if let incompleteness = context.incompleteness {
            return findings.cannotDecide("threads wait to the end of the log, but \(incompleteness)")
        }
        for circle in context.stuck.circles
        where circle.reasons.contains(where: { $0 == .wait || $0 == .queueWait }) {
            let first = circle.operations[0]
            let cost = max(0, context.end - (since(circle, context) ?? context.end))
            findings.report(.error, context.kind(first), cost: cost) {
                HazardFinding(
                    .error, Array(circle.operations.prefix(20)), summary(circle, context),
                    evidence: evidence(circle, context), cost: cost,
                    advice:
                        "do not wait inside an operation: make what follows depend on the others, or use a GroupOperation, which has a queue of its own"
                )
            }
        }
    }

    private static func summary(_ circle: StuckOperations.Circle, _ context: HazardContext) -> String {
        var parts = circle.operations.indices.prefix(shown).map { position in
            let operation = circle.operations[position]
            let next = circle.operations[(position + 1) % circle.operations.count]
            let (name, other) = (context.name(operation), context.name(next))
            return switch circle.reasons[position] {
            case .wait: "\(name) blocks its thread until the end of \(other)"
            case .queueWait where operation == next:
                "\(name) blocks its thread until \(context.queueName(context.queue[operation])) is empty, which it is in itself"
            case .queueWait:
                "\(name) blocks its thread until \(context.queueName(context.queue[next])) is empty, which \(other) is in"
            case .dependency: "\(name) depends on \(other)"
            case .slot:
                "\(name) needs a slot of \(context.queueName(context.queue[operation])), and those like \(other) have them all"
            }
        }
        if circle.operations.count > parts.count {
            parts.append("and so on, \(circle.operations.count) operations round")
        }
        let waiting = circle.waiting == 0 ? "" : "; \(circle.waiting) more wait for these"
        return "deadlock: " + parts.joined(separator: ", ") + waiting
    }

    private static func evidence(
        _ circle: StuckOperations.Circle, _ context: HazardContext
    ) -> [HazardFinding.Evidence] {
        let waits = circle.operations.lazy.compactMap { operation in
            context.openWait(operation).map { (operation: operation, wait: $0) }
        }
        return waits.prefix(shown).map { operation, wait in
            .init(
                Lifeline.bounded(wait.start),
                "\(context.name(operation)) began to wait, on thread \(wait.thread)")
        } + [.init(context.end, "the log ends, and they still wait")]
    }

    private static func since(_ circle: StuckOperations.Circle, _ context: HazardContext) -> Int64? {
        circle.operations.lazy.compactMap { context.openWait($0).map { Lifeline.bounded($0.start) } }.max()
    }
}
