/// Writes JSON into bytes: strings with any contents, and times that no double could represent.
package enum JSONText {
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// Appends `string` as a JSON string, with quotes. Escapes characters that control a terminal or change
    /// the direction of writing, because JSON is printed too.
    package static func append(_ string: String, to bytes: inout [UInt8]) {
        var string = string
        string.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), to: &bytes) }
    }

    /// The same for valid UTF-8.
    static func append(utf8 text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var position = 0
        while position < text.count {
            let plain = text[position...].prefix(while: isPlain)
            bytes.append(contentsOf: plain)
            position = plain.endIndex
            guard position < text.count else { break }
            let byte = text[position]
            guard byte >= 0x80 else {
                position += 1
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    bytes.append(UInt8(ascii: "\\"))
                    bytes.append(byte)
                } else {
                    append(escaped: UInt32(byte), to: &bytes)
                }
                continue
            }
            // The leading byte says how many follow, with six bits each.
            let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            let end = min(position + length, text.count)
            var scalar = UInt32(byte) & (0x7F >> UInt32(length))
            for follower in text[position + 1..<end] { scalar = scalar << 6 | UInt32(follower & 0x3F) }
            switch scalar {
            case 0..<0xA0, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF:
                append(escaped: scalar, to: &bytes)
            default: bytes.append(contentsOf: text[position..<end])
            }
            position = end
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// ASCII that is written as it is.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(escaped scalar: UInt32, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"\u"#.utf8)
        for shift in [12, 8, 4, 0] as [UInt32] {
            bytes.append(hexadecimal[Int(scalar >> shift & 15)])
        }
    }

    /// Appends an identifier in hexadecimal, such as `0x1f`.
    static func append(identifier: UInt64, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "0"))
        bytes.append(UInt8(ascii: "x"))
        let digits = max(1, (UInt64.bitWidth - identifier.leadingZeroBitCount + 3) / 4)
        for digit in stride(from: digits - 1, through: 0, by: -1) {
            bytes.append(hexadecimal[Int(identifier >> UInt64(4 * digit) & 15)])
        }
    }

    /// Appends a number in decimal, without making a string of it.
    ///
    /// - Parameter number: of at most 64 bits.
    static func append(number: some BinaryInteger, to bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        appendPadded(UInt64(number.magnitude), width: 1, to: &bytes)
    }

    /// Appends nanoseconds as microseconds with three decimals.
    package static func append(microseconds nanoseconds: Int64, to bytes: inout [UInt8]) {
        if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = nanoseconds.magnitude
        append(number: magnitude / 1000, to: &bytes)
        bytes.append(UInt8(ascii: "."))
        appendPadded(magnitude % 1000, width: 3, to: &bytes)
    }

    /// Appends a number with leading zeros, so that it always takes the same space.
    static func appendPadded(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
        var (place, digits): (UInt64, Int) = (1, 1)
        while number / place >= 10 {
            place *= 10
            digits += 1
        }
        for _ in digits..<max(digits, width) { bytes.append(UInt8(ascii: "0")) }
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(number / place % 10))
            place /= 10
        }
    }
}
