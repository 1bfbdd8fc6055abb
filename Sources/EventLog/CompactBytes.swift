/// Numbers and texts in as few bytes as possible, one after the other. See Documentation/TraceFormat.md.
struct CompactBytes {
    private let bytes: UnsafeRawBufferPointer
    var offset: Int

    init(_ bytes: UnsafeRawBufferPointer, offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    var isAtEnd: Bool { offset >= bytes.count }

    mutating func byte() -> UInt8? {
        guard offset < bytes.count else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func number() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = byte() else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }

    mutating func signed() -> Int64? {
        number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
    }

    mutating func text() -> UnsafeRawBufferPointer? {
        guard let count = number(), count <= UInt64(bytes.count - offset) else { return nil }
        defer { offset += Int(count) }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(count)])
    }

    mutating func string() -> String? { text().map { String(decoding: $0, as: UTF8.self) } }
}

extension [UInt8] {
    /// Seven bits per byte, the lowest first; the eighth bit means that more bytes follow (LEB128).
    mutating func appendNumber(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// With the sign in the lowest bit (zigzag).
    mutating func appendSigned(_ number: Int64) {
        appendNumber(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }

    mutating func appendText(_ text: String) {
        let content = Array(text.utf8)
        appendNumber(UInt64(content.count))
        self += content
    }
}

// MARK: The processes of a merged log, in both binary forms

extension CompactBytes {
    /// Nil if the data is truncated.
    mutating func processes() -> [LogProcess]? {
        guard let count = number() else { return nil }
        var processes: [LogProcess] = []
        for _ in 0..<count {
            guard let processID = number(), let start = signed(), let offset = signed(), let shift = signed(),
                let operationsBefore = number(), let dropped = number(), let closed = number(),
                let lastAlive = signed(), let process = string(), let host = string()
            else { return nil }
            processes.append(
                LogProcess(
                    process: process, processID: Int32(truncatingIfNeeded: processID), host: host,
                    start: start, offset: offset, shift: shift, operationsBefore: operationsBefore,
                    droppedEvents: dropped, isClosed: closed == 1, lastAlive: lastAlive))
        }
        return processes
    }
}

extension [UInt8] {
    mutating func appendProcesses(_ processes: [LogProcess]) {
        appendNumber(UInt64(processes.count))
        for process in processes {
            appendNumber(UInt64(UInt32(bitPattern: process.processID)))
            for number in [process.start, process.offset, process.shift] { appendSigned(number) }
            appendNumber(process.operationsBefore)
            appendNumber(process.droppedEvents)
            appendNumber(process.isClosed ? 1 : 0)
            appendSigned(process.lastAlive)
            appendText(process.process)
            appendText(process.host)
        }
    }
}
