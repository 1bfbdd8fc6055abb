/// Parses JSON (RFC 8259) into values with positions. For small files: a value takes much more memory than
/// its text.
///
/// These files are edited by hand and merged, so each error has a position. Foundation's decoder does not say
/// where a value of an unexpected type is, simdjson does not say where in a complete document an error is,
/// and Yams accepts text that is not JSON. Linear; any bytes give values or a problem.
struct JSONParser {
    /// The files that it reads are not nested deeper than this.
    private static let deepest = 32

    private let bytes: [UInt8]
    private var position: Int
    private let whole: String

    /// - Parameter whole: what the bytes are, for errors: a file, or a line of one.
    static func parse(_ bytes: [UInt8], as whole: String = "file") throws(JSONValue.Problem) -> JSONValue {
        var parser = JSONParser(bytes: bytes, position: 0, whole: whole)
        // A byte order mark, which some editors add.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.problem("expected the end of the \(whole)") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONValue.Problem) -> JSONValue {
        skipSpace()
        let start = position
        guard depth <= Self.deepest else { throw problem("is nested too deeply") }
        let content: JSONValue.Content =
            switch next {
            case UInt8(ascii: "{"): .object(try object(depth))
            case UInt8(ascii: "["): .list(try list(depth))
            case UInt8(ascii: "\""): .text(try text())
            case UInt8(ascii: "t"): try word("true", .bool(true))
            case UInt8(ascii: "f"): try word("false", .bool(false))
            case UInt8(ascii: "n"): try word("null", .null)
            case nil: throw problem("the \(whole) ends where a value should be")
            case let byte? where "-0123456789".utf8.contains(byte): try number()
            default: throw problem("is not JSON: expected a value")
            }
        return JSONValue(content: content, offset: start)
    }

    private mutating func object(_ depth: Int) throws(JSONValue.Problem) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        position += 1
        skipSpace()
        if take(UInt8(ascii: "}")) { return members }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw problem("is not JSON: expected a name in quotes") }
            let name = try text()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw problem("is not JSON: expected :") }
            members[name] = try value(depth: depth + 1)
            skipSpace()
            if take(UInt8(ascii: "}")) { return members }
            guard take(UInt8(ascii: ",")) else { throw problem("is not JSON: expected , or }") }
        }
    }

    private mutating func list(_ depth: Int) throws(JSONValue.Problem) -> [JSONValue] {
        var values: [JSONValue] = []
        position += 1
        skipSpace()
        if take(UInt8(ascii: "]")) { return values }
        while true {
            values.append(try value(depth: depth + 1))
            skipSpace()
            if take(UInt8(ascii: "]")) { return values }
            guard take(UInt8(ascii: ",")) else { throw problem("is not JSON: expected , or ]") }
        }
    }

    private mutating func text() throws(JSONValue.Problem) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") {
                text += String(try escape()).utf8
            } else if byte < 0x20 {
                throw problem("is not JSON: a control character in a string")
            } else {
                text.append(byte)
                position += 1
            }
        }
        guard take(UInt8(ascii: "\"")) else {
            throw JSONValue.Problem(offset: start, reason: "the string that begins here does not end")
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// One scalar, which may be written as a surrogate pair. Half of a pair is not a character.
    private mutating func escape() throws(JSONValue.Problem) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let letter = next else { throw problem("the \(whole) ends within a string") }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{08}"
        case UInt8(ascii: "f"): return "\u{0C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let unit = fourDigits() else { break }
            if let scalar = Unicode.Scalar(unit) { return scalar }
            let afterFirst = position
            if unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")), let second = fourDigits(),
                0xDC00...0xDFFF ~= second
            {
                let high = UInt32(unit & 0x3FF) << 10
                return Unicode.Scalar(0x10000 + high + UInt32(second & 0x3FF)) ?? "\u{FFFD}"
            }
            position = afterFirst
            return "\u{FFFD}"
        default: break
        }
        throw JSONValue.Problem(offset: start, reason: "is not JSON: unknown escape in a string")
    }

    private mutating func fourDigits() -> UInt16? {
        guard position + 4 <= bytes.count else { return nil }
        let digits = bytes[position..<position + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        position += 4
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private mutating func word(
        _ word: String, _ content: JSONValue.Content
    ) throws(JSONValue.Problem) -> JSONValue.Content {
        guard bytes[position...].starts(with: word.utf8) else {
            throw problem("is not JSON: expected a value")
        }
        position += word.utf8.count
        return content
    }

    private mutating func number() throws(JSONValue.Problem) -> JSONValue.Content {
        let start = position
        _ = take(UInt8(ascii: "-"))
        // Another digit must not follow a leading zero.
        var isNumber = take(UInt8(ascii: "0")) || skipDigits()
        if take(UInt8(ascii: ".")) { isNumber = skipDigits() && isNumber }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            isNumber = skipDigits() && isNumber
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard isNumber, let number = Double(text), number.isFinite else {
            throw JSONValue.Problem(offset: start, reason: "is not JSON: malformed number")
        }
        return Int64(text).map { .integer($0) } ?? .number(number)
    }

    /// Whether there was any.
    private mutating func skipDigits() -> Bool {
        let start = position
        while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
        return position > start
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, " \t\n\r".utf8.contains(byte) { position += 1 }
    }

    private func problem(_ reason: String) -> JSONValue.Problem {
        JSONValue.Problem(offset: position, reason: reason)
    }
}
