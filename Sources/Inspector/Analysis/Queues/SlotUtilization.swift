import InspectorColumns

/// How much of a queue's slots was used, from its first enqueue to its last finish.
///
/// A slot counts as used while an operation executes, even if that only waits for its children.
public struct SlotUtilization: Sendable {
    /// Index into the trace's queues.
    public let queue: Int
    /// Slots × nanoseconds.
    public let used: Double
    /// Slots × nanoseconds; `nil` if the queue had no limit at some time.
    public let available: Double?
    /// The total time that its operations waited for slots, in nanoseconds. If many wait at once, it is
    /// longer than the run.
    public let slotWait: Int64
    /// How many operations waited for a slot on average, from its first enqueue to its last finish.
    public let averageWaiting: Double
    /// Its last limit; -1 for no limit.
    public let limit: Int

    /// Used ÷ available, 0 to 1. `nil` without a limit.
    public var share: Double? { available.map { $0 == 0 ? 0 : min(1, used / $0) } }

    /// The utilization of every queue with operations, in the order of the log. Cost: linear in operations, n
    /// log n in limits.
    public static func of(_ analysis: TraceAnalysis) -> [SlotUtilization] {
        let trace = analysis.trace
        var used = [Double](repeating: 0, count: trace.queues.count)
        var slotWait = [Int64](repeating: 0, count: trace.queues.count)
        var spans = [(start: Int64, end: Int64)](repeating: (.max, .min), count: trace.queues.count)
        let queues = trace.operations.store.columns.queues
        for (index, line) in analysis.timings.transitions.enumerated() {
            let queue = Int(queues[index])
            guard spans.indices.contains(queue), let line else { continue }
            let waits = analysis.waits.parts(of: index, line)
            used[queue] += Double(waits.execution)
            slotWait[queue] = slotWait[queue].saturatingAdd(waits.slot)
            spans[queue] = (min(spans[queue].start, line.enqueued), max(spans[queue].end, line.end))
        }
        return trace.queues.indices.filter { spans[$0].start <= spans[$0].end }.map { queue in
            let limits = trace.queues[queue].limits.sorted { $0.time < $1.time }
            return SlotUtilization(
                queue: queue, used: used[queue], available: available(limits, spans[queue]),
                slotWait: slotWait[queue],
                averageWaiting: Double(slotWait[queue])
                    / Double(max(1, spans[queue].end - spans[queue].start)),
                limit: limits.last?.limit ?? -1)
        }
    }

    private static func available(
        _ limits: [(time: Int64, limit: Int)], _ span: (start: Int64, end: Int64)
    ) -> Double? {
        guard !limits.isEmpty else { return nil }
        var sum = 0.0
        for (position, (time, limit)) in limits.enumerated() {
            let from = position == 0 ? span.start : max(span.start, TraceMoment.bounded(time))
            let to =
                position + 1 < limits.count
                ? min(span.end, TraceMoment.bounded(limits[position + 1].time)) : span.end
            guard from < to || limits.count == 1 else { continue }
            if limit < 0 { return nil }
            sum += Double(limit) * Double(to - from)
        }
        return sum
    }
}
