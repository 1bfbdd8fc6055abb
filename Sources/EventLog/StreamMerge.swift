/// The events of a binary log: those of its streams, merged by time.
struct StreamMerge {
    /// What to merge.
    struct Plan: Sendable {
        /// The segments of each stream, in the order of the streams' numbers: at equal times, the lower one
        /// comes first.
        var streams: [[Range<Int>]]
        var texts: TextNumbers
        var clock: LogClock
        /// From the log's header.
        var processCount: Int
    }

    /// What a merge has found besides events.
    struct Findings: Sendable {
        var eventCount = 0
        /// The time of the last event.
        var last: Int64 = 0
        var unknownRecords = 0
        var damagedEvents = DamagedEvents()
        var lostTexts = 0
        /// The `errno` of a failed read of the file.
        var failure: Int32?
    }

    private let bytes: LogBytes
    private var sources: [RecordStream]
    private var queue: StreamHeap
    private let texts: TextNumbers
    private var clock: LogClock
    private var eventCount = 0
    private var last: Int64 = 0

    init(_ bytes: LogBytes, _ plan: Plan) {
        self.bytes = bytes
        texts = plan.texts
        clock = plan.clock
        var sources = plan.streams.map {
            RecordStream(bytes, segments: $0, processCount: plan.processCount)
        }
        queue = StreamHeap(
            sources.indices.compactMap { index in sources[index].advance(plan.texts).map { ($0, index) } })
        self.sources = sources
    }

    /// Exchanges `event` for the next event, which may reuse its memory. False at the end of the log.
    mutating func next(_ event: inout EventFields) -> Bool {
        guard let index = queue.first else { return false }
        last = sources[index].give(&event, &clock)
        eventCount += 1
        queue.replaceFirst(with: sources[index].advance(texts))
        return true
    }

    /// Passes all events to `consumer`.
    consuming func give(to consumer: any EventConsumer, _ texts: InternedTexts) -> Findings {
        var event = EventFields()
        while next(&event) { consumer.consume(event, texts) }
        return findings
    }

    var findings: Findings {
        var findings = Findings(eventCount: eventCount, last: last, failure: bytes.failure)
        for source in sources {
            findings.unknownRecords += source.unknownRecords
            findings.damagedEvents.add(source.damagedEvents)
            findings.lostTexts += source.lostTexts
        }
        return findings
    }
}
