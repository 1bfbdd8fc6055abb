/// What made the makespan longer or shorter: the chains that delayed the runs of each side, by kind and part.
/// The values are means over the runs, because means can be added.
public struct DelayShift: Sendable {
    /// The contribution of one part of the lifetimes of one kind to the makespans.
    public struct Row: Hashable, Sendable {
        /// Nil for time outside of operations.
        public let kind: String?
        /// What the operations of the kind did, or waited for.
        public let part: LifetimeParts.Part
        /// Nanoseconds, as the mean over the runs.
        public let baseline: Double
        /// Nanoseconds, as the mean over the runs.
        public let current: Double
        /// Whether the difference is proven by `DelayProof`.
        public internal(set) var isProven = false

        /// Nanoseconds by which the current side is longer; negative for shorter.
        public var difference: Double { current - baseline }

        /// `execution of Parse`.
        public var label: String {
            kind.map { "\(part.label) of \($0)" } ?? "outside of operations"
        }
    }

    /// Proven rows first, then by the largest difference; equal ones in the order of metrics.
    public private(set) var rows: [Row]
    /// Nanoseconds, as the mean over the runs.
    public let makespan: (baseline: Double, current: Double)

    /// The part of the makespans outside of the rows: before the beginning of the chain that delayed the run.
    public var rest: (baseline: Double, current: Double) {
        (
            makespan.baseline - rows.reduce(0) { $0 + $1.baseline },
            makespan.current - rows.reduce(0) { $0 + $1.current }
        )
    }

    /// Cost: linear in the delays of all runs. Zero everywhere without runs.
    init(baseline: [RunTimings], current: [RunTimings]) {
        let (before, after) = (Self.means(baseline), Self.means(current))
        rows = Set(before.keys).union(after.keys).map {
            ($0, before[$0] ?? 0, after[$0] ?? 0)
        }.sorted {
            let (one, other) = (abs($0.2 - $0.1), abs($1.2 - $1.1))
            return one == other ? $0.0 < $1.0 : one > other
        }.compactMap { metric, before, after in
            guard case .part(let part) = metric.quantity else { return nil }
            return Row(kind: metric.kind, part: part, baseline: before, current: after)
        }
        makespan = (Self.mean(baseline.map(\.makespan)), Self.mean(current.map(\.makespan)))
    }

    /// A copy in which these rows are proven.
    func proven(_ isProven: (Row) -> Bool) -> DelayShift {
        var shift = self
        for index in shift.rows.indices { shift.rows[index].isProven = isProven(shift.rows[index]) }
        shift.rows = shift.rows.filter(\.isProven) + shift.rows.filter { !$0.isProven }
        return shift
    }

    private static func means(_ runs: [RunTimings]) -> [TimingMetric: Double] {
        var sums: [TimingMetric: Double] = [:]
        for delay in runs.lazy.flatMap(\.delays) {
            sums[TimingMetric(kind: delay.kind, .part(delay.part)), default: 0] += Double(delay.nanoseconds)
        }
        return sums.mapValues { $0 / Double(max(1, runs.count)) }
    }

    private static func mean(_ times: [Int64]) -> Double {
        times.reduce(0) { $0 + Double($1) } / Double(max(1, times.count))
    }
}
