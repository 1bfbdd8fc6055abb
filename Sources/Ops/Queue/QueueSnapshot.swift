import EventLog
import Foundation

/// What a queue holds at one moment: what executes, what waits, and for what.
///
/// Made from outside, without stopping the queue: what changes while it is made may show in part.
public struct QueueSnapshot: Sendable, CustomStringConvertible {
    /// One operation of the queue, or one that an operation of the queue waits for.
    public struct Entry: Sendable {
        /// Why an operation is not executing.
        public enum State: Sendable {
            case executing
            /// For the operations at these indices of `entries`; some of them may be in other queues.
            case waiting([Int])
            /// Nothing holds it back but the queue: suspended, no slot, no thread.
            case ready
            case finished
        }

        /// The operation's own name, or the name of its class; of a closure without a name, which of its function's it is.
        public var name: String
        public var kind: String
        public var state: State
        /// Why one that was started has not come to its body: what comes before it with its keys, in words.
        public var wait: String?
        public var isCancelled: Bool
        /// It says `isFinished`, but has not told its queue, which goes on holding its slot and those that depend on it. Linux.
        public var isUnnotified: Bool
        /// Whether it is in this queue.
        public var isInQueue: Bool
    }

    /// Empty for a queue without a name.
    public var name: String
    /// `maxConcurrentOperationCount`; -1 for the system's own.
    public var limit: Int
    public var isSuspended: Bool
    /// Those of the queue, in the order in which they were added; after them those that they wait for.
    public var entries: [Entry]

    /// Looks at `queue`. Any thread; not from code that holds the queue's lock, such as an override of `isReady`. Linear in
    /// the number of its operations and their dependencies.
    init(of queue: OperationQueue) {
        name = queue.name.map { $0.hasPrefix("NSOperationQueue 0x") ? "" : $0 } ?? ""
        limit = queue.maxConcurrentOperationCount
        isSuspended = queue.isSuspended
        var operations = queue.operations
        let count = operations.count
        var indices = Dictionary(
            operations.enumerated().map { (ObjectIdentifier($0.element), $0.offset) },
            uniquingKeysWith: { first, _ in first })
        var entries: [Entry] = []
        var next = 0
        while next < operations.count {
            let operation = operations[next]
            let pending =
                operation.isExecuting || operation.isFinished
                ? []
                : operation.dependencies.filter {
                    !$0.isFinished || !ForeignObservation.wasToldFinish(of: $0)
                }
            let waitsFor = pending.map { predecessor in
                let key = ObjectIdentifier(predecessor)
                if let known = indices[key] { return known }
                indices[key] = operations.count
                operations.append(predecessor)
                return operations.count - 1
            }
            let kind = operationKind(of: operation)
            let state = Self.state(of: operation, waitsFor)
            let isUnnotified =
                if case .finished = state { !ForeignObservation.wasToldFinish(of: operation) } else { false }
            entries.append(
                Entry(
                    name: operation.name ?? kind, kind: kind, state: state,
                    wait: (operation as? AsynchronousOperation)?.existingPreparation?.wait,
                    isCancelled: operation.isCancelled, isUnnotified: isUnnotified, isInQueue: next < count))
            next += 1
        }
        self.entries = entries
        nameClosures(operations)
    }

    /// As a trace calls them: the log of a queue that is stuck has no other names either.
    private mutating func nameClosures(_ operations: [Operation]) {
        let origins = operations.map { ClosureCode(of: $0)?.origin }
        var names = CodeNames()
        names.learn(origins.compactMap(\.self))
        for (index, origin) in origins.enumerated() {
            guard let closure = origin.flatMap(names.name) else { continue }
            if entries[index].name == entries[index].kind { entries[index].name = closure.name }
            entries[index].kind = closure.kind
        }
    }

    private static func state(of operation: Operation, _ waitsFor: [Int]) -> Entry.State {
        if operation.isFinished { return .finished }
        if operation.isExecuting { return .executing }
        return waitsFor.isEmpty ? .ready : .waiting(waitsFor)
    }

    /// The indices of the operations that nothing here waits for more than for any other: how many wait for each,
    /// through others too, the most waited for first.
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
