import InspectorColumns

/// Which operations had the slots of a queue while another one waited for a slot.
public struct SlotHolders: Sendable {
    /// An operation of the same queue that executed during the wait.
    public struct Holder: Hashable, Sendable {
        /// Index into the trace's operations.
        public let operation: Int
        /// Nanoseconds of the wait during which it executed.
        public let duration: Int64
    }

    /// The operations that executed longest during the wait come first; equal ones in the order of the log.
    public let holders: [Holder]

    /// Cost: linear in operations. Empty if the operation did not wait for a slot.
    public init(_ analysis: TraceAnalysis, during operation: Int) {
        let trace = analysis.trace
        guard trace.operations.indices.contains(operation), let waits = analysis.waits[operation],
            waits.slot > 0,
            let queue = trace.operations[operation].queue,
            let line = analysis.timings.transitions[operation], let ready = line.ready
        else {
            holders = []
            return
        }
        let end = ready.notAfter.saturatingAdd(waits.untilSlot)
        var holders: [Holder] = []
        let queues = trace.operations.store.columns.queues
        for (index, other) in analysis.timings.transitions.enumerated()
        where index != operation && Int(queues[index]) == queue {
            guard let other, other.executing != nil else { continue }
            let duration = min(other.end, end) - max(other.start, ready.notAfter)
            if duration > 0 { holders.append(Holder(operation: index, duration: duration)) }
        }
        self.holders = holders.sorted { ($1.duration, $0.operation) < ($0.duration, $1.operation) }
    }
}
