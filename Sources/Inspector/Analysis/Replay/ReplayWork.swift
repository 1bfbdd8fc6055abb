internal import HeapModule
import InspectorColumns

/// The threads and processors of a replay, and how far each operation has come.
struct ReplayWork {
    typealias Events = Heap<ReplayRun.Event>

    /// The threads that a process has for operations.
    struct Pool {
        /// Negative for no limit.
        var width: Int
        var busy = 0 {
            didSet { mostBusy = max(mostBusy, busy) }
        }
        private(set) var mostBusy = 0
        /// Operations that have a slot and no thread, in the order in which they got the slot.
        private var waiting: [Int] = []
        private var served = 0

        init(width: Int) { self.width = width }

        var hasThread: Bool { width < 0 || busy < width }
        var hasWaiting: Bool { served < waiting.count }

        mutating func append(_ operation: Int) { waiting.append(operation) }

        mutating func popFirst() -> Int? {
            guard hasWaiting else { return nil }
            served += 1
            return waiting[served - 1]
        }
    }

    /// A pool of which every thread is blocked gets another one after this time, as libdispatch's does.
    private static let growth: Int64 = 1_000_000_000

    let pieces: ReplayPieces
    /// Whether the pools grow as they did in the recorded run.
    let hasRecordedPools: Bool
    private let isAlone: Bool
    /// The factor for each operation's execution; empty if all are 1.
    private let factors: [Double]
    private let model: ReplayModel
    /// By queue: whether its operations never block.
    private let isWithoutBlocking: [Bool]
    /// By process.
    private let machines: [Int]
    private let processes: Column<Int32>
    /// For each operation, the number of its next piece.
    private var next: [Int]
    /// For each operation, the one that it waits for; -1 for none.
    private var awaited: [Int32]
    private var isFinished: [Bool]
    /// Whether it has a thread of a pool.
    private var hasThread: [Bool]
    /// By machine.
    private var processors: [ProcessorSharing]
    /// By process.
    private var pools: [Pool]

    init(
        _ pieces: ReplayPieces, of model: ReplayModel, _ scenario: ReplayScenario, _ trace: Trace,
        factors: [Double]
    ) {
        self.pieces = pieces
        self.factors = factors
        self.model = model
        isAlone = scenario.isAlone
        isWithoutBlocking = trace.queues.indices.map { scenario.queuesWithoutBlocking.contains($0) }
        processes = trace.operations.store.columns.processes
        machines = pieces.hosts
        let count = pieces.first.count - 1
        next = Array(pieces.first.dropLast())
        awaited = Array(repeating: -1, count: count)
        isFinished = Array(repeating: false, count: count)
        hasThread = isFinished
        processors = pieces.processors.indices.map { host in
            ProcessorSharing(
                scenario.processors == .recorded && !scenario.isWithoutQuota
                    ? pieces.quotas[host]
                    : scenario.processors.number(recorded: pieces.processors[host]).map { Double($0) })
        }
        // The pool is as wide as the processors.
        let isUnlimited = pieces.threads.isOneForEachSlot || scenario.processors == .unlimited
        hasRecordedPools = scenario.pool == .recorded && !isUnlimited
        pools = pieces.hosts.map { host in
            let recorded = isUnlimited ? nil : pieces.processors[host]
            return Pool(width: scenario.pool.number(recorded: recorded) ?? -1)
        }
    }

    /// The most threads of any pool that were in use at once.
    var mostThreads: Int { pools.map(\.mostBusy).max() ?? 0 }

    /// When the first calculation is done.
    var nextDone: Int64? {
        var first: Int64?
        for machine in processors {
            if let next = machine.next { first = min(first ?? next, next) }
        }
        return first
    }
}

extension ReplayWork {
    /// The operation has a slot.
    ///
    /// - Parameter since: when the slot was free, not after `time`.
    mutating func begin(_ operation: Int, at time: Int64, since: Int64, _ events: inout Events) {
        let pool = Int(pieces.threads.pools[operation])
        if pools.indices.contains(pool) {
            guard pools[pool].hasThread else { return pools[pool].append(operation) }
            pools[pool].busy += 1
            hasThread[operation] = true
        }
        goOn(operation, at: time, since: since, &events)
    }

