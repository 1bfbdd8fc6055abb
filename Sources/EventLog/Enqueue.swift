extension LogEvent {
    /// What is known about an operation when it is added to a queue.
    public struct Enqueue: Hashable, Sendable {
        /// The operation that was added.
        public var operation: OperationID
        /// The name of its type, or the kind that the program set. For a closure, the function that contains
        /// it, once that was looked up.
        public var kind: String
        /// The operation's own name, when it has one.
        public var name: String?
        /// The queue that it was added to.
        public var queue: QueueID
        /// The operation that added this one, on its thread or in its task.
        public var parent: OperationID?
        /// In the order in which they were added, including the hidden dependencies of a barrier.
        public var dependencies: [OperationID]
        /// `Operation.QueuePriority`, -8 to 8.
        public var priority: Int
        /// For a closure, the location of its code: the file, the offset in it and the file's build ID, as
        /// `path+0x1f@89ab`.
        public var origin: String?

        /// By default it has no name, parent, dependencies or origin, and normal priority.
        public init(
            operation: OperationID, kind: String, name: String? = nil, queue: QueueID,
            parent: OperationID? = nil, dependencies: [OperationID] = [], priority: Int = 0,
            origin: String? = nil
        ) {
            self.operation = operation
            self.kind = kind
            self.name = name
            self.queue = queue
            self.parent = parent
            self.dependencies = dependencies
            self.priority = priority
            self.origin = origin
        }
    }
}

extension EventFields {
    /// The enqueue, for an event that is one.
    ///
    /// - Parameter content: returns the text for a number.
    func enqueue(text content: (InternedTexts.Number) -> String) -> LogEvent.Enqueue {
        LogEvent.Enqueue(
            operation: OperationID(subject), kind: content(text), name: name.map(content),
            queue: QueueID(enqueuedQueue), parent: parent.map { OperationID($0) },
            dependencies: predecessors.map { OperationID($0) }, priority: priority,
            origin: origin.map(content))
    }

    /// Sets everything except the type, which must be set.
    ///
    /// - Parameter number: returns the number for a text.
    mutating func take(_ enqueue: LogEvent.Enqueue, text number: (String) -> InternedTexts.Number) {
        subject = enqueue.operation.rawValue
        text = number(enqueue.kind)
        name = enqueue.name.map(number)
        origin = enqueue.origin.map(number)
        enqueuedQueue = enqueue.queue.rawValue
        parent = enqueue.parent?.rawValue
        predecessors.append(contentsOf: enqueue.dependencies.lazy.map(\.rawValue))
        priority = enqueue.priority
    }
}
