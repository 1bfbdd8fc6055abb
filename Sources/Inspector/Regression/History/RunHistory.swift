/// The runs in a file, one per line, in the order of their starts.
///
/// Programs only append to the file, any number at once. The file is untrusted: invalid lines are reported,
/// and all others are read.
public struct RunHistory: Sendable {
    /// A line that is not an entry.
    public struct Problem: Hashable, Sendable {
        /// The line number, from 1.
        public let line: Int
        /// What is wrong, after its position in the line if there is one: `byte 8: expected the end of the
        /// line`.
        public let reason: String
    }

    /// Each run once, ordered by start.
    public let entries: [HistoryEntry]
    /// In the order of the file.
    public let problems: [Problem]

    /// Linear in the file, plus sorting.
    public init(_ bytes: [UInt8]) {
        var problems: [Problem] = []
        var known: Set<HistoryEntry> = []
        var entries: [HistoryEntry] = []
        let isTorn = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D }) {
            do throws(JSONValue.Problem) {
                let entry = try HistoryEntry(line: Array(line))
                if known.insert(entry).inserted { entries.append(entry) }
            } catch {
                // A program that was killed while writing leaves a line without an end.
                let isLast = isTorn && index == lines.count - 1
                problems.append(
                    Problem(
                        line: index + 1,
                        reason: isLast
                            ? "incomplete; its writer was interrupted"
                            : "byte \(Prose.grouped(error.offset + 1)): \(error.reason)"))
            }
        }
        self.problems = problems
        self.entries = entries.enumerated().sorted {
            ($0.element.run.start, $0.offset) < ($1.element.run.start, $1.offset)
        }.map(\.element)
    }

    init(entries: [HistoryEntry], problems: [Problem]) {
        (self.entries, self.problems) = (entries, problems)
    }

    /// The runs of one program on one machine: only these can be compared.
    public func of(process: String, host: String) -> RunHistory {
        RunHistory(
            entries: entries.filter { $0.run.process == process && $0.run.host == host }, problems: problems)
    }

    /// The differences between sessions of the program, for a check of it: for whole runs, for the kinds with
    /// the most time, and for `metrics`. The history must contain one program on one machine.
    ///
    /// Only sessions between which the metric did not change are compared. Cost: a trend for each metric.
    public func sessionSpread(also metrics: [TimingMetric]) -> SessionSpread {
        let runs = entries.map(\.run)
        let usual = CheckedMetrics(baseline: runs, current: runs, areTogether: false).all
        var estimates: [TimingMetric: SessionSpread.Estimate] = [:]
        for metric in usual + metrics where estimates[metric] == nil {
            estimates[metric] = MetricTrend(self, metric)?.spread
        }
        return SessionSpread(estimates: estimates)
    }
}
