/// What the rules look at: the trace in columns, and indices that are made once for all of them.
final class HazardContext {
    private static let longestName = 40

    let trace: Trace
    let count: Int
    /// The last moment that the log says anything about. Differences from it never overflow.
    let end: Int64
    let enqueued: TransitionTimes
    let ready: TransitionTimes
    let executing: TransitionTimes
    let bodyEnded: TransitionTimes
    let cancelled: TransitionTimes
    let finished: TransitionTimes
    /// Index into the trace's queues, or -1.
    let queue: [Int]
    /// Index of the operation that enqueued it, or -1.
    let parent: [Int]
    let priority: [Int]

    /// Members of a queue, in the order of the log.
    let members: Adjacency
    lazy var children = Adjacency(owners: count, pairs: parent.indices.lazy.map { (self.parent[$0], $0) })
    lazy var predecessors = Adjacency(
        owners: count, pairs: edges.lazy.map { ($0.successor, $0.predecessor) })
    lazy var successors = Adjacency(owners: count, pairs: edges.lazy.map { ($0.predecessor, $0.successor) })
    /// Those of the trace's edges that name two operations of it.
    lazy var edges: [Trace.Edge] = trace.edges.filter {
        $0.predecessor != $0.successor && $0.predecessor >= 0 && $0.predecessor < count && $0.successor >= 0
            && $0.successor < count
    }
    lazy var waits: [Waits?] = {
        let lifelines = (0..<count).map { Lifeline(trace.operations[$0], traceEnd: end) }
        return WaitInference(trace, lifelines).waits()
    }()
    lazy var occupancy = Occupancy(self)
    lazy var stuck = StuckOperations(self)
    /// Only for what is said of operations that never finished.
    lazy var analysis = TraceAnalysis(trace)

    /// Linear in the trace.
    init(_ trace: Trace) {
        let operations = trace.operations
        let queues = trace.queues.count
        count = operations.count
        var (enqueued, ready, executing) = (TransitionTimes(), TransitionTimes(), TransitionTimes())
        var (bodyEnded, cancelled, finished) = (TransitionTimes(), TransitionTimes(), TransitionTimes())
        var (queue, parent, priority) = ([Int](), [Int](), [Int]())
        for (index, operation) in operations.enumerated() {
            enqueued.append(operation.enqueued)
            ready.append(operation.ready)
            executing.append(operation.executing)
            bodyEnded.append(operation.bodyEnded)
            cancelled.append(operation.cancelled)
            finished.append(operation.finished)
            queue.append(operation.queue.flatMap { $0 >= 0 && $0 < queues ? $0 : nil } ?? -1)
            let isParent = operation.parent.map { $0 >= 0 && $0 < operations.count && $0 != index } ?? false
            parent.append(isParent ? operation.parent ?? -1 : -1)
            priority.append(operation.priority)
        }
        self.trace = trace
        end = Lifeline.end(of: trace)
        self.enqueued = enqueued
        self.ready = ready
        self.executing = executing
        self.bodyEnded = bodyEnded
        self.cancelled = cancelled
        self.finished = finished
        self.queue = queue
        self.parent = parent
        self.priority = priority
        members = Adjacency(owners: queues, pairs: queue.indices.lazy.map { (queue[$0], $0) })
    }

    // MARK: Questions that many rules ask

    /// It was enqueued, and its finish is not in the log.
    func isUnfinished(_ operation: Int) -> Bool {
        enqueued.isKnown(operation) && !finished.isKnown(operation)
    }

    /// Its finish, or the end of the log.
    func lastMoment(_ operation: Int) -> Int64 { finished[operation] ?? end }

    lazy var firstEnqueue: Int64? = (0..<count).lazy.compactMap { self.enqueued[$0] }.min()

    /// Nanoseconds from the first enqueue to the last finish, or to the end of the log where something did not finish.
    lazy var makespan: Int64 = {
        guard let firstEnqueue else { return 0 }
        let last = (0..<count).lazy.filter { self.enqueued.isKnown($0) }.map { self.lastMoment($0) }.max()
        return max(0, (last ?? firstEnqueue) - firstEnqueue)
    }()

    /// Nil where what does not stand in the log did not happen; else a sentence why that cannot be said.
    var incompleteness: String? {
        let dropped = trace.header.droppedEvents
        if dropped == 0 { return nil }
        return dropped == 1
            ? "1 event was dropped, and it may be the one that is missing"
            : "\(dropped) events were dropped, and what is missing may be among them"
    }

    /// Short, and safe for a terminal.
    func name(_ operation: Int) -> String { shortened(trace.operations[operation].displayName) }

    func queueName(_ queue: Int) -> String {
        guard trace.queues.indices.contains(queue) else { return "its queue" }
        let name = trace.queues[queue].name
        return name.isEmpty ? "queue \(trace.queues[queue].id)" : "queue \(shortened(name))"
    }

    func kind(_ operation: Int) -> String { trace.operations[operation].kind }

    private func shortened(_ text: String) -> String {
        TerminalText.shortened(text, toColumns: Self.longestName)
    }
}

extension HazardContext {
    /// Some of the events of an operation, as evidence.
    func events(_ operation: Int, _ transitions: Transition...) -> [HazardFinding.Evidence] {
        let name = name(operation)
        return transitions.map { transition in
            let (times, done, missing) =
                switch transition {
                case .enqueued: (enqueued, "was enqueued", "was never enqueued")
                case .ready: (ready, "was ready", "was never ready")
                case .executing: (executing, "started", "never started")
                case .cancelled: (cancelled, "was cancelled", "was never cancelled")
                case .finished: (finished, "finished", "never finished")
                }
            return HazardFinding.Evidence(
                times[operation], "\(name) \(times.isKnown(operation) ? done : missing)")
        }
    }

    enum Transition { case enqueued, ready, executing, cancelled, finished }

    /// `3 operations`, `1 operation`.
    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// The first few names: `a, b, c and 12 more`.
    func names(_ operations: some Collection<Int>, atMost limit: Int = 4) -> String {
        let shown = operations.prefix(limit).map { name($0) }.joined(separator: ", ")
        return operations.count > limit ? "\(shown) and \(operations.count - limit) more" : shown
    }
}
