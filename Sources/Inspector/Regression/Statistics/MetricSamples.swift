/// The samples of one side of a comparison for a metric: the runs, by session.
struct MetricSamples: Hashable, Sendable {
    /// The runs of each session, and the operations of each run.
    var sessions: [[TimingSamples]]
    /// The position of each run among the runs of both sides, in the order in which they were made; arranged
    /// as `sessions`. Empty if that is unknown: then runs of both sides with the same number were made one
    /// after the other, if they alternated at all.
    var places: [[Int]]

    init(sessions: [[TimingSamples]], places: [[Int]] = []) {
        self.sessions = sessions
        self.places = places
    }

    /// Removes sessions without runs.
    var withoutEmptySessions: MetricSamples {
        let kept = sessions.indices.filter { !sessions[$0].isEmpty }
        return MetricSamples(
            sessions: kept.map { sessions[$0] }, places: places.isEmpty ? [] : kept.map { places[$0] })
    }

    var runs: Int { sessions.reduce(0) { $0 + $1.count } }

    /// The median of each run's operations, in nanoseconds. It counts as one observation.
    var values: [Double] { sessions.flatMap { $0.map(\.median) } }
}
