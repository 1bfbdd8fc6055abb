import InspectorColumns

/// Which operations were released too late for the slot that became free at that moment.
///
/// A finishing operation releases its dependents, and then hands its slot on. A replay does the same. But
/// another thread may look for work in between, or before both; in the recorded run, the slot then went to a
/// later operation. A single such operation can decide whether a replay follows the run.
struct LateReleases {
    private let isLate: [Bool]

    subscript(operation: Int) -> Bool { isLate[operation] }

    /// Cost: nearly linear in operations.
    ///
    /// - Parameters:
    ///   - released: for each operation, when its last dependency finished.
    ///   - ranks: the lowest is dispatched first.
    init(_ analysis: TraceAnalysis, released: [Int64], ranks: [UInt64]) {
        let transitions = analysis.timings.transitions
        let queues = analysis.trace.operations.store.columns.queues
        var handovers: [(moment: Int64, operation: Int32)] = []
        var isLate = [Bool](repeating: false, count: transitions.count)
        for (index, line) in transitions.enumerated() {
            guard let line, line.executing != nil, let ready = line.ready?.notAfter else { continue }
            let waits = analysis.waits.parts(of: index, line)
            guard waits.slot > 0 else { continue }
            handovers.append((ready.saturatingAdd(waits.untilSlot), Int32(truncatingIfNeeded: index)))
        }
        guard !handovers.isEmpty else {
            self.isLate = isLate
            return
        }
        handovers = handovers.sortedByDigits(\.moment)
        var byQueue = Grouping(
            handovers.lazy.map { Int(queues[Int($0.operation)]) }, groups: analysis.trace.queues.count)
        let moments = byQueue.members.map { handovers[Int($0)].moment }
        byQueue.renumber { handovers[Int($0)].operation }

        for (index, line) in transitions.enumerated() {
            let queue = Int(queues[index])
            guard let line, line.executing != nil, let ready = line.ready?.notAfter, ready > released[index],
                queue >= 0, queue < byQueue.count
            else { continue }
            let range = byQueue.range(of: queue)
            let first = range.partitioningIndex { moments[$0] >= released[index] }
            guard first < range.endIndex, moments[first] < ready else { continue }
            let other = Int(byQueue.members[first])
            isLate[index] =
                ranks[other] > ranks[index] && (transitions.start(of: other) ?? .max) <= line.start
        }
        self.isLate = isLate
    }
}
