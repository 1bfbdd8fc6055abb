import InspectorColumns

/// An operation of low priority that waited for a slot while others that became ready later were started
/// because of their higher priority.
enum PriorityStarvation: HazardRule {
    static let name = "priority-starvation"
    static let meaning =
        "it waited for a slot while operations of higher priority that became ready later were started"

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        // If all operations have the default priority, the column is empty.
        guard context.priorities.values.contains(where: { $0 != 0 }) else { return }
        let least = context.leastPriorityWait
        for queue in context.trace.queues.indices {
            guard let limit = context.trace.queues[queue].limits.last?.limit, limit > 0 else { continue }
            let members = Array(context.members[queue].filter { context.ready.isKnown($0) })
            guard members.contains(where: { context.waits[$0]?.slot ?? 0 >= least }) else { continue }
            let others = PriorityLevels(members, context)
            for operation in members {
                guard let slot = context.waits[operation]?.slot, slot >= least else { continue }
                let later = others.overtaking(operation)
                // These operations had the slots for most of that time.
                let cost = min(slot, later.time / Int64(limit))
                guard later.count > 0, cost >= max(least, slot / 2) else { continue }
                let severity = context.severity(ofCost: cost)
                findings.report(severity, context.kind(operation), cost: cost) {
                    finding(operation, slot, cost, later.count, severity, context)
                }
            }
        }
    }

    private static func finding(
        _ operation: Int, _ slot: Int64, _ cost: Int64, _ later: Int, _ severity: HazardSeverity,
        _ context: HazardContext
    ) -> HazardFinding {
        let queue = context.queueName(context.queue[operation])
        let wait = DurationFormat.text(nanoseconds: slot)
        return HazardFinding(
            severity, [operation],
            "\(context.name(operation)) (priority \(context.priority(operation))) waited \(wait) for a slot "
                + "of \(queue), while \(Prose.counted(later, "operation")) of higher priority that became "
                + "ready later \(later == 1 ? "was" : "were") started",
            evidence: context.events(operation, .ready, .executing), cost: cost,
            advice:
                "give the urgent operations a queue of their own, or raise the priority of operations that "
                + "have waited long; queues do not do that themselves"
        )
    }
}

/// The operations of a queue by priority: when they were ready, when they started, and how long they
/// executed.
private struct PriorityLevels {
    /// Some operations ordered by a time, with cumulative execution times.
    private struct Line {
        private var times: [Int64] = []
        private var sums: [Int64] = []

        init(_ operations: [Int], by times: TransitionTimes, _ context: HazardContext) {
            var sum: Int64 = 0
            for operation in operations.sortedByDigits({ times.notAfter($0) }) {
                let executed = max(0, context.lastMoment(operation) - context.executing.notAfter(operation))
                sum = sum.saturatingAdd(executed)
                self.times.append(times.notAfter(operation))
                sums.append(sum)
            }
        }

        /// The operations whose time is not after `time`.
        func upTo(_ time: Int64) -> (count: Int, time: Int64) {
            let count = times.partitioningIndex { $0 > time }
            return (count, count == 0 ? 0 : sums[count - 1])
        }
    }

    /// Some executions, in the order of their ends, to find out how long they go on after a time.
    private struct Ends {
        /// By start, and by end.
        private let starts: [Int64]
        private let ends: [Int64]
        /// From this index on, the ends of executions: by start, and by end. Differences of sums fit even if
        /// the sums do not.
        private let endsByStart: [Int64]
        private let endsByEnd: [Int64]

        init(_ operations: [Int], _ context: HazardContext) {
            let executions = operations.map { operation in
                let start = context.executing.notAfter(operation)
                return (start: start, end: max(start, context.lastMoment(operation)))
            }.sortedByDigits(\.start)
            starts = executions.map(\.start)
            ends = executions.map(\.end).sortedByDigits { $0 }
            endsByStart = Self.sums(executions.map(\.end))
            endsByEnd = Self.sums(ends)
        }

        /// The part after `time` of the executions that began before it.
        func time(after time: Int64) -> Int64 {
            let (begun, ended) = (
                starts.partitioningIndex { $0 >= time }, ends.partitioningIndex { $0 > time }
            )
            return max(0, endsByEnd[ended] &- endsByStart[begun] &- Int64(begun - ended) &* time)
        }

        private static func sums(_ times: [Int64]) -> [Int64] {
            var sums: [Int64] = [0]
            for time in times.reversed() { sums.append(sums[sums.count - 1] &+ time) }
            return sums.reversed()
        }
    }

    private let context: HazardContext
    /// By priority, the lowest first.
    private let levels: [(priority: Int, ready: Line, started: Line, ends: Ends)]

    /// Cost: O(n log n).
    init(_ members: [Int], _ context: HazardContext) {
        self.context = context
        let started = members.filter { context.executing.isKnown($0) }
        levels = Dictionary(grouping: started, by: context.priority).sorted { $0.key < $1.key }.map {
            (
                $0.key, Line($0.value, by: context.ready, context),
                Line($0.value, by: context.executing, context), Ends($0.value, context)
            )
        }
    }

    /// The operations of higher priority that became ready later than `operation` and started before it, and
    /// their execution time until then.
    ///
    /// Computed as those that started before it, minus those that were ready before it. If one of the latter
    /// started or finished later, the result is too small.
    func overtaking(_ operation: Int) -> (count: Int, time: Int64) {
        let ready = context.ready.notAfter(operation)
        let start = min(context.executing.notBefore(operation), context.end)
        return levels.reduce((0, 0)) { sum, level in
            guard level.priority > context.priority(operation) else { return sum }
            let (before, earlier) = (level.started.upTo(start - 1), level.ready.upTo(ready))
            let time = max(0, before.time - earlier.time)
            return (
                sum.0 + max(0, before.count - earlier.count),
                sum.1.saturatingAdd(time - min(time, level.ends.time(after: start)))
            )
        }
    }
}
