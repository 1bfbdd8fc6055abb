import EventLog
import Foundation

/// The threads that wait for operations or queues, from a log: those of operations, and those of Swift tasks.
struct BlockedThreads {
    private let writer: EventLogWriter
    private let first: [OpenWait]
    private var ofOperations: [OperationID: OpenWait] = [:]
    /// What the main thread waits for: outside of operations, or in one.
    let ofMainThread: OpenWait?
    /// Nil if no thread of a task waits, nor the main thread, or if tasks are not recorded.
    let tasks: OpenTasks?

    init(_ writer: EventLogWriter) {
        self.writer = writer
        first = OpenWait.all(in: writer.log)
        // If one wait is inside another, the inner one began last, and comes first.
        ofMainThread = first.first(where: \.isOnMainThread)
        for wait in first {
            if let operation = wait.operation { ofOperations[operation] = ofOperations[operation] ?? wait }
        }
        // Reading takes long. Of the waits of operations, only these keep tasks from going on.
        let threads = Set(OpenTasks.threads)
        let mayBlockTask = first.contains {
            $0.operation == nil || $0.isOnMainThread || threads.contains($0.thread)
        }
        tasks = mayBlockTask ? OpenTasks.read(from: writer) : nil
    }

    /// The waits that have not ended since the first look, by their numbers: they lasted all the time.
    func remaining() -> Set<UInt64> {
        Set(OpenWait.all(in: writer.log).map(\.number)).intersection(first.map(\.number))
    }

    /// The threads that have such a wait.
    func threads(of remaining: Set<UInt64>) -> Set<UInt64> {
        Set(first.lazy.filter { remaining.contains($0.number) }.map(\.thread))
    }

    /// Nil if it is not in the log.
    func identifier(of operation: Operation) -> UInt64? {
        writer.hasEnqueue(of: operation) ? writer.identity(of: operation).id.rawValue : nil
    }

    /// The wait of the thread that the operation executes on.
    func wait(of operation: Operation) -> OpenWait? {
        guard !ofOperations.isEmpty, let id = identifier(of: operation) else { return nil }
        return ofOperations[OperationID(id)]
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
        return first.compactMap { wait in
            guard case .operation(let other) = wait.target,
                let id = identifier(of: other), awaited.contains(id)
            else { return nil }
            return other
        }
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
