import CTraceJSON
import Foundation

extension trace_text {
    /// Nil where the trace has no such member.
    var bytes: UnsafeRawBufferPointer? {
        start.map { UnsafeRawBufferPointer(start: $0, count: length) }
    }

    /// Without blanks after a number.
    var trimmedBytes: UnsafeRawBufferPointer? {
        guard let bytes else { return nil }
        var end = bytes.count
        while end > 0, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[..<end])
    }

    var string: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    func equals(_ word: StaticString) -> Bool {
        guard let start, length == word.utf8CodeUnitCount else { return false }
        return memcmp(start, word.utf8Start, length) == 0
    }

    func number<Number: FixedWidthInteger>(radix: Int) -> Number? {
        string.flatMap { Number($0, radix: radix) }
    }

    /// The number that `0x` and hexadecimal digits represent.
    var identifier: UInt64? {
        guard let bytes, bytes.count > 2, bytes[0] == UInt8(ascii: "0"), bytes[1] == UInt8(ascii: "x") else {
            return nil
        }
        return UInt64(hexadecimal: bytes[2...])
    }
}

extension UInt64 {
    /// The number that hexadecimal digits represent; nil for anything else, or if it does not fit.
    init?(hexadecimal digits: some Sequence<UInt8>) {
        self = 0
        for byte in digits {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            guard self >> 60 == 0 else { return nil }
            self = self << 4 | UInt64(digit)
        }
    }
}
