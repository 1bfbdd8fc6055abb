import EventLog

/// Counts events of a log that contradict earlier ones: events that a trace leaves out, and operations that
/// finished before they started.
struct LogContradictions {
    private(set) var count = 0
    private var operations: [OperationID: Lifetime] = [:]
    /// For each thread, how many waits have not ended.
    private var openWaits: [UInt64: Int] = [:]

    private struct Lifetime {
        var transitions: Transitions = []
        /// The earliest possible start.
        var started: Int64?
        var finished: Int64?
    }

    private struct Transitions: OptionSet {
        let rawValue: UInt8

        static let enqueued = Transitions(rawValue: 1 << 0)
        static let ready = Transitions(rawValue: 1 << 1)
        static let executing = Transitions(rawValue: 1 << 2)
        static let cancelled = Transitions(rawValue: 1 << 3)
        static let bodyBegan = Transitions(rawValue: 1 << 4)
        static let bodyEnded = Transitions(rawValue: 1 << 5)
        static let finished = Transitions(rawValue: 1 << 6)
    }

    /// Constant time.
    mutating func add(_ event: LogEvent) {
        switch event.body {
        case .enqueued(let enqueue): tell(.enqueued, of: enqueue.operation)
        case .ready(let operation): tell(.ready, of: operation)
        case .cancelled(let operation): tell(.cancelled, of: operation)
        case .bodyBegan(let operation):
            // The thread that the execution began on may have left it before.
            if tell(.bodyBegan, of: operation) { operations[operation]?.transitions.remove(.bodyEnded) }
        case .bodyEnded(let operation): tell(.bodyEnded, of: operation)
        case .dependencyAdded(let operation, _):
            // It waits again, and becomes ready once more.
            operations[operation]?.transitions.remove(.ready)
        case .executing(let operation):
            guard tell(.executing, of: operation) else { return }
            let start = min(event.time, event.notBefore ?? event.time)
            operations[operation]?.started = start
            if let finished = operations[operation]?.finished, finished < start { count += 1 }
        case .finished(let operation, _):
            guard tell(.finished, of: operation) else { return }
            operations[operation]?.finished = event.time
            if let start = operations[operation]?.started, event.time < start { count += 1 }
        case .waitBegan: openWaits[event.thread, default: 0] += 1
        case .waitEnded:
            guard let open = openWaits[event.thread], open > 0 else {
                count += 1
                return
            }
            openWaits[event.thread] = open - 1
        default: break
        }
    }

    /// False if the log already has the transition.
    @discardableResult
    private mutating func tell(_ transition: Transitions, of operation: OperationID) -> Bool {
        let isNew = operations[operation, default: Lifetime()].transitions.insert(transition).inserted
        if !isNew { count += 1 }
        return isNew
    }
}
