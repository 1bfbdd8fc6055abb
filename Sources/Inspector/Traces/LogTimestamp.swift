/// Times of a JSON log: microseconds in decimal, read digit by digit, because a double would not carry them.
enum LogTimestamp {
    /// Nanoseconds, or nil when `text` is no decimal number. More than three decimals are cut off; a number
    /// that does not fit becomes the nearest that does.
    static func nanoseconds(ofMicroseconds text: some Sequence<UInt8>) -> Int64? {
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

    /// `number` with one more decimal digit; stops at the largest number.
    private static func shifted(_ number: Int64, _ digit: Int64) -> Int64 {
        let (tens, overflow) = number.multipliedReportingOverflow(by: 10)
        let (sum, overflowAgain) = tens.addingReportingOverflow(digit)
        return overflow || overflowAgain ? .max : sum
    }
}
