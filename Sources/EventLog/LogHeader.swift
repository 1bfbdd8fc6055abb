import CLogFormat

/// A log's information about itself: the program, the machine, when it began, and how complete it is.
public struct LogHeader: Hashable, Sendable {
    /// The version of the format that this package writes, and the newest that it reads.
    package static let currentVersion = 1
    /// The word that identifies a log.
    package static let format = "opviz-trace"

    /// The version of this package.
    package static let ownRecorder = OPVIZ_VERSION

    /// The name of the program's executable.
    public var process: String
    /// The operating system's number of the process.
    public var processID: Int32
    /// The name of the machine.
    public var host: String
    /// Wall-clock time at the start of the trace: nanoseconds since 1970-01-01T00:00:00Z.
    public var start: Int64
    /// The start on a clock that all processes of the machine share. Nil if that is not known.
    public var bootClock: BootClock?
    /// How many events were not recorded, because the log could not be written.
    public var droppedEvents: UInt64
    /// Whether the recorder ended the log itself. If false, the program was killed, or is still running.
    public var isClosed: Bool
    /// Nanoseconds since the start of the trace: the last time at which the program was known to be alive.
    public var lastAlive: Int64
    /// The processes of a merged log. Events refer to them by index. Empty in a log of one process.
    public var processes: [LogProcess] = []
    /// The version of opviz that recorded it, `0.1.0`. Nil if another program wrote the file, or an opviz
    /// that did not store its version.
    public var recorder: String?
    /// Where the times come from that threads spend on processors. Nil if the log does not say.
    public var processorTimes: ProcessorTimes?
    /// Nil in a merged log, whose processes have their own, and if the log does not say.
    public var processors: ProcessorCount?
    /// The signal that ended the program before its log was closed. Nil where nobody saw that.
    package var endingSignal: Int32?

    /// Whether another program recorded it. Such a trace may begin and end anywhere: an operation without a
    /// finish was open at its end, and nothing says that it hung.
    package var isOfAnotherProgram = false

    /// A header of one process. `processes` and `recorder` can be set afterwards.
    public init(
        process: String, processID: Int32, host: String, start: Int64, bootClock: BootClock? = nil,
        droppedEvents: UInt64 = 0, isClosed: Bool = false, lastAlive: Int64 = 0
    ) {
        self.process = process
        self.processID = processID
        self.host = host
        self.start = start
        self.bootClock = bootClock
        self.droppedEvents = droppedEvents
        self.isClosed = isClosed
        self.lastAlive = lastAlive
    }

    /// What a file says of the signal; nil for a number of none.
    package static func signal(_ number: some BinaryInteger) -> Int32? {
        let signal = Int32(clamping: number)
        return (1...127).contains(signal) ? signal : nil
    }
}

/// How a log knows what executions spend their time on. The numbers are those of the binary form.
public enum ProcessorTimes: UInt32, CaseIterable, Sendable {
    /// The kernel recorded when threads left processors.
    case switches = 1
    /// Threads read their own clocks at the begin and end of long bodies.
    case clocks = 2
    /// They were not recorded.
    case off = 3

    /// As in JSON.
    package var word: String {
        switch self {
        case .switches: "switches"
        case .clocks: "clocks"
        case .off: "off"
        }
    }

    /// From how many nanoseconds on bodies are long.
    package static let longBody: Int64 = 300_000
}

/// A time on the monotonic clock, which all processes share from the machine's start to its end.
public struct BootClock: Hashable, Sendable {
    /// A UUID that identifies the boot of the machine. Never 0.
    public var boot: BootID
    /// Nanoseconds.
    public var monotonic: UInt64

    /// The time `monotonic`, in nanoseconds, on the clock of that boot.
    public init(boot: BootID, monotonic: UInt64) {
        self.boot = boot
        self.monotonic = monotonic
    }
}

/// The UUID that an operating system assigns itself when it starts.
public struct BootID: Hashable, Sendable {
    /// The first 16 hexadecimal digits of the UUID.
    public var high: UInt64
    /// The last 16 hexadecimal digits of the UUID.
    public var low: UInt64

    /// Nil for zeros, which mean an unknown identifier.
    public init?(high: UInt64, low: UInt64) {
        guard high | low != 0 else { return nil }
        self.high = high
        self.low = low
    }

    /// Parses 32 hexadecimal digits, with any dashes between them.
    public init?(_ text: String) {
        let digits = text.filter { $0 != "-" }
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// 32 hexadecimal digits.
    public var text: String {
        TraceContext.Span(traceHigh: high, traceLow: low, span: 1).traceText
    }
}
