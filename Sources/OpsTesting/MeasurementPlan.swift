import Inspector

/// How often something is run, and when that is enough. The decision looks at how well the median is known
/// and never at how two sides differ: who stops when the difference pleases finds one sooner or later.
struct MeasurementPlan: Sendable {
    let runs: ClosedRange<Int>
    /// Half of the interval's width as a part of the median.
    let precision: Double
    let timeLimit: Duration
    /// Of two sides, which is first in each pair of runs.
    let order: RunOrder

    /// At least one run.
    ///
    /// - Parameter seed: of the order; nil for one at random.
    init(_ runs: ClosedRange<Int>, precision: Double, timeLimit: Duration, seed: UInt64? = nil) {
        self.runs = max(1, runs.lowerBound)...max(1, runs.upperBound)
        self.precision = precision
        self.timeLimit = timeLimit
        order = RunOrder(pairs: self.runs.upperBound, seed: seed ?? RunOrder.randomSeed())
    }

    /// Nil while more runs are to be made.
    ///
    /// - Parameter sides: of each side the makespans so far, in nanoseconds; all of the same number.
    func ending(_ sides: [[Int64]], elapsed: Duration) -> Measurement.Ending? {
        let count = sides.map(\.count).min() ?? 0
        if count == 0 { return nil }
        if count >= runs.upperBound { return .runs }
        if elapsed >= timeLimit { return .time }
        guard count >= runs.lowerBound else { return nil }
        let isPrecise = sides.allSatisfy { (MedianInterval($0).precision ?? .infinity) <= precision }
        return isPrecise ? .precise : nil
    }
}

/// The runs of one side, as they come in.
struct MeasuredSide {
    private(set) var timings: [RunTimings] = []
    private var slowest: RecordedRun?

    var makespans: [Int64] { timings.map(\.makespan) }

    mutating func add(_ run: RecordedRun) {
        timings.append(run.timings)
        if run.analysis.makespan > slowest?.analysis.makespan ?? -1 { slowest = run }
    }

    /// Nil before the first run.
    func measurement(_ ending: Measurement.Ending) -> Measurement? {
        slowest.map { Measurement(timings, slowest: $0, ending: ending) }
    }
}
