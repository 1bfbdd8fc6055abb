extension LogEvent {
    /// What is known of an operation when it is added to a queue.
    public struct Enqueue: Hashable, Sendable {
        /// The operation that was added.
        public var operation: OperationID
        /// The name of its type, or what the user set. Of a closure the function that it was written in, once
        /// that was looked up.
        public var kind: String
        /// The operation's own name, when it has one.
        public var name: String?
        /// The queue that it was added to.
        public var queue: QueueID
        /// The operation on whose thread or task this one was added.
        public var parent: OperationID?
        /// In the order in which they were added; a barrier's hidden ones included.
        public var dependencies: [OperationID]
        /// `Operation.QueuePriority`, -8 to 8.
        public var priority: Int
        /// Of a closure, where its code is: the file, the offset in it and the file's build ID, as
        /// `path+0x1f@89ab`.
        public var origin: String?

        /// By default without a name, a parent, dependencies and an origin, at the normal priority.
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
    /// Of an event that is one.
    ///
    /// - Parameter content: gives the text of a number.
    func enqueue(text content: (InternedTexts.Number) -> String) -> LogEvent.Enqueue {
        LogEvent.Enqueue(
            operation: OperationID(subject), kind: content(text), name: name.map(content),
            queue: QueueID(queue), parent: parent.map { OperationID($0) },
            dependencies: predecessors.map { OperationID($0) }, priority: number ?? 0,
            origin: origin.map(content))
    }

    /// All but its type.
    ///
    /// - Parameter number: gives the number of a text.
    mutating func take(_ enqueue: LogEvent.Enqueue, text number: (String) -> InternedTexts.Number) {
        subject = enqueue.operation.rawValue
        text = number(enqueue.kind)
        name = enqueue.name.map(number)
        origin = enqueue.origin.map(number)
        queue = enqueue.queue.rawValue
        parent = enqueue.parent?.rawValue
        predecessors.append(contentsOf: enqueue.dependencies.lazy.map(\.rawValue))
        self.number = enqueue.priority
    }
}
