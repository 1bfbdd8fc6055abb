import InspectorColumns
import WaitDiagnosis

/// What unfinished operations were waiting for when the log ended: blocked threads, keys and slots. In
/// circles also what Swift tasks wait for, if the trace has them as operations. Dependencies are edges of the
/// trace, of which ``isInCircle(_:)`` knows those in circles.
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
    /// Indices into the trace's operations.
    private(set) var inCircles: Set<Int> = []
    /// What each operation in a circle waits for through an edge of the trace.
    private(set) var edgesInCircles: [Int: Int] = [:]
    private let trace: Trace
    private let queues: [WaitGraph.Queue]
    /// The names of the executors that tasks wait for, by the tasks' indices into the trace's operations.
    private var executors: [Int: String] = [:]
    /// Longer names of queues and executors are cut at arrows.
    private static let longestName = 20

    /// Linear in unfinished operations.
    ///
    /// If a queue has several slots, which of them an operation would get is not known. Its arrow then comes
    /// from the operation that the deadlock names; without a deadlock, it has no arrow. Tasks outside of
    /// circles have arrows only where they block a thread.
    init(_ analysis: TraceAnalysis) {
        let blockers = analysis.blockers
        trace = analysis.trace
        queues = blockers.graph.queues
        let circles = Circles(analysis)
        inCircles = circles.members
        let queueOfOperation = trace.operations.store.columns.queues
        for (number, operation) in blockers.operations.enumerated() {
            guard let hop = blockers[operation] else { continue }
            let isInCircle = circles.members.contains(operation)
            let relation: DrawnGraph.Edge.Relation
            switch hop.reason {
            case .dependency:
                if isInCircle { edgesInCircles[operation] = hop.next }
                continue
            case .child, .created: continue
            case .wait, .queueWait: relation = .wait
            case .key: relation = .key
            case .slot:
                let isOnly = queues[Int(queueOfOperation[operation])].limit == 1
                guard isOnly || isInCircle || circles.stuck.contains(operation) else { continue }
                relation = .slot
            case .awaited where isInCircle: relation = .task
            case .executor where isInCircle:
                relation = .executor
                executors[operation] = blockers.executor(ofTask: number).map {
                    trace.tasks.nameInProse(ofExecutor: $0, toColumns: Self.longestName)
                }
            case .awaited, .executor: continue
            case .thread, .blockedThread: relation = .thread
            }
            waits.append(
                Wait(blocker: hop.next, waiting: operation, relation: relation, isInCircle: isInCircle))
        }
        for hop in circles.possible where trace.operations.indices.contains(hop.next) {
            waits.append(
                Wait(blocker: hop.next, waiting: hop.operation, relation: .created, isInCircle: true))
        }
        addTasks(blockers)
    }

    /// Circles without operations. Lost events may be what their tasks wait for.
    private mutating func addTasks(_ blockers: Blockers) {
        guard let first = trace.tasks.asOperations?.first, trace.header.droppedEvents == 0 else { return }
        for circle in TaskWaitGraph(trace.tasks).circles(besides: blockers) {
            for (waiting, blocker) in zip(circle, circle.dropFirst() + circle.prefix(1)) {
                // A task that has an executor runs, so all of them await each other.
                waits.append(
                    Wait(
                        blocker: first + blocker, waiting: first + waiting, relation: .task, isInCircle: true)
                )
                inCircles.insert(first + waiting)
            }
        }
    }

    /// Who waits for whom in circles, also through dependencies; ordered by who waits.
    var hopsInCircles: [Wait] {
        let dependencies = edgesInCircles.map {
            Wait(blocker: $0.value, waiting: $0.key, relation: .dependency, isInCircle: true)
        }
        return (dependencies + waits.filter(\.isInCircle)).sorted {
            ($0.waiting, $0.blocker) < ($1.waiting, $1.blocker)
        }
    }

    func isInCircle(_ edge: Trace.Edge) -> Bool { edgesInCircles[edge.successor] == edge.predecessor }

    /// Who waits for whom in circles, as indices into the trace's operations.
    private struct Circles {
        var members: Set<Int> = []
        /// What waits for a circle that is proven, or is in it.
        var stuck: Set<Int> = []
        /// The hops to tasks that their creators may wait for.
        var possible: [WaitHop] = []

        init(_ analysis: TraceAnalysis) {
            let blockers = analysis.blockers
            let isCertain = blockers.standstills.allSatisfy(\.possibleCircle.isEmpty)
            let report = isCertain ? nil : UnfinishedReport(analysis)
            for standstill in blockers.standstills {
                if standstill.isDeadlock {
                    members.formUnion(standstill.origins.map { blockers.operations[$0] })
                    stuck.formUnion(standstill.others.map { blockers.operations[$0] })
                } else if let report, report.mayBeDeadlock(standstill) {
                    let circle = standstill.possibleCircle.map(blockers.inTrace)
                    members.formUnion(circle.map(\.operation))
                    possible += circle.prefix(1)
                }
            }
        }
    }

    /// The waits between drawn operations, and how many more have no arrow because one operation has many.
    func drawn(_ isDrawn: (Int) -> Bool) -> (waits: [Wait], omitted: Int) {
        var omitted = 0
        var forSlots: [Int: Int] = [:]
        let drawn = waits.filter { wait in
            guard isDrawn(wait.blocker), isDrawn(wait.waiting) else { return false }
            guard wait.relation == .slot || wait.relation == .thread, !wait.isInCircle else { return true }
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
    /// - Parameters:
    ///   - waiting: the single operation at its end, as an index into the trace's operations.
    ///   - queue: that of all waiting operations, as an index into the trace's queues.
    func words(_ relation: DrawnGraph.Edge.Relation, waiting: Int?, queue: Int?) -> String? {
        switch relation {
        case .dependency, .spawn, .awaited, .resumed, .actorHeld, .finisher: return nil
        case .wait: return "blocks"
        case .key: return "has the key"
        case .slot:
            guard let queue, trace.queues.indices.contains(queue) else { return "has a slot" }
            let name = TerminalText.shortened(trace.queues[queue].ownName, toColumns: Self.longestName)
            return "has \(queues[queue].limit == 1 ? "the" : "a") slot of \(name)"
        // Only main queues have a single thread.
        case .thread:
            guard let queue, queues.indices.contains(queue), queues[queue].threadHolder == nil else {
                return "has the main thread"
            }
            return "keeps the main thread waiting"
        case .task: return "is awaited"
        case .executor: return "has \(waiting.flatMap { executors[$0] } ?? "the executor")"
        case .created: return "may hold up"
        }
    }
}
