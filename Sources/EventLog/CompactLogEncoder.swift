import CLogFormat

/// Writes events as a compact log, a form for storing complete logs. See Documentation/TraceFormat.md.
///
/// Each event takes a few bytes: its time is stored relative to the event before, its operation relative to
/// the last one with the same type, and numbers in as few bytes as possible.
package struct CompactLogEncoder {
    private var bytes: [UInt8]
    private var state = CompactState()
    private var process = 0
    private var texts: [String: UInt64] = [:]
    private var count: UInt64 = 0

    package init(header: LogHeader) {
        bytes = CompactLog.magic
        bytes.appendNumber(CompactLog.version)
        for number in [
            UInt64(bitPattern: Int64(header.processID)), UInt64(bitPattern: header.start),
            header.droppedEvents,
            header.isClosed ? 1 : 2 * UInt64(clamping: header.endingSignal ?? 0),
            UInt64(bitPattern: header.lastAlive),
        ] { bytes.appendNumber(number) }
        for text in [header.process, header.host] { bytes.appendText(text) }
        for number in [header.bootClock?.boot.high, header.bootClock?.boot.low, header.bootClock?.monotonic] {
            bytes.appendNumber(number ?? 0)
        }
        bytes.appendProcesses(header.processes)
        bytes.appendText(header.recorder ?? "")
    }

    /// Appends one event. The order of the calls is the order of the log.
    package mutating func encode(_ event: LogEvent) {
        // The texts of an event are stored before it.
        var new: [String] = []
        guard
            var records = event.body.records(text: { text in
                if text.isEmpty { return 0 }
                if let known = texts[text] { return UInt32(truncatingIfNeeded: known) }
                let number = UInt64(texts.count + 1)
                texts[text] = number
                new.append(text)
                return UInt32(truncatingIfNeeded: number)
            })
        else { return }
        count += 1
        for text in new {
            bytes.append(CompactLog.text)
            bytes.appendText(text)
        }
        if let notBefore = event.notBefore {
            // Stored as the time before the event, which is small.
            let length = UInt64(bitPattern: event.time &- notBefore)
            records.insert(BinaryRecord(.notBefore, subject: length), at: 0)
        }
        if event.process != process {
            process = event.process
            bytes.append(RecordType.process.rawValue)
            bytes.appendNumber(UInt64(clamping: event.process))
        }
        if event.thread != state.thread {
            bytes.append(RecordType.thread.rawValue)
            bytes.appendNumber(state.number(ofThread: event.thread))
            if state.isNewThread { bytes.appendNumber(event.thread) }
        }
        for record in records {
            bytes.append(record.type)
            if RecordType.ofEvents.contains(record.type) { bytes.appendSigned(state.advance(to: event.time)) }
            bytes.appendSigned(state.difference(ofSubject: record.subject, type: record.type))
            if CompactLog.hasArgument(record.type) { bytes.appendNumber(record.argument) }
        }
    }

    /// The whole file.
    package consuming func finish() -> [UInt8] {
        bytes.append(CompactLog.end)
        bytes.appendNumber(count)
        return bytes
    }
}

/// Shared by the encoder and the reader of compact logs.
enum CompactLog {
    static let magic = Array("OPTRACEC".utf8)
    /// Version 1 had neither the machine's clock nor processes in its header; version 2 had no end mark;
    /// version 3 had no recorder.
    static let version: UInt64 = 4
    /// A text. Texts are numbered from 1 in their order.
    static let text: UInt8 = 8
    /// The end mark of a file, with the number of its events.
    static let end: UInt8 = 11

    static func hasArgument(_ type: UInt8) -> Bool { haveArgument[Int(type)] }

    /// Records of later versions have an argument, so that older readers find the next record. This list
    /// never grows.
    private static let withoutArgument: [RecordType] = [
        .thread, .anchor, .process, .notBefore, .parent, .dependency, .number, .dependencyAdded,
        .dependencyRemoved, .ready, .executing, .cancelled, .bodyBegan, .bodyEnded, .contextSent,
        .unnotifiedFinish, .slotFree, .suspended, .resumed,
        .limitChanged, .allCancelled, .waitForOperation, .waitForQueue, .waitEnded,
    ]

    private static let haveArgument = (0...UInt8.max).map { number in
        !withoutArgument.contains { $0.rawValue == number }
    }
}

/// State that is kept from record to record, in both the encoder and the reader.
struct CompactState {
    private(set) var thread: UInt64?
    private(set) var isNewThread = false
    private var threads: [UInt64: UInt64] = [:]
    private var known: [UInt64] = []
    private var time: Int64 = 0
    private var subjects = [UInt64](repeating: 0, count: 256)

    /// Switches to `thread` and returns its number. For a new thread, that is the number of threads before
    /// it.
    mutating func number(ofThread thread: UInt64) -> UInt64 {
        self.thread = thread
        if let number = threads[thread] {
            isNewThread = false
            return number
        }
        isNewThread = true
        threads[thread] = UInt64(threads.count)
        return UInt64(threads.count - 1)
    }

    /// The thread with that number; nil if it is new.
    mutating func thread(numbered number: UInt64) -> UInt64? {
        guard number < UInt64(known.count) else { return nil }
        thread = known[Int(number)]
        return thread
    }

    mutating func add(thread: UInt64) {
        known.append(thread)
        self.thread = thread
    }

    mutating func advance(to time: Int64) -> Int64 {
        defer { self.time = time }
        return time &- self.time
    }

    mutating func advance(by difference: Int64) -> Int64 {
        time &+= difference
        return time
    }

    mutating func difference(ofSubject subject: UInt64, type: UInt8) -> Int64 {
        defer { subjects[Int(type)] = subject }
        return Int64(bitPattern: subject &- subjects[Int(type)])
    }

    mutating func subject(by difference: Int64, type: UInt8) -> UInt64 {
        subjects[Int(type)] &+= UInt64(bitPattern: difference)
        return subjects[Int(type)]
    }
}
