import Foundation

/// Receives the events of a log while it is written. Texts are numbers in the log; look them up with
/// `LogFollower.text`.
package protocol FollowedEventConsumer: AnyObject {
    func consume(_ event: EventFields)
}

/// Follows a binary log while a program writes it: each look reads only what was written since the last one.
///
/// Events are ordered by time, except for those that a thread was just appending. These come with the next
/// look, so an operation may be seen to start before it is seen to be enqueued. Memory is limited by the
/// number of the program's threads, whatever the size of the log. Do not use it on several threads at once.
package final class LogFollower {
    /// How a look ended.
    package enum Look: Sendable {
        /// Everything that was written has been read.
        case all
        /// It was told to stop earlier.
        case part
        /// The file now contains another log, or none: the program was restarted, or somebody truncated the
        /// file.
        case otherLog
    }

    /// How many events are read before it asks whether to continue.
    private static let eventsInARow = 2048

    private let file: FollowedFile
    private var header: BinaryLogHeader
    private var segments: FollowedSegments
    private var texts: FollowedTexts
    private var clock: FollowedClock
    private var streams: [FollowedStream] = []
    /// The index of each stream, by its number in the log.
    private var indexOfStream: [UInt64: Int] = [:]
    private let buffer = LogBuffer()
    /// The time of the last event that was passed on, in nanoseconds since the start.
    package private(set) var lastEvent: Int64 = 0
    package private(set) var eventCount = 0

    /// Begins to follow the log in a file, which must stay open meanwhile. Nil if no log was begun in it yet.
    ///
    /// - Throws: `BinaryLogError` if it is not a log, has another version, or cannot be read.
    package convenience init?(following descriptor: Int32) throws(BinaryLogError) {
        let file = FollowedFile(descriptor)
        let buffer = LogBuffer()
        defer { withExtendedLifetime(buffer) {} }
        let bytes = try file.read(0..<BinaryLogHeader.size, buffer)
        // The magic is written last.
        if bytes.prefix(BinaryLogHeader.magic.count).allSatisfy({ $0 == 0 }) { return nil }
        guard BinaryLogReader.recognizes(bytes) else {
            throw BinaryLogError(
                offset: 0,
                reason:
                    "is not a recorder's log, which begins with OPTRACE; "
                    + "a trace in another form cannot be followed"
            )
        }
        self.init(file, try BinaryLogHeader(bytes))
    }

    private init(_ file: FollowedFile, _ header: BinaryLogHeader) {
        self.file = file
        self.header = header
        segments = FollowedSegments(header)
        texts = FollowedTexts(header)
        clock = FollowedClock(header)
    }

    /// The log's header at the last look. `lastAlive` is not before the last event.
    package var log: LogHeader {
        var log = header.log
        log.lastAlive = max(0, clock.nanoseconds(header.lastAlive), lastEvent)
        return log
    }

    /// Records that were lost because the log keeps only the latest, before or after this began to read.
    package var overwrittenRecords: UInt64 { header.overwritten }
    package var keepsLatest: Bool { header.flags.contains(.keepsLatest) }
    /// Records that were overwritten, or skipped, before they were read here.
    package var missedRecords: Int { streams.reduce(0) { $0 + $1.missedRecords } }
    package var unknownRecords: Int { streams.reduce(0) { $0 + $1.unknownRecords } }
    package var damagedEvents: DamagedEvents {
        streams.reduce(into: DamagedEvents()) { $0.add($1.damagedEvents) }
    }

    /// Continues reading.
    ///
    /// - Parameter mayGoOn: called after every 2,048 events.
    /// - Throws: `BinaryLogError` if the file cannot be read.
    package func look(
        into consumer: any FollowedEventConsumer, while mayGoOn: () -> Bool
    ) throws(BinaryLogError) -> Look {
        guard try refreshHeader() else { return .otherLog }
        try takeSegments()
        var times: [(time: UInt64, stream: Int)] = []
        for index in streams.indices {
            streams[index].begin()
            if streams[index].pending == nil { _ = try streams[index].advance(file, segments, &clock) }
            if let time = streams[index].pending { times.append((time, index)) }
        }
        var heap = StreamHeap(times)
        var untilQuestion = Self.eventsInARow
        while let index = heap.first {
            lastEvent = max(lastEvent, streams[index].give(to: consumer, clock))
            eventCount += 1
            heap.replaceFirst(with: try streams[index].advance(file, segments, &clock))
            untilQuestion -= 1
            if untilQuestion == 0 {
                guard mayGoOn() else { return .part }
                untilQuestion = Self.eventsInARow
            }
        }
        return .all
    }

    /// Skips what is written and not read, except for the latest segment of each thread. Skipped records
    /// count as missed.
    package func skip() {
        for index in streams.indices { streams[index].skip() }
    }

    /// `?` for a text that does not exist, or cannot be read.
    package func text(_ number: UInt32) -> String { (try? texts.text(number, file, segments)) ?? "?" }

    /// False if the header belongs to another log.
    private func refreshHeader() throws(BinaryLogError) -> Bool {
        let bytes = try file.read(0..<BinaryLogHeader.size, buffer)
        guard BinaryLogReader.recognizes(bytes), bytes.count >= 640 else { return false }
        let new = try BinaryLogHeader(bytes)
        guard new.log.processID == header.log.processID, new.log.start == header.log.start,
            new.start.time == header.start.time, new.segmentSize == header.segmentSize
        else { return false }
        header = new
        return true
    }

    private func takeSegments() throws(BinaryLogError) {
        for segment in try segments.look(file) {
            switch segment.kind {
            case FollowedSegments.texts: texts.append(segment)
            case FollowedSegments.processes where segment.offset == header.headerSize:
                throw BinaryLogError(
                    offset: segment.offset,
                    reason:
                        "is a merged log of several processes, which is complete; it cannot be followed"
                )
            case FollowedSegments.records:
                let index = indexOfStream[segment.stream] ?? streams.count
                if index == streams.count {
                    streams.append(FollowedStream(segmentSize: header.segmentSize))
                    indexOfStream[segment.stream] = index
                }
                streams[index].append(segment)
            default: break
            }
        }
    }
}
