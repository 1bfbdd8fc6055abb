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
            let kinds = kinds(Array(executed), context)
            for short in kinds where short.operations.count >= fewest {
                let long = kinds.filter { $0.mean / leastFactor >= max(1, short.mean) }
                guard !long.isEmpty else { continue }
                check(queue, short, long, least, context, &findings)
            }
        }
    }

    /// The operations of one kind in one queue.
    private struct Kind {
        let number: Int32
        var operations: [Int] = []
        /// Nanoseconds.
        var executed: Int64 = 0

        var mean: Int64 { executed / Int64(max(1, operations.count)) }
    }

    /// In the order of their first operations.
    private static func kinds(_ operations: [Int], _ context: HazardContext) -> [Kind] {
        let numbers = context.trace.operations.store.columns.kinds
        var places: [Int32: Int] = [:]
        var kinds: [Kind] = []
        for operation in operations {
            let place = places[numbers[operation]] ?? kinds.count
            if place == kinds.count {
                places[numbers[operation]] = place
                kinds.append(Kind(number: numbers[operation]))
            }
            kinds[place].operations.append(operation)
            kinds[place].executed = kinds[place].executed.saturatingAdd(
                max(0, context.lastMoment(operation) - context.executing.notAfter(operation)))
        }
        return kinds
    }

    private static func check(
        _ queue: Int, _ short: Kind, _ long: [Kind], _ least: Int64, _ context: HazardContext,
        _ findings: inout HazardCollector
    ) {
        let numbers = context.trace.operations.store.columns.kinds
        let long = Dictionary(long.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        let held = HeldSlots(of: queue, context) { long[numbers[$0]] != nil }
        var waiting: [(operation: Int, time: Int64)] = []
        for operation in short.operations where context.waits[operation]?.slot ?? 0 >= least {
            let time = min(
                context.waits[operation]?.slot ?? 0,
                held.time(
                    from: context.ready.notAfter(operation), to: context.executing.notBefore(operation)))
            if time >= least { waiting.append((operation, time)) }
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
        _ queue: Int, _ short: Kind, _ long: [Int32: Kind], _ waiting: [Int],
        _ longest: (operation: Int, time: Int64), _ severity: HazardSeverity, _ context: HazardContext
    ) -> HazardFinding {
        func kind(_ number: Int32) -> String {
            TerminalText.shortened(context.trace.kinds[Int(number)], toColumns: 32)
        }
        let slowest = long.values.max { ($0.mean, $1.number) < ($1.mean, $0.number) }
        let holders = long.values.reduce(0) { $0 + $1.operations.count }
        let others = waiting.count - 1
        let who =
            context.name(longest.operation) + (others == 0 ? "" : " and \(Prose.counted(others, "other"))")
        let limit = context.queueLimits[queue].max() ?? 1
        let slots =
            limit == 1 ? "the only slot" : limit == 2 ? "both slots" : "all \(Prose.grouped(limit)) slots"
        let mean = slowest.map { DurationFormat.text(nanoseconds: $0.mean) } ?? ""
        return HazardFinding(
            severity, Array(([longest.operation] + waiting.filter { $0 != longest.operation }).prefix(20)),
            "\(who) waited up to \(DurationFormat.text(nanoseconds: longest.time)) while "
                + "\(Prose.counted(holders, "operation")) of kind \(slowest.map { kind($0.number) } ?? "") "
                + "had \(slots) of \(context.queueName(queue)); they take \(mean) each, the waiting ones "
                + DurationFormat.text(nanoseconds: short.mean),
            evidence: context.events(longest.operation, .ready, .executing, .finished),
            cost: longest.time,
            advice:
                "give the long operations a queue of their own, or a lower queuePriority, so that they leave "
                + "a slot to short ones")
    }
}
