import InspectorColumns
import WaitDiagnosis

/// What unfinished operations were waiting for when the log ended: blocked threads, keys and slots.
/// Dependencies are edges of the trace.
struct UnfinishedWaits: Sendable {
    struct Wait: Sendable {
        /// Indices into the trace's operations.
        let blocker: Int
        let waiting: Int
        let relation: DrawnGraph.Edge.Relation
        let isInCircle: Bool
    }

    /// With more arrows than this from one operation, they could not be told apart.
    static let mostForOneSlot = 8

    private(set) var waits: [Wait] = []
    private let trace: Trace
    private let queues: [WaitGraph.Queue]
    /// Longer names of queues are cut at arrows.
    private static let longestQueue = 20

    /// Linear in unfinished operations.
    ///
    /// If a queue has several slots, which of them an operation would get is not known. Its arrow then comes
    /// from the operation that the deadlock names; without a deadlock, it has no arrow.
    init(_ blockers: Blockers, _ trace: Trace) {
        self.trace = trace
        queues = blockers.graph.queues
        var (circles, stuck): (Set<Int>, Set<Int>) = ([], [])
        for standstill in blockers.standstills where standstill.isDeadlock {
            circles.formUnion(standstill.origins.map { blockers.operations[$0] })
            stuck.formUnion(standstill.others.map { blockers.operations[$0] })
        }
        let queueOfOperation = trace.operations.store.columns.queues
        for operation in blockers.operations {
            guard let hop = blockers[operation] else { continue }
            var relation = DrawnGraph.Edge.Relation.wait
            switch hop.reason {
            case .dependency, .child, .awaited, .executor, .thread, .created: continue
            case .wait, .queueWait: break
            case .key: relation = .key
            case .slot:
                let isOnly = queues[Int(queueOfOperation[operation])].limit == 1
                guard isOnly || circles.contains(operation) || stuck.contains(operation) else { continue }
                relation = .slot
            }
            waits.append(
                Wait(
                    blocker: hop.next, waiting: operation, relation: relation,
                    isInCircle: circles.contains(operation)))
        }
    }

    /// The waits between drawn operations, and how many more have no arrow because one operation has many.
    func drawn(_ isDrawn: (Int) -> Bool) -> (waits: [Wait], omitted: Int) {
        var omitted = 0
        var forSlots: [Int: Int] = [:]
        let drawn = waits.filter { wait in
            guard isDrawn(wait.blocker), isDrawn(wait.waiting) else { return false }
            guard wait.relation == .slot, !wait.isInCircle else { return true }
            forSlots[wait.blocker, default: 0] += 1
            let isKept = forSlots[wait.blocker] ?? 0 <= Self.mostForOneSlot
            if !isKept { omitted += 1 }
            return isKept
        }
        return (drawn, omitted)
    }

    /// What the operation at the start of such an arrow does: `has the slot of imports`. `nil` for edges of
    /// the trace.
    ///
    /// - Parameter queue: that of all waiting operations, as an index into the trace's queues.
    func words(_ relation: DrawnGraph.Edge.Relation, queue: Int?) -> String? {
        switch relation {
        case .dependency, .spawn, .awaited, .resumed, .actorHeld, .finisher: return nil
        case .wait: return "blocks"
        case .key: return "has the key"
        case .slot:
            guard let queue, trace.queues.indices.contains(queue) else { return "has a slot" }
            let name = TerminalText.shortened(trace.queues[queue].ownName, toColumns: Self.longestQueue)
            return "has \(queues[queue].limit == 1 ? "the" : "a") slot of \(name)"
        }
    }
}
