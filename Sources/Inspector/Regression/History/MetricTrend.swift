import Foundation

/// How a metric went over the sessions of a history, and where it changed.
public struct MetricTrend: Sendable {
    /// Runs that share the weather of their host: one point.
    public struct Session: Hashable, Sendable {
        /// What its runs are of; of several labels the first and the last.
        public let label: String?
        /// Of its first run.
        public let date: String
        public let runs: Int
        /// Nanoseconds, of the runs.
        public let shortest, median, longest: Double
    }

    /// Sessions between two changes.
    public struct Stretch: Hashable, Sendable {
        public let sessions: Range<Int>
        /// Nanoseconds: the median of the sessions' medians.
        public let median: Double
    }

    /// So many sessions are looked at, the last ones: a picture of more shows nothing.
    static let mostSessions = 1000

    public let metric: TimingMetric
    public let sessions: [Session]
    /// Earlier ones that are not looked at.
    public let omittedSessions: Int
    /// At least one; the metric changed between one and the next.
    public let stretches: [Stretch]

    /// - Parameter history: of one program on one machine.
    ///
    /// Nil where no run has the metric.
    public init?(_ history: RunHistory, _ metric: TimingMetric) {
        let runs = history.entries.compactMap { entry in
            entry.run.samples(metric).map { (entry: entry, value: $0.median) }
        }
        guard !runs.isEmpty else { return nil }
        var bySession: [[(entry: HistoryEntry, value: Double)]] = []
        for (run, number) in zip(runs, RunSessions.numbers(runs.map(\.entry.run))) {
            if number == bySession.count { bySession.append([]) }
            bySession[number].append(run)
        }
        self.metric = metric
        omittedSessions = max(bySession.count - Self.mostSessions, 0)
        let sessions = bySession.suffix(Self.mostSessions).map { runs in
            let values = runs.map(\.value)
            let labels = runs.compactMap(\.entry.label)
            let ends = [labels.first, labels.last].compactMap { $0 }
            return Session(
                label: ends.isEmpty ? nil : ends[0] == ends[1] ? ends[0] : ends.joined(separator: " … "),
                date: runs[0].entry.date, runs: runs.count, shortest: values.min() ?? 0,
                median: values.median, longest: values.max() ?? 0)
        }
        self.sessions = sessions
        let medians = sessions.map(\.median)
        let changes = ChangePoints.indices(in: medians, seed: 1)
        stretches = zip([0] + changes, changes + [sessions.count]).map { start, end in
            Stretch(sessions: start..<end, median: Array(medians[start..<end]).median)
        }
    }

    /// How much longer the metric takes in a stretch than in the one before; nil for the first, and from zero.
    public func change(at stretch: Int) -> Double? {
        guard stretch > 0, stretches[stretch - 1].median > 0 else { return nil }
        return stretches[stretch].median / stretches[stretch - 1].median - 1
    }

    /// What sessions differ by where nothing changes: nil where a session took no time, or where there is one at most.
    public var spread: SessionSpread.Estimate? {
        let degrees = sessions.count - stretches.count
        guard degrees > 0, sessions.allSatisfy({ $0.median > 0 }) else { return nil }
        var squares = 0.0
        for stretch in stretches {
            let logs = sessions[stretch.sessions].map { log($0.median) }
            let mean = logs.reduce(0, +) / Double(logs.count)
            squares += logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        }
        return SessionSpread.Estimate(variance: squares / Double(degrees), degreesOfFreedom: degrees)
    }
}
