import EventLog

/// A log that is to be merged with others: its events, and what is to be known of them before.
struct MergedInput: Sendable {
    /// What a recorder notices late stands behind what came after it. What lies further back than this was
    /// not written by one.
    private static let largestDisorder: Int64 = 60_000_000_000
    /// The year 2116 as nanoseconds since 1970, so that sums of times do not overflow.
    private static let latestStart: Int64 = 1 << 62
    /// Stands for the end of what has not finished yet.
    private static let open = Int64.max

    let path: String
    let contents: EventLogContents
    /// The largest identifiers; nil where there are none.
    private(set) var lastOperation: UInt64?
    private(set) var lastQueue: UInt64?
    /// Nanoseconds since its start: its last event, or when the process was last known alive.
    private(set) var end: Int64
    /// Operations whose context was sent.
    private(set) var senders: [OperationID: Sender] = [:]
    /// What operations were told that they were caused by, and, without an operation, the process.
    private(set) var received: [(operation: OperationID?, context: TraceContext, time: Int64)] = []
    /// When operations that were told that finished; and when the last of all did.
    private var ends: [OperationID: Int64] = [:]
    private var lastFinish: Int64?
    /// How many events contradict earlier ones.
    let contradictions: Int
    /// What operations of this log are called in others.
    let identifiers: SpanIdentifiers

    struct Sender {
        /// When its context was sent for the first time, and when it finished: nanoseconds since the start of
        /// the log.
        var sent: Int64
        var finished: Int64?
    }

    var header: LogHeader { contents.header }
    var hasOperations: Bool { lastOperation != nil }

    /// Linear in events.
    ///
    /// - Throws: `TraceError` for a log whose times cannot be compared with those of others.
    init(_ contents: EventLogContents, path: String) throws(TraceError) {
        self.path = path
        self.contents = contents
        let header = contents.header
        end = header.lastAlive
        guard header.processes.isEmpty else {
            throw TraceError(
                .cannotBeMerged, path: path,
                reason: "was merged already; give the logs that it was made of")
        }
        guard header.start > 0, header.start < Self.latestStart else {
            throw TraceError(
                .cannotBeMerged, path: path,
                reason: "says no wall-clock time at which it began, so that it cannot be aligned with others")
        }
        var latest = Int64.min
        var processCause: TraceContext?
        var contradictions = LogContradictions()
        for (index, event) in contents.events.enumerated() {
            if let problem = Self.problem(of: event, after: latest) {
                throw TraceError(.cannotBeMerged, path: path, reason: "event \(index + 1) \(problem)")
            }
            latest = max(latest, event.time)
            contradictions.add(event)
            let (operation, queue) = event.body.largestIdentifiers
            if let operation { lastOperation = max(lastOperation ?? 0, operation) }
            if let queue { lastQueue = max(lastQueue ?? 0, queue) }
            switch event.body {
            case .contextSent(let id):
                if senders[id] == nil { senders[id] = Sender(sent: event.time) }
            case .finished(let id, _):
                if senders[id] != nil, senders[id]?.finished == nil { senders[id]?.finished = event.time }
                if ends[id] == Self.open { ends[id] = event.time }
                lastFinish = max(lastFinish ?? event.time, event.time)
            case .contextReceived(let id, let traceparent):
                guard let context = TraceContext(traceparent: traceparent) else { continue }
                received.append((id, context, event.time))
                if let id, ends[id] == nil { ends[id] = Self.open }
                if id == nil, processCause == nil { processCause = context }
            default: break
            }
        }
        end = max(end, latest)
        self.contradictions = contradictions.count
        identifiers = SpanIdentifiers(
            host: header.host, process: header.process, processID: header.processID, start: header.start,
            cause: processCause)
    }

    /// When that operation finished, or, without one, the last of all; nil where it did not.
    func end(of operation: OperationID?) -> Int64? {
        guard let operation else { return lastFinish }
        return ends[operation].flatMap { $0 == Self.open ? nil : $0 }
    }

    /// What no recorder would have written.
    private static func problem(of event: LogEvent, after latest: Int64) -> String? {
        // Between two clocks something may be off by a little.
        guard event.time >= -1_000_000, event.time <= 1 << 60 else {
            return "lies before the start of the log, or decades after it"
        }
        if let notBefore = event.notBefore, notBefore > event.time {
            return
                "has an interval that ends \(DurationFormat.text(nanoseconds: notBefore &- event.time)) "
                + "before it begins"
        }
        guard latest == .min || event.time >= latest - largestDisorder else {
            return
                "lies \(DurationFormat.text(nanoseconds: latest - event.time)) before one that stands "
                + "before it: the times of the log are out of order"
        }
        return nil
    }
}
