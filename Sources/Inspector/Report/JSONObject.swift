import EventLog

/// One JSON object on one line, member by member.
struct JSONObject {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    /// A member without a value is left out.
    mutating func add(_ name: String, _ text: String?) {
        guard let text else { return }
        begin(name)
        JSONText.append(text, to: &bytes)
    }

    mutating func add(_ name: String, _ number: (some FixedWidthInteger)?) {
        guard let number else { return }
        begin(name)
        bytes.append(contentsOf: String(number).utf8)
    }

    mutating func add(_ name: String, _ object: JSONObject) {
        begin(name)
        bytes.append(contentsOf: object.closed)
    }

    private mutating func begin(_ name: String) {
        if bytes.count > 1 { bytes.append(contentsOf: ", ".utf8) }
        JSONText.append(name, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
    }

    var closed: [UInt8] { bytes + [UInt8(ascii: "}")] }
}
