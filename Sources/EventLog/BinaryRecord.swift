package import CLogFormat

/// One record of a binary log: an event at one time, in 24 bytes. Documentation/TraceFormat.md specifies the
/// layout.
package struct BinaryRecord {
    static let size = LOG_RECORD_SIZE
    /// The bits of an argument: 56.
    static let argumentMask: UInt64 = (1 << 56) - 1

    package var time: UInt64 = 0
    package var subject: UInt64
    package var argument: UInt64
    package var type: UInt8

    package init(_ type: RecordType, subject: UInt64 = 0, argument: UInt64 = 0) {
        self.init(number: type.rawValue, subject: subject, argument: argument)
    }

    /// - Parameter number: the number of the type.
    init(number: UInt8, subject: UInt64, argument: UInt64) {
        type = number
        self.subject = subject
        self.argument = argument
    }

    /// Nil if no record was written there.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        let last = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
        guard last != 0 else { return nil }
        time = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        subject = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        type = UInt8(truncatingIfNeeded: last)
        argument = last >> 8
    }

    /// Nil for a count of 0.
    static func loss(unknown count: Int) -> String? {
        guard count > 0 else { return nil }
        return Prose.counted(
            count, "record is of an unknown type, and was left out; a newer opviz may read it",
            "records are of an unknown type, and were left out; a newer opviz may read them")
    }

    package func append(to bytes: inout [UInt8]) {
        for word in [time, subject, UInt64(type) | argument << 8] {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }
}

/// The type of a record. The numbers are those of the recording core.
package typealias RecordType = record_type

extension RecordType {
    /// Nil for a number that this version does not know.
    package init?(number: UInt8) {
        guard Self.isKnown[Int(number)], let type = RecordType(rawValue: number) else { return nil }
        self = type
    }

    private static let isKnown: [Bool] = {
        let ofStreams: [RecordType] = [.thread, .anchor, .notBefore, .process]
        let ofEvents = EventSchema.all.flatMap { [$0.type] + $0.members.compactMap(\.value.record) }
        let known = Set((ofStreams + ofEvents).map(\.rawValue))
        return (0...UInt8.max).map(known.contains)
    }()

    /// The types of records that are events, in this version or a later one.
    package static let ofEvents = RecordType.enqueued.rawValue...UInt8.max
    /// The types of records that add to the next event in later versions.
    static let ofLaterVersions: ClosedRange<UInt8> = 12...15
}
