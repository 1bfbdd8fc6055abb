/// Writes JSON into bytes: strings with any contents, and times that no double could represent.
package enum JSONText {
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// Appends `string` as a JSON string, with quotes. Escapes characters that control a terminal or change
    /// the direction of writing, because JSON is printed too.
    package static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in string.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C:
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case 0x20..<0x7F: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case 0..<0xA0, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF:
                bytes.append(contentsOf: #"\u"#.utf8)
                for shift in [12, 8, 4, 0] as [UInt32] {
                    bytes.append(hexadecimal[Int(scalar.value >> shift & 15)])
                }
            default: bytes.append(contentsOf: String(scalar).utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends nanoseconds as microseconds with three decimals.
    package static func append(microseconds nanoseconds: Int64, to bytes: inout [UInt8]) {
        if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = nanoseconds.magnitude
        bytes.append(contentsOf: String(magnitude / 1000).utf8)
        bytes.append(UInt8(ascii: "."))
        appendPadded(magnitude % 1000, width: 3, to: &bytes)
    }

    /// Appends a number with leading zeros, so that it always takes the same space.
    static func appendPadded(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
        let digits = String(number)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, width - digits.utf8.count)))
        bytes.append(contentsOf: digits.utf8)
    }
}
