import Foundation
import InspectorColumns

/// The timings of earlier runs, to compare runs with. Stored in a file that is meant to be committed.
///
/// Documentation/BaselineFormat.md describes the format.
public struct Baseline: Hashable, Sendable {
    /// The word that identifies the file.
    package static let format = "opviz-baseline"
    /// The version that this package writes, and the newest that it reads.
    package static let currentVersion = 1

    /// The label of the runs, such as a version.
    public var label: String?
    /// `2026-11-21`.
    public var date: String
    /// Ordered by host and start.
    public var runs: [RunTimings]
    /// How many kinds of operations in the runs are not kept, because there are too many.
    public var omittedKinds: Int

    /// - Parameters:
    ///   - runs: at least one; duplicates are kept once.
    ///   - date: nil for the day, in UTC, on which the last of the runs began.
    public init(runs: [RunTimings], label: String? = nil, date: String? = nil) {
        self.label = label
        var known: Set<RunTimings> = []
        self.runs = runs.filter { known.insert($0).inserted }.enumerated().sorted {
            let (one, other) = ($0.element, $1.element)
            return (one.host, one.start, one.makespan, $0.offset)
                < (other.host, other.start, other.makespan, $1.offset)
        }.map(\.element)
        self.date = date ?? Self.day(of: runs.map(\.start).max() ?? 0)
        omittedKinds = 0
    }

    init(runs: [RunTimings], label: String?, date: String, omittedKinds: Int) {
        self.runs = runs
        self.label = label
        self.date = date
        self.omittedKinds = omittedKinds
    }

    /// The file's text. The same baseline gives the same bytes.
    public var bytes: [UInt8] {
        let kept = RunTimings.largestKinds(of: runs)
        let kinds = Set(runs.lazy.flatMap { $0.kinds.lazy.map(\.name) }).count
        var header = JSONObject()
        header.add("format", Self.format)
        header.add("version", Self.currentVersion)
        header.add("label", label)
        header.add("date", date)
        header.add("omittedKinds", Int64(omittedKinds).saturatingAdd(Int64(kinds - kept.count)))
        var bytes = Array(header.closed.dropLast())
        bytes += ",\n \"runs\": [".utf8
        for (index, run) in runs.enumerated() {
            bytes += (index == 0 ? "\n  " : ",\n  ").utf8
            bytes += run.json(keeping: kept, lineBreak: "\n   ")
        }
        bytes += "\n ]}\n".utf8
        return bytes
    }

    /// Whether it is a day in the format of a baseline: `2026-11-21`.
    package static func isDay(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.joined().utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let month = Int(parts[1]), let day = Int(parts[2])
        else { return false }
        return (1...12).contains(month) && (1...31).contains(day)
    }

    static func day(of start: Int64) -> String {
        Date(timeIntervalSince1970: Double(start) / 1e9).formatted(.iso8601.year().month().day())
    }
}
