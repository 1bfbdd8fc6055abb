import InspectorColumns

/// A serial queue that separates operations without a dependency between them, and thereby lengthens the run.
enum OverSerialized: HazardRule {
    static let name = "over-serialized"
    static let meaning =
        "a serial queue ran independent operations one by one, which made the run longer"

    /// Shorter delays are not reported, in nanoseconds. 200 ms, and a quarter of the makespan, because serial
    /// queues are often intended.
    private static let leastTime: Int64 = 200_000_000
    private static let leastPart: Int64 = 4

    static func check(_ context: HazardContext, _ findings: inout HazardCollector) {
        let least = max(leastTime, context.makespan / leastPart)
        // Only the queue with the longest waits, because each costs two passes through the graph.
        var worst: (queue: Int, slot: Int64)?
        for queue in context.trace.queues.indices {
            let limits = context.trace.queues[queue].limits
            guard !limits.isEmpty, limits.allSatisfy({ $0.limit == 1 }) else { continue }
            let slot = context.members[queue].reduce(Int64(0)) {
                $0.saturatingAdd(context.waits[$1]?.slot ?? 0)
            }
            if slot >= least, slot > worst?.slot ?? 0 { worst = (queue, slot) }
        }
        guard let queue = worst?.queue else { return }
        let model = RunModel(context)
        let cost = model.length(withoutSlotWaitsOf: nil) - model.length(withoutSlotWaitsOf: queue)
        guard cost >= least else { return }
        let waited = context.members[queue].filter { context.waits[$0]?.slot ?? 0 > 0 }
        findings.report(.note, .queue(queue), cost: cost) {
            HazardFinding(
                .note, Array(waited.prefix(20)),
                "\(context.queueName(queue)) runs one operation at a time; "
                    + "\(Prose.counted(waited.count, "operation")) waited for its slot although no "
                    + "dependency orders them; without that, the run would take up to "
                    + "\(DurationFormat.text(nanoseconds: cost)) less",
                evidence: waited.prefix(3).flatMap { context.events($0, .ready, .executing) }, cost: cost,
                advice:
                    "if their order does not matter, raise maxConcurrentOperationCount; give an exclusion "
                    + "key to those that must not overlap"
            )
        }
    }
}

/// How long the run takes if every operation waits as recorded, except for one queue's slots.
private struct RunModel {
    private let context: HazardContext
    private let lastChild: [Int]
    private let origin: Int64

    init(_ context: HazardContext) {
        self.context = context
        origin = context.firstEnqueue ?? 0
        lastChild = (0..<context.count).map { parent in
            context.children[parent].filter { context.finished.isKnown($0) }
                .max { context.lastMoment($0) < context.lastMoment($1) } ?? -1
        }
    }

    /// Nanoseconds. Linear in operations and edges. Like ``ConstraintGraph/throughDependencies(_:_:_:_:)``,
    /// but including waits.
    func length(withoutSlotWaitsOf queue: Int?) -> Int64 {
        var edges: [ConstraintGraph.Edge] = []
        edges.reserveCapacity(context.count * 2 + context.edges.count)
        // The beginning of the run counts as an extra operation.
        let beginning = ConstraintGraph.start(context.count)
        for index in 0..<context.count {
            guard let waits = context.waits[index] else { continue }
            let (start, finish) = (ConstraintGraph.start(index), ConstraintGraph.finish(index))
            let slot = context.queue[index] == queue ? 0 : waits.slot
            let delay = waits.suspended + slot + waits.dispatch
            let enqueued = context.enqueued.notAfter(index)
            let parent = context.parent[index]
            if parent >= 0, let began = context.executing[parent], began <= enqueued {
                edges.append(.init(ConstraintGraph.start(parent), start, lag: enqueued - began + delay))
            } else {
                edges.append(.init(beginning, start, lag: max(0, enqueued - origin) + delay))
            }
            for predecessor in context.predecessors[index]
            where context.lastMoment(predecessor) <= (context.executing[index] ?? context.end) {
                edges.append(.init(ConstraintGraph.finish(predecessor), start, lag: delay))
            }
            edges.append(.init(start, finish, lag: lastChild[index] < 0 ? waits.execution : 0))
            if parent >= 0, lastChild[parent] >= 0 {
                let rest =
                    lastChild[parent] == index
                    ? max(0, context.lastMoment(parent) - context.lastMoment(index)) : 0
                edges.append(.init(finish, ConstraintGraph.finish(parent), lag: rest))
            }
        }
        let lengths = ConstraintGraph(operations: context.count + 1, edges).longestLengthsTo()
        return (0..<context.count).reduce(0) { max($0, lengths[ConstraintGraph.finish($1)]) }
    }
}
