/// A log as it was read, event by event, before anything is made of it.
public struct EventLogContents: Sendable {
    /// The program, the machine, and how complete the log is.
    public var header: LogHeader
    /// In the order of the log.
    public var events: [LogEvent]
    /// What is missing or could not be used, one sentence each. Empty for a log that was closed cleanly.
    public var losses: [String]
    /// How the file was understood, where it is not a log, one sentence each.
    public var notes: [String]

    /// A log made in memory: write it with ``JSONLogEncoder``, or make a trace of it with Inspector.
    public init(
        header: LogHeader, events: [LogEvent] = [], losses: [String] = [], notes: [String] = []
    ) {
        self.header = header
        self.events = events
        self.losses = losses
        self.notes = notes
    }
}
