import Foundation

/// The first bytes of a binary log. The layout is specified in Documentation/TraceFormat.md.
package struct BinaryLogHeader {
    static let magic = Array("OPTRACE\n".utf8)
    package static let size = 4096
    package static let segmentSize = 65_536
    package static let segmentHeaderSize = 32
    static let version: UInt32 = 1

    package struct Flags: OptionSet {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let sealed = Flags(rawValue: 1)
        package static let keepsLatest = Flags(rawValue: 2)
    }

    package var flags: Flags = []
    var countsTicks = false
    var start = LogClock.Anchor(time: 0, monotonic: 0)
    package var lastAlive: UInt64 = 0
    var overwritten: UInt64 = 0
    /// Of the whole file, when it was sealed; 0 where it was not, or by a recorder that did not say so.
    var sealedSize: UInt64 = 0
    var headerSize = Self.size
    var segmentSize = Self.segmentSize
    /// Its `lastAlive` is not set: it takes the clock to know it.
    package var log: LogHeader

    package init(_ log: LogHeader) {
        self.log = log
        flags = log.isClosed ? .sealed : []
        lastAlive = UInt64(bitPattern: log.lastAlive)
    }

    /// - Throws: `BinaryLogError` when it is no log, or one of a later version.
    init(_ bytes: UnsafeRawBufferPointer) throws(BinaryLogError) {
        guard bytes.count >= 640 else {
            throw BinaryLogError(offset: bytes.count, reason: "the file ends within its header")
        }
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        func half(_ offset: Int) -> UInt32 {
            UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        let version = half(8)
        guard version == Self.version else {
            throw BinaryLogError(version: version)
        }
        headerSize = Int(half(12))
        segmentSize = Int(half(16))
        guard (640...1 << 20).contains(headerSize), (4096...1 << 24).contains(segmentSize) else {
            throw BinaryLogError(offset: 12, reason: "a header of this size is none of this format")
        }
        flags = Flags(rawValue: half(20))
        countsTicks = word(24) == 1
        start = LogClock.Anchor(time: word(56), monotonic: word(48))
        lastAlive = word(64)
        overwritten = word(80)
        sealedSize = flags.contains(.sealed) ? word(104) : 0
        func text(_ range: Range<Int>) -> String {
            String(decoding: bytes[range].prefix { $0 != 0 }, as: UTF8.self)
        }
        log = LogHeader(
            process: text(128..<384), processID: Int32(truncatingIfNeeded: word(32)), host: text(384..<640),
            start: Int64(bitPattern: word(40)),
            bootClock: BootID(high: word(88), low: word(96)).map { BootClock(boot: $0, monotonic: word(48)) },
            droppedEvents: word(72), isClosed: flags.contains(.sealed))
    }

    /// `size` bytes.
    package var bytes: [UInt8] {
        var bytes = Self.magic
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
        }
        append(Self.version)
        append(UInt32(Self.size))
        append(UInt32(Self.segmentSize))
        append(flags.rawValue)
        append(UInt64(countsTicks ? 1 : 0))
        append(UInt64(bitPattern: Int64(log.processID)))
        append(log.start)
        append(log.bootClock?.monotonic ?? start.monotonic)
        append(start.time)
        append(lastAlive)
        append(log.droppedEvents)
        append(overwritten)
        append(log.bootClock?.boot.high ?? 0)
        append(log.bootClock?.boot.low ?? 0)
        append(sealedSize)
        for (text, end) in [(log.process, 384), (log.host, 640)] {
            bytes.append(contentsOf: repeatElement(0, count: end - 256 - bytes.count))
            bytes.append(contentsOf: Self.cut(text))
        }
        bytes.append(contentsOf: repeatElement(0, count: Self.size - bytes.count))
        return bytes
    }

    /// At most 255 bytes, whole characters, none of them NUL.
    private static func cut(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            let encoded = Array(String(scalar).utf8)
            guard scalar != "\0", bytes.count + encoded.count <= 255 else { break }
            bytes += encoded
        }
        return bytes
    }
}

/// Why bytes are no binary log that can be read.
public struct BinaryLogError: Error, Sendable {
    public var offset: Int?
    public var reason: String
    /// The log is of a version that is not known.
    public var isOtherVersion = false
    /// The log may be one; the system does not give its bytes.
    public var isUnreadable = false

    init(offset: Int?, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    init(version: UInt32) {
        reason =
            "is a binary trace of version \(version), and this program reads version \(BinaryLogHeader.version)"
        isOtherVersion = true
    }

    init(unreadable code: Int32) {
        reason = String(cString: strerror(code))
        isUnreadable = true
    }
}
