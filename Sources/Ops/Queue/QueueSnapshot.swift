import EventLog
import Foundation
import WaitDiagnosis

/// What a queue holds at one moment: what executes, what waits, and for what.
///
/// It is taken from outside, without stopping the queue. Changes during that time may show in part.
public struct QueueSnapshot: Sendable, CustomStringConvertible {
    /// One operation of the queue, or one that an operation of the queue waits for.
    public struct Entry: Sendable {
        /// Why an operation is not executing.
        public enum State: Sendable {
            /// It was started, and has not finished.
            case executing
            /// Waits for the operations at these indices of `entries`; some of them may be in other queues.
            case waiting([Int])
            /// Only the queue holds it back: it is suspended, or a slot or a thread is missing.
            case ready
            /// It says that it has finished; see ``isUnnotified``.
            case finished
        }

        /// The operation's own name, or the name of its class. For a closure without a name, its function and
        /// its number there.
        public var name: String
        /// The name of its class, or the kind that the program gave it.
        public var kind: String
        /// What it was doing at that moment.
        public var state: State
        /// Why a started operation makes no progress, in words: the operation that is ahead of it for its
        /// keys, or what its thread waits for. The latter is known only while the queue's recorder records.
        public var wait: String?
        /// Whether it was cancelled. It still has to finish.
        public var isCancelled: Bool
        /// Whether `isFinished` is true but its queue was not notified. The queue then still holds its slot
        /// and its dependents. Linux.
        public var isUnnotified: Bool
        /// Whether it is in this queue.
        public var isInQueue: Bool
    }

    /// Empty for a queue without a name.
    public var name: String
    /// `maxConcurrentOperationCount`; -1 if the system decides.
    public var limit: Int
    /// Whether the queue starts no operations for now.
    public var isSuspended: Bool
    /// The queue's operations, in the order in which they were added; then operations elsewhere that they
    /// wait for.
    public var entries: [Entry]

    /// Every thread of the pool that Swift tasks run on is blocked in a task, while other tasks have been
    /// ready for half a second or longer. Nil if that is not so, or not known.
    ///
    /// It is known only on Linux, in a process whose tasks are recorded (``Recorder/observeTasks()``) into a
    /// log that has lost no event and can be read in 1 s, which is enough for about three million events; not
    /// under `opviz record`. The pool is taken to have as many threads as there are processors that the
    /// program may use.
    ///
    /// Threads are asked from outside, twice, 10 ms apart: both times each must be blocked, and not have run
    /// between.
    public var blockedPool: BlockedPool?

    /// Which entries wait for which. Tasks follow the entries.
    private(set) var graph = WaitGraph()
    /// The tasks in `graph`. Nil if none of them waits, or if tasks are not recorded.
    private(set) var tasks: SnapshotTasks?
    /// The entries that may go on after `start()` has returned.
    private(set) var asynchronous: Set<Int> = []