    /// Goes on until something takes time.
    mutating func goOn(_ operation: Int, at time: Int64, since: Int64 = .max, _ events: inout Events) {
        while next[operation] < pieces.first[operation + 1] {
            let piece = next[operation]
            next[operation] += 1
            let value = pieces.values[piece]
            switch pieces.kinds[piece] {
            case .adds: events.insert(ReplayRun.Event(.release, Int(value), at: time))
            case .awaits:
                if isFinished[Int(value)] { continue }
                awaited[operation] = Int32(truncatingIfNeeded: value)
                return
            case .leavesThread: leaveThread(operation, at: time, &events)
            case .calculates, .delegates, .dispatches, .taken:
                let left = remaining(piece, of: operation, at: time, since: since)
                if left <= 0 { continue }
                let threads = pieces.threadCounts.isEmpty ? nil : pieces.threadCounts[piece]
                processors[machine(of: operation)]
                    .add(operation, work: left, threads: threads ?? 1, at: time)
                return
            case .wakes, .blocks, .unmeasured:
                let left = remaining(piece, of: operation, at: time, since: since)
                if left <= 0 { continue }
                events.insert(ReplayRun.Event(.piece, operation, at: time.saturatingAdd(left)))
                return
            }
        }
        events.insert(ReplayRun.Event(.finish, operation, at: time))
    }

    /// The operation has finished.
    mutating func end(_ operation: Int, at time: Int64, _ events: inout Events) {
        isFinished[operation] = true
        leaveThread(operation, at: time, &events)
        for position in pieces.awaiters.range(of: operation) {
            let waiter = Int(pieces.awaiters.targets[position])
            guard awaited[waiter] == operation else { continue }
            awaited[waiter] = -1
            goOn(waiter, at: time, &events)
        }
    }

    /// Lets operations go on whose calculation is done.
    mutating func takeDone(at time: Int64, _ events: inout Events) {
        for machine in processors.indices {
            while let operation = processors[machine].popDone(at: time) {
                goOn(operation, at: time, &events)
            }
        }
    }

    /// Whether no operation has anything to do on a processor.
    var isIdle: Bool { !processors.contains(where: \.hasOperations) }

    /// A thread without an operation calculates.
    mutating func add(_ background: ReplayPieces.Background) {
        processors[background.machine].add(nil, work: background.work, at: background.time)
    }

    /// A pool becomes as wide as it was in the recorded run.
    mutating func widen(_ step: RecordedThreads.Step, at time: Int64, _ events: inout Events) {
        pools[step.process].width = max(pools[step.process].width, step.width)
        serve(step.process, at: time, &events)
    }

    /// Nothing will happen any more, unless operations that wait for threads get some.
    mutating func growPools(at time: Int64, _ events: inout Events) {
        for pool in pools.indices where pools[pool].hasWaiting {
            pools[pool].width += 1
            serve(pool, at: time.saturatingAdd(Self.growth), &events)
        }
    }

    private mutating func leaveThread(_ operation: Int, at time: Int64, _ events: inout Events) {
        guard hasThread[operation] else { return }
        hasThread[operation] = false
        let pool = Int(pieces.threads.pools[operation])
        pools[pool].busy -= 1
        serve(pool, at: time, &events)
    }

    private mutating func serve(_ pool: Int, at time: Int64, _ events: inout Events) {
        while pools[pool].hasThread, let operation = pools[pool].popFirst() {
            pools[pool].busy += 1
            hasThread[operation] = true
            // Not at once: that could go on from operation to operation without end.
            events.insert(ReplayRun.Event(.piece, operation, at: time))
        }
    }

    private func remaining(_ piece: Int, of operation: Int, at time: Int64, since: Int64) -> Int64 {
        let value = pieces.values[piece]
        switch pieces.kinds[piece] {
        case .taken: return isAlone ? 0 : value
        case .wakes, .dispatches: return since < time ? value - (time - since) : value
        case .blocks:
            let queue = Int(model.rows[operation].queue)
            if queue >= 0, isWithoutBlocking[queue] { return 0 }
        case .calculates, .delegates, .unmeasured, .adds, .awaits, .leavesThread: break
        }
        return factors.isEmpty ? value : Makespans.scaled(value, by: factors[operation])
    }

    private func machine(of operation: Int) -> Int { machines[Int(processes[operation])] }
}
