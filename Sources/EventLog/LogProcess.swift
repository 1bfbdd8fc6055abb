/// One process of a merged log: what its own log says about it, and where it stands among the others.
public struct LogProcess: Hashable, Sendable {
    /// The name of the program's executable.
    public var process: String
    /// The operating system's number of the process.
    public var processID: Int32
    /// The name of the machine that it ran on.
    public var host: String
    /// Wall-clock time at the start of its own log, as that had it: nanoseconds since 1970-01-01T00:00:00Z.
    public var start: Int64
    /// Nanoseconds from the start of the merged trace to that of its own log.
    public var offset: Int64
    /// Nanoseconds by which it was moved, because its clock said that something came before its cause. 0 as a
    /// rule.
    public var shift: Int64
    /// Its operations are numbered as in its own log, and so much more.
    public var operationsBefore: UInt64
    /// As in the header of its own log; the time is since the start of the merged trace.
    public var droppedEvents: UInt64
    /// Whether the recorder ended its log itself. When false, the process was killed, or is still running.
    public var isClosed: Bool
    /// Nanoseconds since the start of the merged trace: the last moment at which the process was known
    /// alive.
    public var lastAlive: Int64

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
    }
}

extension LogHeader {
    /// The numbers by which the events of a merged log in JSON name their process, each another: the process
    /// ID; where an earlier process has it too, as on another machine, the next that is free from 2²² on,
    /// where no system numbers any.
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
