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

/// One operation of a trace: a look at it, which costs nothing to have. A transition that the log does not
/// hold is `nil`.
///
/// Texts are made when they are asked for.
public struct TracedOperation: Sendable {
    private let store: OperationStore
    /// Its index in `Trace.operations`.
    public let index: Int

    init(_ store: OperationStore, _ index: Int) {
        self.store = store
        self.index = index
    }

    /// As it stands in the log. A merge gives operations new ones.
    public var id: OperationID { OperationID(store.columns.identifiers[index]) }

    /// Index into `Trace.kinds`.
    package var kindIndex: Int { Int(store.columns.kinds[index]) }

    /// What sort of operation it is. `?` where the log does not say.
    public var kind: String { store.texts[store.columns.kindTexts[kindIndex]] }

    /// The operation's own name; nil where the program gave it none.
    public var name: String? {
        let name = store.columns.names[index]
        return name == store.columns.names.absent ? nil : store.texts[name]
    }

    /// Its own name, or its kind where it has none.
    public var displayName: String { name.flatMap { $0.isEmpty ? nil : $0 } ?? kind }

    /// Index into `Trace.queues`. `nil` for an operation that is named only by an edge.
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
    /// When it waited for no other operation any more.
    public var ready: TraceMoment? { store.columns.ready[index] }
    /// When it was started.
    public var executing: TraceMoment? { store.columns.executing[index] }
    /// When the body, `main()`, was entered and left; where that was seen.
    public var bodyBegan: TraceMoment? { store.columns.bodyBegan[index] }
    /// When the body returned. The operation may have worked on until `finished`.
    public var bodyEnded: TraceMoment? { store.columns.bodyEnded[index] }
    /// When it was cancelled. It still had to finish.
    public var cancelled: TraceMoment? { store.columns.cancelled[index] }
    /// When it finished: from then on its slot is free and its dependents may start.
    public var finished: TraceMoment? { store.columns.finished[index] }
    /// When it first said that it has finished, asked by somebody, and its queue had not been notified.
    public var unnotifiedFinish: TraceMoment? { store.columns.unnotifiedFinish[index] }

    /// How it finished; nil where the log does not say.
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
