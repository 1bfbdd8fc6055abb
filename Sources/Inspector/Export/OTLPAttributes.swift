import EventLog

/// A list of attributes in OTLP JSON, where whole numbers are texts. Attributes without a value are left out.
struct OTLPAttributes {
    private var bytes: [UInt8] = []

    mutating func add(_ key: some CustomStringConvertible, _ text: String?) {
        guard let text else { return }
        begin(key)
        bytes += #""stringValue":"#.utf8
        JSONText.append(text, to: &bytes)
        bytes += "}}".utf8
    }

    mutating func add(_ key: some CustomStringConvertible, _ number: Int64?) {
        guard let number else { return }
        begin(key)
        bytes += #""intValue":"\#(number)"}}"#.utf8
    }

    /// Adds only true values.
    mutating func add(_ key: some CustomStringConvertible, _ value: Bool) {
        guard value else { return }
        begin(key)
        bytes += #""boolValue":true}}"#.utf8
    }

    /// Adds a value that is JSON of an OpenTelemetry attribute.
    mutating func add(_ key: String, written value: String) {
        bytes += (bytes.isEmpty ? #"{"key":"# : #",{"key":"#).utf8
        JSONText.append(key, to: &bytes)
        bytes += #","value":"#.utf8
        bytes += value.utf8
        bytes += "}".utf8
    }

    /// - Parameter known: keys of attributes that the list already has.
    mutating func add(_ attributes: ProcessAttributes, except known: Set<String>) {
        for (key, value) in attributes.list where !known.contains(key) {
            switch value {
            case .text(let text): add(key, text)
            case .number(let number): add(key, number)
            case .flag: add(key, true)
            }
        }
    }

    /// Appends `before` and `"attributes":[…]`; nothing if the list is empty.
    func append(after before: String = ",", to other: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        other += before.utf8
        other += #""attributes":["#.utf8
        other += bytes
        other += "]".utf8
    }

    private mutating func begin(_ key: some CustomStringConvertible) {
        bytes += (bytes.isEmpty ? #"{"key":""# : #",{"key":""#).utf8
        bytes += "\(key)".utf8
        bytes += #"","value":{"#.utf8
    }
}
