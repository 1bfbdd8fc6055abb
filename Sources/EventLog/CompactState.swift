import CLogFormat

/// Shared by the encoder and the reader of compact logs.
enum CompactLog {
    static let magic = Array("OPTRACEC".utf8)
    /// Version 1 had neither the machine's clock nor processes in its header; version 2 had no end mark;
    /// version 3 had no recorder; version 4 stored everything that is expected; version 5 did not say where
    /// the times on processors come from; version 6 did not count processors; version 7 did not say whether
    /// another program recorded it, and knew neither the quota of processors nor that they changed.
    static let version: UInt64 = 8
    /// Types take six bits. The other two say what the record leaves out.
    static let typeMask: UInt8 = 63
    /// The subject is the expected one.
    static let expectedSubject: UInt8 = 64
    /// The argument is the expected one; for an event without argument, no time has passed.
    static let expectedSecond: UInt8 = 128
    /// How many bytes a text may share with the one before. Limits what a damaged file can grow to.
    static let mostShared = 127
    /// A text. Texts are numbered from 1 in their order.
    static let text: UInt8 = 8
    /// The end mark of a file, with the number of its events.
    static let end: UInt8 = 11

    static func hasArgument(_ type: UInt8) -> Bool { haveArgument[Int(type)] }

    /// Whether the bits of its byte above the type say what is expected.
    static func hasFlags(_ type: UInt8) -> Bool {
        type != text && type != end && type != RecordType.thread.rawValue
            && type != RecordType.process.rawValue
    }

    /// The numbers that store an argument. An enqueue's queue and kind are apart, because only one of them
    /// changes from operation to operation.
    static func parts(ofArgument argument: UInt64, type: UInt8) -> [UInt64] {
        guard type == RecordType.enqueued.rawValue else { return [argument] }
        return [argument & (1 << EventSchema.queueBits - 1), argument >> EventSchema.queueBits]
    }

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
    private var arguments = [UInt64](repeating: 0, count: 256)
    private var texts: UInt64 = 0
    private var lastText: [UInt8] = []
    /// Whether the log stores only what is not expected: from version 5 on.
    private let expects: Bool

    init(version: UInt64 = CompactLog.version) { expects = version >= 5 }

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
        return Int64(bitPattern: subject &- expectedSubject(type))
    }

    mutating func subject(by difference: Int64, type: UInt8) -> UInt64 {
        subjects[Int(type)] = expectedSubject(type) &+ UInt64(bitPattern: difference)
        return subjects[Int(type)]
    }

    /// Predicts the last subject of this record type; for events and dependencies, the next identifier,
    /// because programs add operations one after the other, and queues start them in that order.
    private func expectedSubject(_ type: UInt8) -> UInt64 {
        let counts = RecordType.ofEvents.contains(type) || type == RecordType.dependency.rawValue
        return expects && counts ? subjects[Int(type)] &+ 1 : subjects[Int(type)]
    }

    /// The newest text for a name, otherwise the argument of the last record of this type.
    func expectedArgument(_ type: UInt8) -> UInt64 {
        type == RecordType.name.rawValue ? texts : arguments[Int(type)]
    }

    mutating func set(argument: UInt64, type: UInt8) { arguments[Int(type)] = argument }

    mutating func isExpected(argument: UInt64, type: UInt8) -> Bool {
        defer { set(argument: argument, type: type) }
        return argument == expectedArgument(type)
    }

    /// How many bytes a text has in common with the one before.
    func shared(with text: [UInt8]) -> Int {
        let most = min(text.count, lastText.count, CompactLog.mostShared)
        return (0..<most).first { text[$0] != lastText[$0] } ?? most
    }

    /// The first bytes of the text before; nil if it is shorter.
    func shared(_ count: UInt64) -> ArraySlice<UInt8>? {
        count <= UInt64(min(lastText.count, CompactLog.mostShared)) ? lastText[..<Int(count)] : nil
    }

    mutating func add(text: [UInt8]) {
        texts += 1
        lastText = text
    }
}
