/// A line of a history: a run, its label, and its date.
public struct HistoryEntry: Hashable, Sendable {
    /// The word that identifies a line.
    static let format = "opviz-history"
    /// The version that this package writes, and the newest that it reads.
    static let currentVersion = 1

    /// The label of the run, for example a version.
    public let label: String?
    /// `2026-11-21`.
    public let date: String
    /// The times to compare.
    public let run: RunTimings

    /// - Parameter date: nil for the day, in UTC, on which the run began.
    public init(run: RunTimings, label: String? = nil, date: String? = nil) {
        self.run = run
        self.label = label
        self.date = date ?? Baseline.day(of: run.start)
    }

    /// One line without its newline. The same entry gives the same bytes.
    public var line: [UInt8] {
        var entry = JSONObject()
        entry.add("format", Self.format)
        entry.add("version", Self.currentVersion)
        entry.add("label", label)
        entry.add("date", date)
        return entry.closed.dropLast() + Array(", \"run\": ".utf8) + run.jsonLine + Array("}".utf8)
    }

    init(line: [UInt8]) throws(JSONValue.Problem) {
        let json = try JSONParser.parse(line, as: "line")
        let format = try json["format"]
        guard try format.text() == Self.format else {
            throw JSONValue.Problem(offset: format.offset, reason: "expected \"\(Self.format)\"")
        }
        let version = try json["version"]
        guard try version.count() <= Self.currentVersion else {
            throw JSONValue.Problem(
                offset: version.offset,
                reason: "is of version \(try version.count()), but this opviz reads up to version "
                    + "\(Self.currentVersion); use a newer opviz")
        }
        let date = try json["date"]
        guard Baseline.isDay(try date.text()) else {
            throw JSONValue.Problem(offset: date.offset, reason: "expected a date such as 2026-11-21")
        }
        var label: String?
        if let text = try json.object()["label"] { label = try text.text() }
        (self.label, self.date) = (label, try date.text())
        run = try RunTimings(try json["run"])
    }
}
