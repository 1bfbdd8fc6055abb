import EventLog
import Foundation

/// The threads that wait for operations or queues, from a log: those of operations, and those of Swift tasks.
struct BlockedThreads {
    private let writer: EventLogWriter
    private var targets: [OperationID: OpenWait.Target] = [:]
    /// The operations that threads outside of operations wait for.
    private var outside: [Operation] = []
    /// What the main thread waits for outside of operations.
    private(set) var mainThread: OpenWait.Target?
    /// Nil if no thread outside of operations waits, or if tasks are not recorded.
    let tasks: OpenTasks?

    init(_ writer: EventLogWriter) {
        self.writer = writer
        var isOutside = false
        // If one wait is inside another, the inner one began last, and comes first.
        for wait in OpenWait.all(in: writer.log) {
            if let operation = wait.operation {
                targets[operation] = targets[operation] ?? wait.target
            } else {
                isOutside = true
                if wait.isOnMainThread { mainThread = mainThread ?? wait.target }
                if case .operation(let other) = wait.target { outside.append(other) }
            }
        }
        tasks = isOutside ? OpenTasks.read(from: writer) : nil
    }

    /// Nil if it is not in the log.
    func identifier(of operation: Operation) -> UInt64? {
        writer.hasEnqueue(of: operation) ? writer.identity(of: operation).id.rawValue : nil
    }

    /// What the thread waits for that the operation executes on.
    func target(of operation: Operation) -> OpenWait.Target? {
        guard !targets.isEmpty, let id = identifier(of: operation) else { return nil }
        return targets[OperationID(id)]
    }

    /// The operations elsewhere that tasks wait for which the given ones created, directly or through other
    /// tasks.
    func awaited(byTasksOf operations: [Operation]) -> [Operation] {
        guard let tasks else { return [] }
        let creators = Set(operations.lazy.compactMap(identifier(of:)))
        let awaited = Set(
            tasks.blocked.lazy.filter { creators.contains(tasks.creator(of: $0.task)) }.compactMap {
                if case .operation(let id) = $0.target { id } else { nil }
            })
        return outside.filter { identifier(of: $0).map(awaited.contains) ?? false }
    }
}

extension OpenWait.Target {
    var description: String {
        switch self {
        case .operation(let operation): "\(operation.name ?? operationKind(of: operation)) finishes"
        case .queue(let queue): queue.name.map { "queue \($0) is empty" } ?? "a queue is empty"
        }
    }
}
