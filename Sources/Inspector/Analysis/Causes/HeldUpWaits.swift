import EventLog
import InspectorColumns

/// For each operation, how long others waited for a slot of its queue while it executed, summed over those
/// others. That includes time for which the queue was suspended meanwhile. ``SlotHolders`` names the
/// operations that did this to a single one.
package struct HeldUpWaits: Sendable {
    /// Nanoseconds. Approximate, because a sum over a long run may exceed every integer.
    private var times: [Double]

    /// Nanoseconds; 0 for an operation for which none waited.
    package subscript(operation: Int) -> Double { times[operation] }

    /// Cost: O(n log n) in operations.
    package init(_ analysis: TraceAnalysis) {
        let queues = analysis.trace.operations.store.columns.queues
        let transitions = analysis.timings.transitions
        times = Array(repeating: 0, count: transitions.count)
        var waits = Array(repeating: PassedTime(), count: analysis.trace.queues.count)
        for (index, line) in transitions.enumerated() where waits.indices.contains(Int(queues[index])) {
            guard let ready = line?.ready?.notAfter, let parts = analysis.waits[index], parts.slot > 0 else {
                continue
            }
            waits[Int(queues[index])].add(ready..<ready.saturatingAdd(parts.untilSlot))
        }
        for queue in waits.indices { waits[queue].sort() }
        for (index, line) in transitions.enumerated() where waits.indices.contains(Int(queues[index])) {
            guard let line, line.executing != nil else { continue }
            let waits = waits[Int(queues[index])]
            times[index] = max(0, waits.upTo(line.end) - waits.upTo(line.start))
        }
    }
}

/// How much of certain ranges, which may overlap, has passed at a moment.
private struct PassedTime {
    private var starts = SortedMoments()
    private var ends = SortedMoments()

    mutating func add(_ range: Range<Int64>) {
        starts.moments.append(range.lowerBound)
        ends.moments.append(range.upperBound)
    }

    mutating func sort() {
        starts.sort()
        ends.sort()
    }

    func upTo(_ moment: Int64) -> Double { starts.passed(at: moment) - ends.passed(at: moment) }
}

private struct SortedMoments {
    var moments: [Int64] = []
    /// Of the first 0, 1, 2… moments.
    private var sums: [Double] = [0]

    mutating func sort() {
        moments.sort()
        sums = moments.reduce(into: [0]) { sums, moment in sums.append(sums[sums.count - 1] + Double(moment))
        }
    }

    /// The time since each of the moments that came before, summed.
    func passed(at moment: Int64) -> Double {
        let count = moments.partitioningIndex { $0 > moment }
        return Double(moment) * Double(count) - sums[count]
    }
}
