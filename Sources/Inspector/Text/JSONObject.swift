import EventLog

/// One JSON object on one line, written member by member.
package struct JSONObject {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    package init() {}

    /// Leaves the member out if it has no value.
    package mutating func add(_ name: String, _ text: String?) {
        guard let text else { return }
        begin(name)
        JSONText.append(text, to: &bytes)
    }

    package mutating func add(_ name: String, _ number: (some FixedWidthInteger)?) {
        guard let number else { return }
        begin(name)
        bytes.append(contentsOf: String(number).utf8)
    }

    package mutating func add(_ name: String, _ value: Bool) {
        begin(name)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// The shortest decimal that reads back as the same number. JSON has no infinity or NaN, so these become
    /// `null`.
    package mutating func add(_ name: String, _ number: Double) {
        begin(name)
        bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
    }

    package mutating func add(_ name: String, _ object: JSONObject?) {
        guard let object else { return }
        begin(name)
        bytes.append(contentsOf: object.closed)
    }

    package mutating func add(_ name: String, _ objects: [JSONObject]) {
        addArray(name, objects) { $1.append(contentsOf: $0.closed) }
    }

    package mutating func add(_ name: String, _ texts: [String]) {
        addArray(name, texts) { JSONText.append($0, to: &$1) }
    }

    package mutating func add(_ name: String, _ numbers: [some FixedWidthInteger]) {
        addArray(name, numbers) { $1.append(contentsOf: String($0).utf8) }
    }

    private mutating func addArray<Element>(
        _ name: String, _ elements: [Element], _ append: (Element, inout [UInt8]) -> Void
    ) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(element, &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func begin(_ name: String) {
        if bytes.count > 1 { bytes.append(contentsOf: ", ".utf8) }
        JSONText.append(name, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
    }

    package var closed: [UInt8] { bytes + [UInt8(ascii: "}")] }

    /// Adds a member to an object that is still open: a list with a line for each row.
    package static func append(_ name: String, _ rows: [JSONObject], to bytes: inout [UInt8]) {
        bytes += ",\n \"\(name)\": [".utf8
        for (index, row) in rows.enumerated() {
            bytes += (index == 0 ? "\n  " : ",\n  ").utf8
            bytes += row.closed
        }
        bytes += (rows.isEmpty ? "]" : "\n ]").utf8
    }
}
