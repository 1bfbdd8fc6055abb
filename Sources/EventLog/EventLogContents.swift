/// The events of a log as they were read, before a trace is made from them.
public struct EventLogContents: Sendable {
    /// The program, the machine, and how complete the log is.
    public var header: LogHeader
    /// In the order of the log.
    public var events: [LogEvent]
    /// What is missing or could not be used, one sentence each. Empty for a log that was closed cleanly.
    public var losses: [String]
    /// For files that are not logs: how they were interpreted, one sentence each.
    public var notes: [String]

    /// A log in memory. Write it with ``JSONLogEncoder``, or make a trace from it with Inspector.
    public init(
        header: LogHeader, events: [LogEvent] = [], losses: [String] = [], notes: [String] = []
    ) {
        self.header = header
        self.events = events
        self.losses = losses
        self.notes = notes
    }
}

extension EventLogContents {
    /// Whether anything was added to a queue.
    package var hasOperations: Bool {
        events.contains { if case .enqueued = $0.body { true } else { false } }
    }

    /// Whether a Swift task was recorded. A log that keeps the latest events may have lost its creation.
    package var hasTasks: Bool {
        events.contains { event in
            switch event.body {
            case .taskCreated, .taskEnqueued, .runBegan, .runEnded: true
            default: false
            }
        }
    }

    /// Whether a context of an operation was sent to another process.
    package var hasSentContexts: Bool {
        events.contains { if case .contextSent = $0.body { true } else { false } }
    }
}
