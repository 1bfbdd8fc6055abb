import InspectorColumns

/// Which operations were released too late for the slot that came free at that moment.
///
/// What finishes releases what depends on it, and then hands its slot on: so a replay has it, and so it is as
/// a rule. But another thread may look for work between the two, or before both, and in the recorded run the
/// slot then went to one that would have come after. It is one such operation that decides whether a replay
/// follows the run.
struct LateReleases {
    private let isLate: [Bool]

    subscript(operation: Int) -> Bool { isLate[operation] }

    /// Cost: nearly linear in operations.
    ///
    /// - Parameters:
    ///   - released: by operation, when the last that it depends on finished.
    ///   - ranks: the lowest is dispatched first.
    init(_ analysis: TraceAnalysis, released: [Int64], ranks: [UInt64]) {
        let lifelines = analysis.timings.lifelines
        let queues = analysis.trace.operations.store.columns.queues
        var handovers: [(moment: Int64, operation: Int32)] = []
        var isLate = [Bool](repeating: false, count: lifelines.count)
        for (index, line) in lifelines.enumerated() {
            guard let line, line.executing != nil, let ready = line.ready?.notAfter,
                let waits = analysis.waits[index], waits.slot > 0
            else { continue }
            handovers.append((ready + waits.slot + waits.suspended, Int32(truncatingIfNeeded: index)))
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

        for (index, line) in lifelines.enumerated() {
            let queue = Int(queues[index])
            guard let line, line.executing != nil, let ready = line.ready?.notAfter, ready > released[index],
                queue >= 0, queue < byQueue.count
            else { continue }
            let range = byQueue.range(of: queue)
            let first = range.partitioningIndex { moments[$0] >= released[index] }
            guard first < range.endIndex, moments[first] < ready else { continue }
            let other = Int(byQueue.members[first])
            isLate[index] = ranks[other] > ranks[index] && (lifelines.start(of: other) ?? .max) <= line.start
        }
        self.isLate = isLate
    }
}