    /// Takes a snapshot of `queue`, which `writer` records. Any thread, but not in code that holds the lock
    /// of the queue or of the main queue, such as an override of `isReady`. Linear in the number of their
    /// operations and dependencies.
    init(of queue: InstrumentedQueue, recordedBy writer: EventLogWriter?) {
        name = queue.name.map { $0.hasPrefix("NSOperationQueue 0x") ? "" : $0 } ?? ""
        limit = queue.maxConcurrentOperationCount
        isSuspended = queue.isSuspended
        let blocked = writer.map { BlockedThreads($0) }
        var operations = queue.operations
        let count = operations.count
        let main = blocked?.tasks == nil && blocked?.ofMainThread == nil ? nil : OperationQueue.main
        let inMainQueue = main?.operations ?? []
        let isInMainQueue = Set(inMainQueue.lazy.map { ObjectIdentifier($0) })
        let onMainThread = blocked?.ofMainThread?.operation.flatMap { id in
            inMainQueue.first { blocked?.identifier(of: $0) == id.rawValue }
        }
        graph.queues = [WaitGraph.Queue(limit: limit, isSuspended: isSuspended)]
        if let main { graph.queues.append(WaitGraph.Queue(limit: 1, isSuspended: main.isSuspended)) }
        var indices = Dictionary(
            operations.enumerated().map { (ObjectIdentifier($0.element), $0.offset) },
            uniquingKeysWith: { first, _ in first })
        func index(of other: Operation) -> Int {
            let key = ObjectIdentifier(other)
            if let known = indices[key] { return known }
            indices[key] = operations.count
            operations.append(other)
            return operations.count - 1
        }
        func isAbout(_ target: OpenWait.Target) -> Bool {
            switch target {
            case .operation(let other): indices[ObjectIdentifier(other)] != nil
            case .queue(let other): other === queue
            }
        }
        func inGraph(_ target: OpenWait.Target) -> WaitGraph.Target? {
            switch target {
            case .operation(let other): .operation(index(of: other))
            case .queue(let other): other === queue ? .queue(0) : other === main ? .queue(1) : nil
            }
        }
        for other in blocked?.awaited(byTasksOf: operations) ?? [] { _ = index(of: other) }
        if let onMainThread, let wait = blocked?.ofMainThread, isAbout(wait.target) {
            _ = index(of: onMainThread)
        }
        var waits: [(operation: Int, target: WaitGraph.Target, number: UInt64)] = []
        var targetOfMainThread: WaitGraph.Target?
        var entries: [Entry] = []
        var next = 0
        while next < operations.count {
            let operation = operations[next]
            let pending =
                operation.isExecuting || operation.isFinished
                ? []
                : operation.dependencies.filter {
                    !$0.isFinished || !ClassInterposition.wasNotifiedOfFinish(of: $0)
                }
            let waitsFor = pending.map { index(of: $0) }
            let kind = operationKind(of: operation)
            let state = Self.state(of: operation, waitsFor)
            let isUnnotified =
                if case .finished = state { !ClassInterposition.wasNotifiedOfFinish(of: operation) } else {
                    false
                }
            if operation.isAsynchronous { asynchronous.insert(next) }
            for predecessor in waitsFor { graph.dependencies.append((predecessor, next)) }
            let wait = operation.isFinished ? nil : blocked?.wait(of: operation)
            if let wait, let target = inGraph(wait.target) { waits.append((next, target, wait.number)) }
            let needsMainThread = isInMainQueue.contains(ObjectIdentifier(operation))
            if needsMainThread, let wait = blocked?.ofMainThread {
                if let onMainThread {
                    _ = index(of: onMainThread)
                } else if wait.operation == nil {
                    targetOfMainThread = inGraph(wait.target)
                }
            }
            graph.operations.append(
                WaitGraph.Operation(
                    isUnnotified ? .executing : state.inGraph,
                    queue: next < count ? 0 : needsMainThread ? 1 : -1,
                    isCancelled: operation.isCancelled, isUnnotified: isUnnotified))
            entries.append(
                Entry(
                    name: operation.name ?? kind, kind: kind, state: state,
                    wait: (operation as? AsynchronousOperation)?.existingPreparation?.wait
                        ?? wait.map { "blocks its thread until \($0.target.description)" },
                    isCancelled: operation.isCancelled, isUnnotified: isUnnotified, isInQueue: next < count))
            next += 1
        }
        self.entries = entries
        nameClosures(operations)
        // The operations were asked while these waits lasted: all of them were waiting at one moment.
        let remaining = blocked?.remaining() ?? []
        graph.waits = waits.lazy.filter { remaining.contains($0.number) }.map { ($0.operation, $0.target) }
        let mainThreadWaits = blocked?.ofMainThread.map { remaining.contains($0.number) } ?? false
        if let targetOfMainThread, mainThreadWaits { graph.queues[1].threadTarget = targetOfMainThread }
        if let blocked, let open = blocked.tasks {
            let identified = operations.enumerated().compactMap { place, operation in
                blocked.identifier(of: operation).map { ($0, place) }
            }
            tasks = SnapshotTasks(
                open, blockedOn: blocked.threads(of: remaining), in: &graph,
                operations: Dictionary(identified) { first, _ in first },
                queue: queue.tracker.observation?.id,
                onMainThread: mainThreadWaits
                    ? onMainThread.flatMap { indices[ObjectIdentifier($0)] } : nil)
        }
        blockedPool = OpenTasks.standstill(blocked?.tasks).map { BlockedPool($0) }
    }

    /// Names closures as in a trace: the log of a stuck queue has no other names either.
    private mutating func nameClosures(_ operations: [Operation]) {
        let origins = operations.map { ClosureCode(of: $0)?.origin }
        let closures = ClosureCode.names.withLock { names in
            names.learn(origins.compactMap(\.self))
            return origins.map { $0.flatMap(names.name(of:)) }
        }
        for (index, closure) in closures.enumerated() {
            guard let closure else { continue }
            if entries[index].name == entries[index].kind { entries[index].name = closure.name }
            entries[index].kind = closure.kind
        }
    }

    private static func state(of operation: Operation, _ waitsFor: [Int]) -> Entry.State {
        if operation.isFinished { return .finished }
        if operation.isExecuting { return .executing }
        return waitsFor.isEmpty ? .ready : .waiting(waitsFor)
    }

    /// The operations that others wait for but that wait for nothing themselves: their indices, and how many
    /// operations wait for each, directly or through others. The largest count first.
    public var mostWaitedFor: [(entry: Int, count: Int)] {
        var waiters: [Int: [Int]] = [:]
        for (index, entry) in entries.enumerated() {
            guard case .waiting(let predecessors) = entry.state else { continue }
            for predecessor in predecessors { waiters[predecessor, default: []].append(index) }
        }
        let roots = entries.indices.filter { index in
            if case .waiting = entries[index].state { false } else { waiters[index] != nil }
        }
        return roots.map { root in
            var reached: Set<Int> = []
            var pending = waiters[root] ?? []
            while let waiter = pending.popLast() {
                if reached.insert(waiter).inserted { pending += waiters[waiter] ?? [] }
            }
            return (root, reached.count)
        }
        .sorted { ($0.count, $1.entry) > ($1.count, $0.entry) }
    }
}

extension QueueSnapshot.Entry.State {
    fileprivate var inGraph: WaitGraph.State {
        switch self {
        case .executing: .executing
        case .waiting: .pending
        case .ready: .ready
        case .finished: .finished
        }
    }
}
