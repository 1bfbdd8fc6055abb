import CLogFormat
import Foundation

/// The first bytes of a binary log. The layout is specified in Documentation/TraceFormat.md.
package struct BinaryLogHeader {
    static let magic = Array(LOG_MAGIC.utf8)
    package static let size = LOG_HEADER_SIZE
    package static let segmentSize = LOG_SEGMENT_SIZE
    package static let segmentHeaderSize = LOG_SEGMENT_HEADER_SIZE
    static let version = UInt32(LOG_VERSION)

    package struct Flags: OptionSet {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let sealed = Flags(rawValue: UInt32(LOG_IS_SEALED))
        package static let keepsLatest = Flags(rawValue: UInt32(LOG_KEEPS_LATEST))
        static let ofAnotherProgram = Flags(rawValue: UInt32(LOG_IS_OF_ANOTHER_PROGRAM))
    }

    package var flags: Flags = []
    var countsTicks = false
    var start = LogClock.Anchor(time: 0, monotonic: 0)
    package var lastAlive: UInt64 = 0
    var overwritten: UInt64 = 0
    /// The size of the whole file when it was sealed, or when the signal that ended the program was written
    /// to it; 0 if neither happened, or if its recorder did not store the size.
    var sealedSize: UInt64 = 0
    var headerSize = Self.size
    var segmentSize = Self.segmentSize
    /// Its `lastAlive` is not set, because computing it requires the clock.
    package var log: LogHeader

    package init(_ log: LogHeader) {
        self.log = log
        flags = log.isClosed ? .sealed : []
        if log.isOfAnotherProgram { flags.insert(.ofAnotherProgram) }
        lastAlive = UInt64(bitPattern: log.lastAlive)
    }

    /// - Throws: `BinaryLogError` if it is not a log, or if its version is newer.
    init(_ bytes: UnsafeRawBufferPointer) throws(BinaryLogError) {
        guard bytes.count >= LOG_HEADER_END else {
            throw BinaryLogError(offset: bytes.count, reason: "the file ends within its header")
        }
        func uint64(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        func uint32(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        let version = uint32(LOG_VERSION_OFFSET)
        guard version == Self.version else {
            throw BinaryLogError(version: version)
        }
        headerSize = Int(uint32(LOG_HEADER_SIZE_OFFSET))
        segmentSize = Int(uint32(LOG_SEGMENT_SIZE_OFFSET))
        guard (LOG_HEADER_END...1 << 20).contains(headerSize), (4096...1 << 24).contains(segmentSize) else {
            throw BinaryLogError(
                offset: LOG_HEADER_SIZE_OFFSET, reason: "not a header of this format: its size is unknown")
        }
        flags = Flags(rawValue: uint32(LOG_FLAGS_OFFSET))
        countsTicks = uint64(LOG_CLOCK_OFFSET) == 1
        start = LogClock.Anchor(
            time: uint64(LOG_START_TIME_OFFSET), monotonic: uint64(LOG_START_MONOTONIC_OFFSET))
        lastAlive = uint64(LOG_LAST_ALIVE_OFFSET)
        overwritten = uint64(LOG_OVERWRITTEN_OFFSET)
        func text(_ range: Range<Int>) -> String {
            String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
        }
        log = LogHeader(
            process: text(LOG_PROCESS_OFFSET..<LOG_HOST_OFFSET),
            processID: Int32(truncatingIfNeeded: uint64(LOG_PROCESS_ID_OFFSET)),
            host: text(LOG_HOST_OFFSET..<LOG_HEADER_END),
            start: Int64(bitPattern: uint64(LOG_START_WALL_OFFSET)),
            bootClock: BootID(high: uint64(LOG_BOOT_HIGH_OFFSET), low: uint64(LOG_BOOT_LOW_OFFSET)).map {
                BootClock(boot: $0, monotonic: uint64(LOG_START_MONOTONIC_OFFSET))
            },
            droppedEvents: uint64(LOG_DROPPED_OFFSET), isClosed: flags.contains(.sealed))
        log.isOfAnotherProgram = flags.contains(.ofAnotherProgram)
        let recorder = text(LOG_RECORDER_OFFSET..<LOG_PROCESS_OFFSET)
        log.recorder = recorder.isEmpty ? nil : recorder
        let timesEnd = LOG_PROCESSOR_TIMES_OFFSET + 4
        if headerSize >= timesEnd, bytes.count >= timesEnd {
            log.processorTimes = ProcessorTimes(rawValue: uint32(LOG_PROCESSOR_TIMES_OFFSET))
        }
        let processorsEnd = LOG_USABLE_PROCESSORS_OFFSET + 4
        if headerSize >= processorsEnd, bytes.count >= processorsEnd {
            // Zeros follow in a log that does not say.
            let hasLimits = min(headerSize, bytes.count) >= LOG_LATER_PROCESSORS_OFFSET + 4
            log.processors = ProcessorCount(
                online: uint32(LOG_ONLINE_PROCESSORS_OFFSET), usable: uint32(LOG_USABLE_PROCESSORS_OFFSET),
                quota: hasLimits ? uint32(LOG_PROCESSOR_QUOTA_OFFSET) : 0,
                later: hasLimits ? uint32(LOG_LATER_PROCESSORS_OFFSET) : 0)
        }
        let end = LOG_ENDING_SIGNAL_OFFSET + 4
        if !log.isClosed, headerSize >= end, bytes.count >= end {
            log.endingSignal = LogHeader.signal(uint32(LOG_ENDING_SIGNAL_OFFSET))
        }
        sealedSize = log.isClosed || log.endingSignal != nil ? uint64(LOG_SEALED_SIZE_OFFSET) : 0
    }

    /// `size` bytes.
    package var bytes: [UInt8] {
        var bytes = Self.magic + [UInt8](repeating: 0, count: Self.size - Self.magic.count)
        func set(_ offset: Int, _ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) {
                bytes.replaceSubrange(offset..<offset + $0.count, with: $0)
            }
        }
        set(LOG_VERSION_OFFSET, Self.version)
        set(LOG_HEADER_SIZE_OFFSET, UInt32(Self.size))
        set(LOG_SEGMENT_SIZE_OFFSET, UInt32(Self.segmentSize))
        set(LOG_FLAGS_OFFSET, flags.rawValue)
        set(LOG_CLOCK_OFFSET, UInt64(countsTicks ? 1 : 0))
        set(LOG_PROCESS_ID_OFFSET, Int64(log.processID))
        set(LOG_START_WALL_OFFSET, log.start)
        set(LOG_START_MONOTONIC_OFFSET, log.bootClock?.monotonic ?? start.monotonic)
        set(LOG_START_TIME_OFFSET, start.time)
        set(LOG_LAST_ALIVE_OFFSET, lastAlive)
        set(LOG_DROPPED_OFFSET, log.droppedEvents)
        set(LOG_OVERWRITTEN_OFFSET, overwritten)
        set(LOG_BOOT_HIGH_OFFSET, log.bootClock?.boot.high ?? 0)
        set(LOG_BOOT_LOW_OFFSET, log.bootClock?.boot.low ?? 0)
        set(LOG_SEALED_SIZE_OFFSET, sealedSize)
        set(LOG_ENDING_SIGNAL_OFFSET, log.endingSignal ?? 0)
        set(LOG_PROCESSOR_TIMES_OFFSET, log.processorTimes?.rawValue ?? 0)
        set(LOG_ONLINE_PROCESSORS_OFFSET, UInt32(clamping: log.processors?.online ?? 0))
        set(LOG_USABLE_PROCESSORS_OFFSET, UInt32(clamping: log.processors?.usable ?? 0))
        set(LOG_PROCESSOR_QUOTA_OFFSET, UInt32(clamping: log.processors?.quotaInThousandths ?? 0))
        set(LOG_LATER_PROCESSORS_OFFSET, UInt32(clamping: log.processors?.usableLater ?? 0))
        for (text, offset, room) in [
            (log.recorder ?? "", LOG_RECORDER_OFFSET, 16), (log.process, LOG_PROCESS_OFFSET, 256),
            (log.host, LOG_HOST_OFFSET, 256),
        ] {
            let cut = Self.cut(text, to: room - 1)
            bytes.replaceSubrange(offset..<offset + cut.count, with: cut)
        }
        return bytes
    }

    /// At most `most` bytes: complete characters without NUL.
    private static func cut(_ text: String, to most: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let encoded = Array(String(scalar).utf8)
            guard scalar != "\0", bytes.count + encoded.count <= most else { break }
            bytes += encoded
        }
        return bytes
    }
}

/// Why bytes cannot be read as a binary log.
package struct BinaryLogError: Error, Sendable {
    package var offset: Int?
    package var reason: String
    /// The version of the log is not known.
    package var isOtherVersion = false
    /// It may be a log, but the system did not return its bytes.
    package var isUnreadable = false

    init(offset: Int?, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    init(version: UInt32) {
        reason =
            "is a binary trace of version \(version), but this opviz reads version \(BinaryLogHeader.version)"
        isOtherVersion = true
    }

    init(unreadable code: Int32) {
        reason = String(cString: strerror(code))
        isUnreadable = true
    }
}
