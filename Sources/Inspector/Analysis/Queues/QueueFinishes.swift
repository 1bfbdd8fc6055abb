import InspectorColumns

/// When operations finished, by queue.
struct QueueFinishes {
    /// For each queue, the operation that has executed for longest when the trace ends; -1 for none.
    private let firstUnfinished: [Int32]
    /// For each queue, its finished operations, ordered by time and then by their order in the log.
    private let finished: Grouping
    private let transitions: TraceTransitions

    /// Cost: nearly linear in operations.
    init(_ analysis: TraceAnalysis) {
        let transitions = analysis.timings.transitions
        let queues = analysis.trace.operations.store.columns.queues
        let count = analysis.trace.queues.count
        var unfinished = [Int32](repeating: -1, count: count)
        var order: [(end: Int64, operation: Int32)] = []
        order.reserveCapacity(transitions.count)
        for (index, line) in transitions.enumerated() {
            let queue = Int(queues[index])
            guard let line, queue >= 0, queue < count else { continue }
            if line.isFinished {
                order.append((line.end, Int32(truncatingIfNeeded: index)))
            } else if line.executing != nil {
                let known = Int(unfinished[queue])
                if known >= 0, let other = transitions.start(of: known), other <= line.start { continue }
                unfinished[queue] = Int32(truncatingIfNeeded: index)
            }
        }
        order = order.sortedByDigits(\.end)
        var finished = Grouping(order.lazy.map { Int(queues[Int($0.operation)]) }, groups: count)
        finished.renumber { order[Int($0)].operation }
        firstUnfinished = unfinished
        self.finished = finished
        self.transitions = transitions
    }

    func firstUnfinished(on queue: Int) -> Int? {
        firstUnfinished[queue] < 0 ? nil : Int(firstUnfinished[queue])
    }

    /// The first operation in the log that finished at that moment, besides `operation`.
    func finisher(on queue: Int, at moment: Int64, besides operation: Int) -> Int? {
        let members = finished[queue]
        var position = members.partitioningIndex { end(of: $0) >= moment }
        if position < members.endIndex, Int(members[position]) == operation { position += 1 }
        guard position < members.endIndex, end(of: members[position]) == moment else { return nil }
        return Int(members[position])
    }

    /// The last operation to finish after `start` and by `end`, other than `operation`.
    func last(on queue: Int, after start: Int64, by end: Int64, besides operation: Int?) -> (Int64, Int)? {
        guard queue >= 0, queue < finished.count else { return nil }
        let members = finished[queue]
        var position = members.partitioningIndex { self.end(of: $0) > end } - 1
        if position >= members.startIndex, Int(members[position]) == operation { position -= 1 }
        guard position >= members.startIndex, self.end(of: members[position]) > start else { return nil }
        return (self.end(of: members[position]), Int(members[position]))
    }

    private func end(of operation: Int32) -> Int64 { transitions.end(of: Int(operation)) ?? 0 }
}
