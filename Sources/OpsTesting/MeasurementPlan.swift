import Inspector

/// How often to run, and when to stop. The decision depends on how precisely the medians are known, never on
/// the difference of the two sides: stopping at a pleasing difference would find one sooner or later.
struct MeasurementPlan: Sendable {
    let runs: ClosedRange<Int>
    /// Half of the interval's width, as a fraction of the median.
    let precision: Double
    let timeLimit: Duration
    /// Decides which of two sides is first in each pair of runs.
    let order: RunOrder

    /// At least one run.
    ///
    /// - Parameter seed: the seed for the order; nil for a random one.
    init(_ runs: ClosedRange<Int>, precision: Double, timeLimit: Duration, seed: UInt64? = nil) {
        self.runs = max(1, runs.lowerBound)...max(1, runs.upperBound)
        self.precision = precision
        self.timeLimit = timeLimit
        order = RunOrder(pairs: self.runs.upperBound, seed: seed ?? RunOrder.randomSeed())
    }

    /// Nil while more runs are needed.
    ///
    /// - Parameter sides: the makespans of each side so far, in nanoseconds; the same number for each.
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
