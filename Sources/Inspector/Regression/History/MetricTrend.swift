import Foundation

/// The course of a metric over the sessions of a history, and where it changed.
///
/// Every label of a session is a separate point. Points of different sessions also differ because of the
/// sessions' conditions; points of one session do not. So a change between sessions is searched in the
/// sessions' medians, and a change within a session in its points.
public struct MetricTrend: Sendable {
    /// The runs of one label in one session.
    public struct Point: Hashable, Sendable {
        /// The label of the runs, such as a version. Nil if none was given.
        public let label: String?
        /// The date of its first run.
        public let date: String
        /// Runs with the same number share the conditions of their host.
        public let session: Int
        /// How many runs the point summarizes.
        public let runs: Int
        /// The times of the runs, in nanoseconds.
        public let shortest, median, longest: Double
    }

    /// Points between two changes.
    public struct Stretch: Hashable, Sendable {
        /// Indices into ``MetricTrend/points``.
        public let points: Range<Int>
        /// Nanoseconds: the median of the points' medians.
        public let median: Double
    }

    /// The largest number of points, the last ones: a picture of more would be unreadable.
    static let mostPoints = 1000

    private typealias Run = (entry: HistoryEntry, value: Double)

    /// The metric of the points.
    public let metric: TimingMetric
    /// Ordered by time, at most 1,000.
    public let points: [Point]
    /// How many earlier points are left out.
    public let omittedPoints: Int
    /// At least one. The metric changed between each and the next.
    public let stretches: [Stretch]
    /// The median of each session's runs, and where the metric changed from one session to the next.
    private let sessionMedians: [Double]
    private let sessionChanges: [Int]

    /// The number of sessions.
    var sessionCount: Int { sessionMedians.count }

    /// - Parameter history: the runs of one program on one machine.
    ///
    /// Nil if no run has the metric.
    public init?(_ history: RunHistory, _ metric: TimingMetric) {
        let runs = history.entries.compactMap { entry in
            entry.run.samples(metric).map { (entry: entry, value: $0.median) }
        }
        guard !runs.isEmpty else { return nil }
        var bySession: [[Run]] = []
        for (run, number) in zip(runs, RunSessions.numbers(runs.map(\.entry.run))) {
            if number == bySession.count { bySession.append([]) }
            bySession[number].append(run)
        }
        self.metric = metric
        var points: [[Point]] = bySession.enumerated().map { Self.points(of: $1, session: $0) }
        let count = points.reduce(0) { $0 + $1.count }
        var omitted = max(count - Self.mostPoints, 0)
        omittedPoints = omitted
        while let first = points.first, omitted >= first.count, points.count > 1 {
            omitted -= first.count
            points.removeFirst()
            bySession.removeFirst()
        }
        points[0].removeFirst(omitted)
        self.points = Array(points.joined())
        sessionMedians = bySession.map { $0.map(\.value).median }
        sessionChanges = ChangePoints.indices(in: sessionMedians, seed: 1)
        let medians = self.points.map(\.median)
        let changes = Self.changes(points, between: Set(sessionChanges))
        stretches = zip([0] + changes, changes + [medians.count]).map { start, end in
            Stretch(points: start..<end, median: Array(medians[start..<end]).median)
        }
    }

    /// In the order of their first runs.
    private static func points(of session: [Run], session number: Int) -> [Point] {
        var labels: [String?] = []
        var byLabel: [String?: [Run]] = [:]
        for run in session {
            if byLabel[run.entry.label] == nil { labels.append(run.entry.label) }
            byLabel[run.entry.label, default: []].append(run)
        }
        return labels.compactMap { label in
            guard let runs = byLabel[label], let first = runs.first else { return nil }
            let values = runs.map(\.value)
            return Point(
                label: label, date: first.entry.date, session: number, runs: runs.count,
                shortest: values.min() ?? 0, median: values.median, longest: values.max() ?? 0)
        }
    }

    /// The indices of the points before which the metric changed, ascending.
    private static func changes(_ points: [[Point]], between sessions: Set<Int>) -> [Int] {
        var changes: [Int] = []
        var first = 0
        for (session, ofSession) in points.enumerated() {
            if sessions.contains(session) { changes.append(first) }
            let within = ChangePoints.indices(
                in: ofSession.map(\.median), seed: 2 + UInt64(ofSession[0].session))
            changes += within.map { first + $0 }
            first += ofSession.count
        }
        return changes
    }

    /// How much longer the metric is in a stretch than in the one before; nil for the first one, and if the
    /// one before was zero.
    public func change(at stretch: Int) -> Double? {
        guard stretch > 0, stretches[stretch - 1].median > 0 else { return nil }
        return stretches[stretch].median / stretches[stretch - 1].median - 1
    }

    /// The differences between sessions without a change: nil if a session took no time, or if there is at
    /// most one session.
    package var spread: SessionSpread.Estimate? {
        let degrees = sessionMedians.count - sessionChanges.count - 1
        guard degrees > 0, sessionMedians.allSatisfy({ $0 > 0 }) else { return nil }
        var squares = 0.0
        for (start, end) in zip([0] + sessionChanges, sessionChanges + [sessionMedians.count]) {
            let logs = sessionMedians[start..<end].map { log($0) }
            let mean = logs.reduce(0, +) / Double(logs.count)
            squares += logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        }
        return SessionSpread.Estimate(variance: squares / Double(degrees), degreesOfFreedom: degrees)
    }
}
