/// Times of a JSON log: decimal microseconds, parsed digit by digit, because a `Double` is not precise
/// enough.
enum LogTimestamp {
    /// As `decimalNanoseconds`, quickly for times as this project writes them: digits with three
    /// decimals.
    static func nanoseconds(ofMicroseconds text: UnsafeRawBufferPointer) -> Int64? {
        let point = text.count - 4
        // More digits might not fit.
        guard point > 0, text.count < 18, text[point] == UInt8(ascii: ".") else {
            return decimalNanoseconds(text)
        }
        var number: Int64 = 0
        for index in text.indices where index != point {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return decimalNanoseconds(text) }
            number = number &* 10 &+ Int64(digit)
        }
        return number
    }

    /// Nanoseconds, or nil if `text` is not a decimal number. Drops digits after the third decimal. Clamps a
    /// number that is too large.
    static func decimalNanoseconds(_ text: some Sequence<UInt8>) -> Int64? {
        var isNegative = false
        var magnitude: Int64 = 0
        var decimals: Int?
        var digits = 0
        var isFirst = true
        for byte in text {
            switch byte {
            case UInt8(ascii: "-") where isFirst:
                isNegative = true
            case UInt8(ascii: ".") where decimals == nil && digits > 0:
                decimals = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if let count = decimals {
                    guard count < 3 else { continue }
                    decimals = count + 1
                }
                digits += 1
                magnitude = shifted(magnitude, Int64(byte - UInt8(ascii: "0")))
            default:
                return nil
            }
            isFirst = false
        }
        guard digits > 0 else { return nil }
        for _ in (decimals ?? 0)..<3 { magnitude = shifted(magnitude, 0) }
        return isNegative ? -magnitude : magnitude
    }

    /// `number` with one more decimal digit, clamped to the largest number.
    private static func shifted(_ number: Int64, _ digit: Int64) -> Int64 {
        let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
        let (sum, overflowAgain) = tens.addingReportingOverflow(digit)
        return overflow || overflowAgain ? .max : sum
    }
}
