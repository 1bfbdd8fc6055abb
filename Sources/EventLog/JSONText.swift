/// JSON written by hand into bytes: strings that hold anything, and times that no double could carry.
package enum JSONText {
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// Appends `string` as a JSON string, quotes included.
    package static func append(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20, 0x7f:
                bytes.append(contentsOf: #"\u00"#.utf8)
                bytes.append(hexadecimal[Int(byte >> 4)])
                bytes.append(hexadecimal[Int(byte & 15)])
            default:
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends nanoseconds as microseconds with three decimals.
    static func append(microseconds nanoseconds: Int64, to bytes: inout [UInt8]) {
        if nanoseconds < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = nanoseconds.magnitude
        bytes.append(contentsOf: String(magnitude / 1000).utf8)
        bytes.append(UInt8(ascii: "."))
        appendPadded(magnitude % 1000, width: 3, to: &bytes)
    }

    /// Appends a number with zeros before it, so that it always takes the same room.
    static func appendPadded(_ number: UInt64, width: Int, to bytes: inout [UInt8]) {
        let digits = String(number)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, width - digits.utf8.count)))
        bytes.append(contentsOf: digits.utf8)
    }
}
