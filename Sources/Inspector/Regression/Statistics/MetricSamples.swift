/// What one side of a comparison says of a metric: the runs, by session.
public struct MetricSamples: Hashable, Sendable {
    /// In each session its runs, in each run its operations.
    public var sessions: [[TimingSamples]]

    public init(sessions: [[TimingSamples]]) { self.sessions = sessions }

    public var runs: Int { sessions.reduce(0) { $0 + $1.count } }

    /// Nanoseconds: of each run the median of its operations, which is what counts as one observation.
    public var values: [Double] { sessions.flatMap { $0.map(\.median) } }
}
