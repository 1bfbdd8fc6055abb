import EventLog

/// Parents and dependencies in other processes, for the merged log.
///
/// Parents must not form a cycle. The operation of a cycle that is enqueued last does not get the parent that
/// would close it. It keeps the parent from its own log, unless that closes the cycle.
struct MergedEdges {
    private let causes: MergedCauses
    /// How many operations have a cause in another log, and how many of these lost the parent from their own
    /// log.
    private(set) var crossings = 0
    private(set) var replacedParents = 0
    private(set) var leftOut = 0
    /// How many parents were dropped because they would close a cycle.
    private(set) var circular = 0
    /// Causes that had finished when their effects were enqueued, between clocks that share only the time of
    /// day.
    private(set) var over = 0
    private let clocks: [Int]
    /// Operations whose parent is settled, each with an ancestor: the parent itself, or one nearer to the
    /// root.
    private var ancestors: [OperationID: OperationID] = [:]
    private var settled: Set<OperationID> = []

    /// - Parameter clocks: the clock of each log.
    init(_ causes: MergedCauses, clocks: [Int]) {
        self.causes = causes
        self.clocks = clocks
    }

    /// Call this for every enqueue, as it is in the merged trace, in the order of the trace. Nearly constant
    /// time on average.
    mutating func connect(_ enqueue: inout EventFields, in log: Int, _ processes: [LogProcess]) {
        // Without messages, the logs' own parents stay. If an operation is enqueued twice, the first enqueue
        // counts.
        let operation = OperationID(enqueue.subject)
        guard !causes.messages.isEmpty, settled.insert(operation).inserted else { return }
        let original = OperationID(enqueue.subject - processes[log].operationsBefore)
        var parent: OperationID?
        var isCrossing = false
        for cause in causes.causes(of: original, in: log, hasParent: enqueue.parent != nil) {
            let process = processes[cause.log]
            let id = OperationID(cause.operation.rawValue + process.operationsBefore)
            guard id != operation else { continue }
            if let finished = cause.finished, finished + process.offset <= enqueue.time {
                if !enqueue.predecessors.contains(id.rawValue) { enqueue.predecessors.append(id.rawValue) }
                if clocks[cause.log] != clocks[log] { over += 1 }
            } else if let parent {
                if parent != id { leftOut += 1 }
                continue
            } else {
                guard root(of: id) != operation else {
                    circular += 1
                    continue
                }
                parent = id
                if cause.log != log, enqueue.parent != nil { replacedParents += 1 }
            }
            if cause.log != log { isCrossing = true }
        }
        if isCrossing { crossings += 1 }
        if let parent { enqueue.parent = parent.rawValue }
        guard let parent = enqueue.parent.map({ OperationID($0) }) else { return }
        guard root(of: parent) != operation else {
            circular += 1
            enqueue.parent = nil
            return
        }
        ancestors[operation] = parent
    }

    /// The ancestor that has no parent yet, or the operation itself. Halves the path on the way, as R. E.
    /// Tarjan and J. van Leeuwen do ("Worst-case analysis of set union algorithms", 1984).
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
