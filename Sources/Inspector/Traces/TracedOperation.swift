public import EventLog
import InspectorColumns

/// The operations of a trace, in the order in which the log first names them.
public struct TracedOperations: RandomAccessCollection, Sendable {
    package let store: OperationStore

    package init(_ store: OperationStore) { self.store = store }

    public var startIndex: Int { 0 }
    public var endIndex: Int { store.columns.count }

    public subscript(position: Int) -> TracedOperation {
        precondition(indices.contains(position), "no operation has that index")
        return TracedOperation(store, position)
    }
}

/// A view of one operation of a trace, which takes no memory of its own. A transition that is not in the log
/// is `nil`.
///
/// Texts are created on access.
public struct TracedOperation: Sendable {
    package let store: OperationStore
    /// Its index in `Trace.operations`.
    public let index: Int

    init(_ store: OperationStore, _ index: Int) {
        self.store = store
        self.index = index
    }

    /// The identifier in the log. A merge assigns new ones.
    public var id: OperationID { OperationID(store.columns.identifiers[index]) }

    /// Index into `Trace.kinds`.
    package var kindIndex: Int { Int(store.columns.kinds[index]) }

    /// The kind of operation. `?` if the log does not have it.
    public var kind: String { store.texts[store.columns.kindTexts[kindIndex]] }

    /// The operation's own name; nil if the program gave it none.
    public var name: String? {
        let name = store.columns.names[index]
        return name == store.columns.names.absent ? nil : store.texts[name]
    }

    /// The operation's own name, or its kind if it has no name.
    public var displayName: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? kind }

    /// Index into `Trace.queues`. `nil` for an operation that only edges refer to.
    public var queue: Int? {
        let queue = store.columns.queues[index]
        return queue == OperationColumns.none ? nil : Int(queue)
    }

    /// Index into `Trace.operations`.
    public var parent: Int? {
        let parent = store.columns.parents[index]
        return parent == OperationColumns.none ? nil : Int(parent)
    }

    /// Index into `Trace.processes`.
    public var process: Int { Int(store.columns.processes[index]) }

    /// `Operation.QueuePriority`, -8 to 8.
    public var priority: Int { Int(store.columns.priorities[index]) }

    /// When it was added to its queue.
    public var enqueued: TraceMoment? { store.columns.enqueued[index] }
    /// When it stopped waiting for other operations.
    public var ready: TraceMoment? { store.columns.ready[index] }
    /// When it was started.
    public var executing: TraceMoment? { store.columns.executing[index] }
    /// When its body, `main()`, began, if that was recorded.
    public var bodyBegan: TraceMoment? { store.columns.bodyBegan[index] }
    /// When its body returned. The operation may have continued until `finished`.
    public var bodyEnded: TraceMoment? { store.columns.bodyEnded[index] }
    /// When it was cancelled. It still had to finish.
    public var cancelled: TraceMoment? { store.columns.cancelled[index] }
    /// When it finished: from then on its slot is free and its dependents may start.
    public var finished: TraceMoment? { store.columns.finished[index] }
    /// When its `isFinished` was first read as true although its queue had not been notified.
    public var unnotifiedFinish: TraceMoment? { store.columns.unnotifiedFinish[index] }

    /// How it finished; nil if the log does not say.
    public var outcome: Outcome? {
        switch store.columns.outcomes[index] {
        case 0: Outcome?.none
        case OperationColumns.succeeded: .succeeded
        case OperationColumns.cancelled: .cancelled
        case let number: .failed(message: store.texts[number - OperationColumns.failed])
        }
    }

    /// The operating system's number of the thread that it started on.
    public var thread: UInt64? {
        let thread = store.columns.threads[index]
        return thread == OperationColumns.none ? nil : store.columns.threadNumbers[Int(thread)]
    }
}

extension TracedOperation: CustomStringConvertible {
    /// For messages of tests and debuggers.
    public var description: String {
        let moments: [(String, TraceMoment?)] = [
            ("enqueued", enqueued), ("ready", ready), ("executing", executing), ("cancelled", cancelled),
            ("finished", finished),
        ]
        let seen = moments.compactMap { word, moment in moment.map { "\(word) \($0.notAfter)" } }
        let ending = outcome.map { ["\($0)"] } ?? []
        return
            "\(kind) \(name.map { "\"\($0)\" " } ?? "")("
            + "\((["\(id)"] + seen + ending).joined(separator: ", ")))"
    }
}
