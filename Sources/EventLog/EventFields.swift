import CLogFormat

/// One event as numbers, without a string or an object for each event. Readers reuse a single instance; a
/// value that the event's type does not have is meaningless.
package struct EventFields: Sendable {
    /// These numbers are stored in files.
    package enum Ending: UInt8, CaseIterable {
        case succeeded = 0
        case cancelled = 1
        case failed = 2

        /// The word in JSON.
        package var word: StaticString {
            switch self {
            case .succeeded: "succeeded"
            case .cancelled: "cancelled"
            case .failed: "failed"
            }
        }
    }

    // What most events have comes first, within 64 bytes: threads exchange events, a line of their caches at
    // a time.

    /// Nanoseconds since the start of the trace.
    package var time: Int64 = 0
    package var thread: UInt64 = 0
    /// The operation or the queue that it is about, or that a thread waits for; 0 for the process; or a
    /// number.
    package var subject: UInt64 = 0
    package var notBefore: Int64?
    /// A type that is an event: `enqueued`, … `waitEnded`.
    package var type = RecordType.mark
    package var ending = Ending.succeeded
    /// Whether a queue is suspended, or a task was enqueued.
    package var flag = false
    /// A number of an ``EventChoice``.
    package var choice: UInt8 = 0
    /// Whether it may have values that only some events have, for those that `exchange` it.
    private var hasOptionals = false
    /// Index into the header's processes; 0 in a log of one process.
    package var process: Int32 = 0
    /// The kind of an operation, the message of a failure, the name of a queue, the text of a mark, a
    /// `traceparent`, or a function.
    package var text = InternedTexts.empty
    /// The queue or the time in the argument of the event's record. Read it by its meaning:
    /// `enqueuedQueue`, `timeOnCPU`, `taskPriority`.
    package var word: UInt64 = 0
    /// The operation's own name, or the file of a function.
    package var name: InternedTexts.Number?
    package var origin: InternedTexts.Number?
    /// The operation in whose body it happened.
    package var parent: UInt64?
    /// For an enqueue, its dependencies; for an edge that was added or removed, only its predecessor.
    package var predecessors: [UInt64] = []
    /// The number in a record before the event's. Read it by its meaning: `priority`, `limit`, `caller`,
    /// `rate`, `timeWaited`.
    var number: Int?

    package init() {}

    /// The value of a separate record. ``EventSchema`` defines its form.
    package subscript(separate record: RecordType) -> UInt64? {
        get {
            switch record {
            case .name: name.map(UInt64.init)
            case .code: origin.map(UInt64.init)
            case .parent: parent
            case .number: number.map { UInt64(bitPattern: Int64($0)) }
            default: nil
            }
        }
        set {
            switch record {
            case .name: name = newValue.map(InternedTexts.Number.init)
            case .code: origin = newValue.map(InternedTexts.Number.init)
            case .parent: parent = newValue
            case .number: number = newValue.map { Int(truncatingIfNeeded: Int64(bitPattern: $0)) }
            default: break
            }
        }
    }

    /// Exchanges this event for `other`, without the values there that only some events have.
    ///
    /// - Parameter hasOptionals: whether this event has such values. Otherwise, copying the rest is faster.
    mutating func exchange(_ other: inout EventFields, hasOptionals: Bool) {
        if other.hasOptionals { other.clearOptionals() }
        if hasOptionals {
            swap(&self, &other)
            other.hasOptionals = true
            return
        }
        other.time = time
        other.thread = thread
        other.subject = subject
        other.type = type
        other.ending = ending
        other.flag = flag
        other.choice = choice
        other.process = process
        other.text = text
        other.word = word
    }

    /// Clears the values that only some events have.
    package mutating func clearOptionals() {
        hasOptionals = false
        notBefore = nil
        name = nil
        origin = nil
        parent = nil
        number = nil
        // Readers keep thousands of events: each keeps memory for a usual number of predecessors.
        if !predecessors.isEmpty { predecessors.removeAll(keepingCapacity: predecessors.count <= 64) }
    }
}

/// Receives the events of a log while they are read.
package protocol EventConsumer: AnyObject {
    /// - Parameter texts: the texts of this event and of all earlier ones.
    func consume(_ event: EventFields, _ texts: InternedTexts)
}

/// What a reader knows at the end of a log.
package struct ReadLog: Sendable {
    package var header: LogHeader
    package var texts: InternedTexts
    package var eventCount: Int
    /// What is missing or could not be used, one sentence each.
    package var losses: [String]
    /// For files that are not logs: how they were interpreted, one sentence each.
    package var notes: [String]

    package init(
        header: LogHeader, texts: InternedTexts, eventCount: Int, losses: [String] = [],
        notes: [String] = []
    ) {
        self.header = header
        self.texts = texts
        self.eventCount = eventCount
        self.losses = losses
        self.notes = notes
    }
}
