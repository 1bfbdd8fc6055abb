import CLogFormat

/// One event as numbers: what a log says, without a string or an object for each. Readers fill one and give
/// it out again and again; what an event does not have means nothing.
package struct EventFields {
    /// The numbers stand in files.
    package enum Ending: UInt8, CaseIterable {
        case succeeded = 0
        case cancelled = 1
        case failed = 2

        /// In JSON.
        package var word: StaticString {
            switch self {
            case .succeeded: "succeeded"
            case .cancelled: "cancelled"
            case .failed: "failed"
            }
        }
    }

    /// One that is an event: `enqueued`, … `waitEnded`.
    package var type = RecordType.mark
    /// Nanoseconds since the start of the trace.
    package var time: Int64 = 0
    package var notBefore: Int64?
    package var thread: UInt64 = 0
    /// Index into the header's processes; 0 in a log of one process.
    package var process: Int32 = 0
    /// The operation or the queue that it is about, or that is waited for; 0 for the process.
    package var subject: UInt64 = 0
    /// Of an enqueue.
    package var queue: UInt64 = 0
    /// The kind of an operation, the message of a failure, the name of a queue, what a mark says, a
    /// `traceparent`.
    package var text = InternedTexts.empty
    /// The operation's own.
    package var name: InternedTexts.Number?
    package var origin: InternedTexts.Number?
    /// The operation in whose body it happened.
    package var parent: UInt64?
    /// Of an enqueue; of an edge that came or went, the predecessor alone.
    package var predecessors: [UInt64] = []
    /// The priority of an enqueue, the limit of a queue.
    package var number: Int?
    package var ending = Ending.succeeded
    package var isSuspended = false
    var later = LaterValues()

    package init() {}

    /// What a record of its own says: ``EventSchema`` has in which form.
    package subscript(said record: RecordType) -> UInt64? {
        get {
            switch record {
            case .name: name.map(UInt64.init)
            case .code: origin.map(UInt64.init)
            case .parent: parent
            case .number: number.map { UInt64(bitPattern: Int64($0)) }
            default: later[record]
            }
        }
        set {
            switch record {
            case .name: name = newValue.map(InternedTexts.Number.init)
            case .code: origin = newValue.map(InternedTexts.Number.init)
            case .parent: parent = newValue
            case .number: number = newValue.map { Int(truncatingIfNeeded: Int64(bitPattern: $0)) }
            default: later[record] = newValue
            }
        }
    }

    /// Forgets what only some events have.
    package mutating func clearOptionals() {
        notBefore = nil
        name = nil
        origin = nil
        parent = nil
        number = nil
        later.removeAll()
        if !predecessors.isEmpty { predecessors.removeAll(keepingCapacity: true) }
    }
}

/// What records say whose numbers were kept for later versions, without an allocation for an event.
struct LaterValues {
    private var values = SIMD4<UInt64>()
    /// A bit for each that there is.
    private var present: UInt8 = 0

    subscript(record: RecordType) -> UInt64? {
        get {
            let place = Self.place(of: record)
            return present & 1 << place == 0 ? nil : values[place]
        }
        set {
            let place = Self.place(of: record)
            values[place] = newValue ?? 0
            if newValue == nil { present &= ~(1 << place) } else { present |= 1 << place }
        }
    }

    mutating func removeAll() { present = 0 }

    private static func place(of record: RecordType) -> Int {
        Int(record.rawValue) - Int(RecordType.ofLaterVersions.lowerBound)
    }
}

/// Takes the events of a log as they are read.
package protocol EventConsumer: AnyObject {
    /// - Parameter texts: those that the event names, and all before.
    func consume(_ event: EventFields, _ texts: InternedTexts)
}

/// What a reader knows at the end of a log.
package struct ReadLog: Sendable {
    package var header: LogHeader
    package var texts: InternedTexts
    package var eventCount: Int
    /// What is missing or could not be used, one sentence each.
    package var losses: [String]
    /// How the file was understood, where it is not a log, one sentence each.
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
