/// What a log says of itself: the program, the machine, the moment it began, and how complete it is.
public struct LogHeader: Hashable, Sendable {
    /// The version of the format that this package writes, and the newest that it reads.
    public static let currentVersion = 1
    /// The word by which a log is recognized.
    public static let format = "opviz-trace"

    /// The name of the program's executable.
    public var process: String
    public var processID: Int32
    public var host: String
    /// Wall-clock time at the start of the trace: nanoseconds since 1970-01-01T00:00:00Z.
    public var start: Int64
    /// Events that were not recorded, because the log could not be written.
    public var droppedEvents: UInt64
    /// The recorder ended the log itself. When false, the program was killed, or is still running.
    public var isClosed: Bool
    /// Nanoseconds since the start of the trace: the last moment at which the program was known alive.
    public var lastAlive: Int64

    public init(
        process: String, processID: Int32, host: String, start: Int64,
        droppedEvents: UInt64 = 0, isClosed: Bool = false, lastAlive: Int64 = 0
    ) {
        self.process = process
        self.processID = processID
        self.host = host
        self.start = start
        self.droppedEvents = droppedEvents
        self.isClosed = isClosed
        self.lastAlive = lastAlive
    }
}
