/// One process of a merged log: the header of its own log, and its place among the others.
public struct LogProcess: Hashable, Sendable {
    /// The name of the program's executable.
    public var process: String
    /// The operating system's number of the process.
    public var processID: Int32
    /// The name of the machine that it ran on.
    public var host: String
    /// Wall-clock time at the start of its own log, as that log has it: nanoseconds since
    /// 1970-01-01T00:00:00Z.
    public var start: Int64
    /// Nanoseconds from the start of the merged trace to the start of its own log.
    public var offset: Int64
    /// Nanoseconds by which its times were shifted, because its clock put an effect before its cause. Usually
    /// 0.
    public var shift: Int64
    /// The amount that was added to the numbers of its operations in its own log.
    public var operationsBefore: UInt64
    /// As in the header of its own log.
    public var droppedEvents: UInt64
    /// Whether the recorder ended its log itself. If false, the process was killed, or is still running.
    public var isClosed: Bool
    /// Nanoseconds since the start of the merged trace: the last time at which the process was known to be
    /// alive.
    public var lastAlive: Int64
    /// As in the header of its own log.
    public var processors: ProcessorCount?

    package init(
        process: String, processID: Int32, host: String, start: Int64, offset: Int64 = 0, shift: Int64 = 0,
        operationsBefore: UInt64 = 0, droppedEvents: UInt64 = 0, isClosed: Bool = false, lastAlive: Int64 = 0
    ) {
        self.process = process
        self.processID = processID
        self.host = host
        self.start = start
        self.offset = offset
        self.shift = shift
        self.operationsBefore = operationsBefore
        self.droppedEvents = droppedEvents
        self.isClosed = isClosed
        self.lastAlive = lastAlive
    }

    /// The only process of a log that was not merged.
    package init(_ header: LogHeader) {
        self.init(
            process: header.process, processID: header.processID, host: header.host, start: header.start,
            droppedEvents: header.droppedEvents, isClosed: header.isClosed, lastAlive: header.lastAlive)
        processors = header.processors
    }

    /// Nil if the log does not say.
    package var knownProcessID: Int32? { processID > 0 ? processID : nil }
}

extension LogHeader {
    /// Distinct numbers for the processes, for the events of a merged log in JSON: the process ID. If an
    /// earlier process has the same ID, as on another machine, the next free number from 2²² on, which no
    /// system uses.
    package var eventProcessIDs: [Int32] {
        guard !processes.isEmpty else { return [processID] }
        var taken = Set(processes.map(\.processID))
        var given: Set<Int32> = []
        var next: Int32 = 1 << 22
        return processes.map { process in
            if given.insert(process.processID).inserted { return process.processID }
            while taken.contains(next) { next += 1 }
            taken.insert(next)
            given.insert(next)
            return next
        }
    }
}
