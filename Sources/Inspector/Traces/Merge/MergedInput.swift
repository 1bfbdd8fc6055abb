import EventLog

/// A log to merge with others: its events, and what the merge needs to know about it.
struct MergedInput: Sendable {
    /// A recorder writes some events after later ones, because it notices them late. No recorder writes
    /// events that are older than this.
    private static let largestDisorder: Int64 = 60_000_000_000
    /// The year 2116 in nanoseconds since 1970, so that sums of times do not overflow.
    private static let latestStart: Int64 = 1 << 62
    /// The end of an operation that has not finished.
    private static let open = Int64.max

    let path: String
    /// The merge changes its events to those of the merged log.
    var stored: StoredLog
    /// The largest identifiers; nil without any.
    private(set) var lastOperation: UInt64?
    private(set) var lastQueue: UInt64?
    /// Nanoseconds since its start: its last event, or when the process was last known to be alive.
    private(set) var end: Int64
    /// Operations whose context was sent.
    private(set) var senders: [OperationID: Sender] = [:]
    /// The causes that operations received; without an operation, the cause of the process.
    private(set) var received: [(operation: OperationID?, context: TraceContext, time: Int64)] = []
    /// When operations with a received cause finished, and when the last operation finished.
    private var ends: [OperationID: Int64] = [:]
    private var lastFinish: Int64?
    /// How many events contradict earlier ones.
    let contradictions: Int
    /// The identifiers of this log's operations in other logs.
    let identifiers: SpanIdentifiers

    struct Sender {
        /// When it first sent its context, and when it finished, in nanoseconds since the start of the log.
        var sent: Int64
        var finished: Int64?
    }

    var header: LogHeader { stored.log.header }
    var hasOperations: Bool { lastOperation != nil }

    /// Linear in events.
    ///
    /// - Throws: `TraceError` for a log whose times cannot be compared with those of others.
    init(_ stored: StoredLog, path: String) throws(TraceError) {
        self.path = path
        self.stored = stored
        let header = stored.log.header
        end = header.lastAlive
        guard header.processes.isEmpty else {
            throw TraceError(
                .cannotBeMerged, path: path,
                reason: "is already merged; merge its original logs instead")
        }
        guard header.start > 0, header.start < Self.latestStart else {
            throw TraceError(
                .cannotBeMerged, path: path,
                reason: "does not say when it began, so it cannot be aligned with others")
        }
        var latest = Int64.min
        var processCause: TraceContext?
        var contradictions = LogContradictions()
        for (index, event) in stored.events.enumerated() {
            if let problem = Self.problem(of: event, after: latest) {
                throw TraceError(.cannotBeMerged, path: path, reason: "event \(index + 1) \(problem)")
            }
            latest = max(latest, event.time)
            guard let meaning = EventSchema.of(event.type)?.meaning else { continue }
            contradictions.add(event, meaning)
            let (operation, queue) = event.largestIdentifiers
            if let operation { lastOperation = max(lastOperation ?? 0, operation) }
            if let queue { lastQueue = max(lastQueue ?? 0, queue) }
            let id = OperationID(event.subject)
            switch meaning {
            case .contextSent:
                if senders[id] == nil { senders[id] = Sender(sent: event.time) }
            case .step(.finished):
                if senders[id] != nil, senders[id]?.finished == nil { senders[id]?.finished = event.time }
                if ends[id] == Self.open { ends[id] = event.time }
                lastFinish = max(lastFinish ?? event.time, event.time)
            case .contextReceived:
                guard let context = TraceContext(traceparent: stored.log.texts[event.text]) else { break }
                let operation = event.subject == 0 ? nil : id
                received.append((operation, context, event.time))
                if let operation, ends[operation] == nil { ends[operation] = Self.open }
                if operation == nil, processCause == nil { processCause = context }
            case .step, .edgeAdded, .edgeRemoved, .operationDetail, .queueNamed, .queueDetail, .mark,
                .waitBegan, .waitEnded, .threadTime, .sample, .taskCreated, .taskDetail, .executorOpened:
                break
            }
        }
        end = max(end, latest)
        self.contradictions = contradictions.count
        identifiers = SpanIdentifiers(
            host: header.host, process: header.process, processID: header.processID, start: header.start,
            cause: processCause)
    }

    /// When that operation finished; or without one, when the last operation finished. Nil if it did not
    /// finish.
    func end(of operation: OperationID?) -> Int64? {
        guard let operation else { return lastFinish }
        return ends[operation].flatMap { $0 == Self.open ? nil : $0 }
    }

    /// What is wrong with an event that no recorder would write.
    private static func problem(of event: EventFields, after latest: Int64) -> String? {
        // Allows a small difference between two clocks.
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
                "lies \(DurationFormat.text(nanoseconds: latest - event.time)) before an earlier event: the "
                + "times of the log are out of order"
        }
        return nil
    }
}
