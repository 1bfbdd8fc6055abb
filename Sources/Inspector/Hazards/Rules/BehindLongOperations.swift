import InspectorColumns

/// Short operations that waited while long operations of their queue had every slot.
///
/// Operations of the same priority start in the order in which they were added, so a few long ones hold up
/// all that come after them.
enum BehindLongOperations: HazardRule {
    static let name = "behind-long-operations"
    static let meaning = "it waited while operations that take many times as long had every slot of its queue"

    /// How many times as long the others must take.
    private static let leastFactor: Int64 = 10
    /// With fewer operations of a kind, its mean says little.
    private static let fewest = 5

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let least = context.leastPriorityWait
        for queue in context.trace.queues.indices {
            let limits = context.queueLimits[queue]
            guard !limits.isEmpty, limits.allSatisfy({ $0 > 0 }) else { continue }
            let executed = context.members[queue].lazy.map { Int($0) }.filter {
                context.executing.isKnown($0) && context.finished.isKnown($0)
            }
            // Where priorities differ, their order may be meant.
            guard let first = executed.first,
                executed.allSatisfy({ context.priority($0) == context.priority(first) })
            else { continue }
            let numbers = context.trace.operations.store.columns.kinds
            let kinds = Dictionary(grouping: executed) { numbers[$0] }.values.sorted { $0[0] < $1[0] }.map {
                Kind($0, context)
            }
            for short in kinds where short.operations.count >= fewest {
                let long = kinds.filter { $0.mean / leastFactor >= max(1, short.mean) }
                if !long.isEmpty { check(queue, short, long, least, context, &findings) }
            }
        }
    }

    /// The operations of one kind in one queue.
    private struct Kind {
        let operations: [Int]
        /// The mean of their executions in nanoseconds.
        let mean: Int64

        init(_ operations: [Int], _ context: HazardContext) {
            self.operations = operations
            let executed = operations.reduce(Int64(0)) {
                $0.saturatingAdd(max(0, context.lastMoment($1) - context.executing.notAfter($1)))
            }
            mean = executed / Int64(operations.count)
        }
    }

    private static func check(
        _ queue: Int, _ short: Kind, _ long: [Kind], _ least: Int64, _ context: HazardContext,
        _ findings: inout HazardCollector
    ) {
        let holders = Set(long.flatMap(\.operations))
        let held = HeldSlots(of: queue, context) { holders.contains($0) }
        var waiting: [(operation: Int, time: Int64)] = []
        for operation in short.operations {
            guard let slot = context.waits[operation]?.slot, slot >= least else { continue }
            let time = held.time(
                from: context.ready.notAfter(operation), to: context.executing.notBefore(operation))
            if min(slot, time) >= least { waiting.append((operation, min(slot, time))) }
        }
        guard let longest = waiting.max(by: { ($0.time, $1.operation) < ($1.time, $0.operation) }) else {
            return
        }
        let severity = context.severity(ofCost: longest.time)
        findings.report(severity, context.kind(longest.operation), cost: longest.time) {
            finding(queue, short, long, waiting.map(\.operation), longest, severity, context)
        }
    }

    private static func finding(
        _ queue: Int, _ short: Kind, _ long: [Kind], _ waiting: [Int],
        _ longest: (operation: Int, time: Int64), _ severity: HazardSeverity, _ context: HazardContext
    ) -> HazardFinding {
        let slowest = long.reduce(long[0]) { $1.mean >= $0.mean ? $1 : $0 }
        let kind = TerminalText.shortened(
            context.trace.operations[slowest.operations[0]].kind, toColumns: 32)
        let holders = long.reduce(0) { $0 + $1.operations.count }
        let others = waiting.count - 1
        let who =
            context.name(longest.operation) + (others == 0 ? "" : " and \(Prose.counted(others, "other"))")
        let limit = context.queueLimits[queue].max() ?? 1
        return HazardFinding(
            severity, Array(([longest.operation] + waiting.filter { $0 != longest.operation }).prefix(20)),
            "\(who) waited up to \(DurationFormat.text(nanoseconds: longest.time)) while "
                + "\(Prose.counted(holders, "operation")) of kind \(kind) had "
                + "\(limit > 2 ? "all " : "")\(Prose.slots(limit)) of \(context.queueName(queue)); they take "
                + "\(DurationFormat.text(nanoseconds: slowest.mean)) each, the waiting ones "
                + DurationFormat.text(nanoseconds: short.mean),
            evidence: context.events(longest.operation, .ready, .executing, .finished),
            cost: longest.time,
            advice:
                "give the long operations a queue of their own, or a lower queuePriority, so that they leave "
                + "a slot to short ones")
    }
}
