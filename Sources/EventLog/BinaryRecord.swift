/// One record of a binary log: what happened at one time, in 24 bytes. The layout is specified in
/// Documentation/TraceFormat.md.
package struct BinaryRecord {
    static let size = 24
    /// What an argument can hold: 56 bits.
    static let argumentMask: UInt64 = (1 << 56) - 1

    package var time: UInt64 = 0
    package var subject: UInt64
    package var argument: UInt64
    package var type: UInt8

    package init(_ type: RecordType, subject: UInt64 = 0, argument: UInt64 = 0) {
        self.type = type.rawValue
        self.subject = subject
        self.argument = argument
    }

    /// Nil where no record was written.
    init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        let last = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self))
        guard last != 0 else { return nil }
        time = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        subject = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
        type = UInt8(truncatingIfNeeded: last)
        argument = last >> 8
    }

    package func append(to bytes: inout [UInt8]) {
        for word in [time, subject, UInt64(type) | argument << 8] {
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
    }
}

/// What a record says. The numbers are those of the recording core, and stand in files: they never change.
public enum RecordType: UInt8, CaseIterable, Sendable {
    // About the stream of records itself.
    case thread = 1
    case anchor = 2
    // Said of the next record that is none of these.
    case notBefore = 3
    case name = 4
    case parent = 5
    case dependency = 6
    case number = 7
    case code = 9
    // About the stream again.
    case process = 10
    // Operations.
    case enqueued = 16
    case sighted = 17
    case dependencyAdded = 18
    case dependencyRemoved = 19
    case ready = 20
    case executing = 21
    case cancelled = 22
    case finished = 23
    case bodyBegan = 24
    case bodyEnded = 25
    case contextSent = 26
    case contextReceived = 27
    case unnotifiedFinish = 28
    case slotFree = 29
    // Queues.
    case queueOpened = 32
    case queueRenamed = 33
    case suspended = 34
    case resumed = 35
    case limitChanged = 36
    case allCancelled = 37
    // What the program says itself, and what its threads wait for.
    case mark = 48
    case waitForOperation = 49
    case waitForQueue = 50
    case waitEnded = 51

    /// Whether it is said of the next record that is not of this sort.
    var isPrefix: Bool { (Self.notBefore.rawValue...Self.code.rawValue).contains(rawValue) }
}
