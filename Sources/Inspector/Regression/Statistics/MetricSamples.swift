/// What one side of a comparison says of a metric: the runs, by session.
struct MetricSamples: Hashable, Sendable {
    /// In each session its runs, in each run its operations.
    var sessions: [[TimingSamples]]
    /// Of each run, which it was of the runs of both sides, in the order in which they were made; as
    /// `sessions`. Empty where that is not known: then runs of both sides of the same number were made one
    /// after the other, where any were made in turn.
    var places: [[Int]]

    init(sessions: [[TimingSamples]], places: [[Int]] = []) {
        self.sessions = sessions
        self.places = places
    }

    /// Without sessions that have no runs.
    var withoutEmptySessions: MetricSamples {
        let kept = sessions.indices.filter { !sessions[$0].isEmpty }
        return MetricSamples(
            sessions: kept.map { sessions[$0] }, places: places.isEmpty ? [] : kept.map { places[$0] })
    }

    var runs: Int { sessions.reduce(0) { $0 + $1.count } }

    /// Nanoseconds: of each run the median of its operations, which is what counts as one observation.
    var values: [Double] { sessions.flatMap { $0.map(\.median) } }
}
