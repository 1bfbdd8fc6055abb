import EventLog

/// Parents and dependencies in other processes, as the merged log has them.
///
/// Parents go in no circle: of those that would, the one that is enqueued last has none that closes it. It
/// keeps the parent that it has in its own log, unless that closes the circle.
struct MergedEdges {
    private let causes: MergedCauses
    /// How many operations have a cause in another log, and how many of these gave up the parent that they
    /// had in their own.
    private(set) var crossings = 0
    private(set) var replacedParents = 0
    private(set) var leftOut = 0
    /// How many parents are caused by what they would be the parents of.
    private(set) var circular = 0
    /// Causes that had finished when their effects were enqueued, by clocks that share only the time of day.
    private(set) var over = 0
    private let clocks: [Int]
    /// Those whose parent is settled, each with one of its ancestors: the parent itself, or one nearer to the
    /// root.
    private var ancestors: [OperationID: OperationID] = [:]
    private var settled: Set<OperationID> = []

    /// - Parameter clocks: by log.
    init(_ causes: MergedCauses, clocks: [Int]) {
        self.causes = causes
        self.clocks = clocks
    }

    /// Is to be told every enqueue in the order of the merged trace. Nearly constant time on average.
    ///
    /// - Parameters:
    ///   - original: as its own log numbers it.
    ///   - time: of the enqueue, in the merged trace.
    mutating func connect(
        _ enqueue: inout LogEvent.Enqueue, _ original: LogEvent.Enqueue, in log: Int, at time: Int64,
        _ processes: [LogProcess]
    ) {
        // Without messages, all parents are those of the logs. Of what is enqueued twice, the first enqueue
        // stands.
        guard !causes.messages.isEmpty, settled.insert(enqueue.operation).inserted else { return }
        var parent: OperationID?
        var isCrossing = false
        for cause in causes.causes(of: original.operation, in: log, hasParent: original.parent != nil) {
            let process = processes[cause.log]
            let id = OperationID(cause.operation.rawValue + process.operationsBefore)
            guard id != enqueue.operation else { continue }
            if let finished = cause.finished, finished + process.offset <= time {
                if !enqueue.dependencies.contains(id) { enqueue.dependencies.append(id) }
                if clocks[cause.log] != clocks[log] { over += 1 }
            } else if let parent {
                if parent != id { leftOut += 1 }
                continue
            } else {
                guard root(of: id) != enqueue.operation else {
                    circular += 1
                    continue
                }
                parent = id
                if cause.log != log, enqueue.parent != nil { replacedParents += 1 }
            }
            if cause.log != log { isCrossing = true }
        }
        if isCrossing { crossings += 1 }
        if let parent { enqueue.parent = parent }
        guard let parent = enqueue.parent else { return }
        guard root(of: parent) != enqueue.operation else {
            circular += 1
            enqueue.parent = nil
            return
        }
        ancestors[enqueue.operation] = parent
    }

    /// The ancestor that has no parent yet; the operation itself where it has none. Paths are halved on the
    /// way, as R. E. Tarjan and J. van Leeuwen do ("Worst-case analysis of set union algorithms", 1984).
    private mutating func root(of operation: OperationID) -> OperationID {
        var operation = operation
        while let next = ancestors[operation] {
            guard let second = ancestors[next] else { return next }
            ancestors[operation] = second
            operation = second
        }
        return operation
    }
}
