import EventLog
public import Inspector

/// Several runs of the same work, and how long they took.
public struct Measurement: Sendable {
    /// Why no more runs were made.
    public enum Ending: String, Sendable {
        /// The median is as precise as requested.
        case precise = "the interval is narrow enough"
        /// The maximum number of runs was reached first.
        case runs = "as many runs as allowed"
        /// The time limit was reached first.
        case time = "as much time as allowed"
    }

    /// The timings in the order of the runs; at least one.
    public let timings: [RunTimings]
    /// Why no more runs were made.
    public let ending: Ending
    /// The run with the longest makespan, for inspection.
    public let slowest: RecordedRun
    let makespan: MedianInterval

    init(_ timings: [RunTimings], slowest: RecordedRun, ending: Ending) {
        self.timings = timings
        self.slowest = slowest
        self.ending = ending
        makespan = MedianInterval(timings.map(\.makespan))
    }

    /// The median of the makespans.
    public var median: Duration { .nanoseconds(makespan.median) }

    /// Contains the true median of the makespan in at least 95 % of cases. Nil for fewer than six runs.
    public var interval: ClosedRange<Duration>? {
        makespan.interval.map { .nanoseconds($0.lowerBound) ... .nanoseconds($0.upperBound) }
    }
}

extension Measurement: CustomStringConvertible {
    /// `makespan 12.3 ms (95 %: 12.1 ms … 12.6 ms), 14 runs: the interval is narrow enough`.
    public var description: String {
        let median = DurationFormat.text(nanoseconds: makespan.median)
        let interval = makespan.interval.map {
            " (95 %: \(DurationFormat.text(nanoseconds: $0.lowerBound)) … "
                + "\(DurationFormat.text(nanoseconds: $0.upperBound)))"
        }
        return "makespan \(median)\(interval ?? ""), \(Prose.counted(timings.count, "run")): "
            + ending.rawValue
    }
}

/// Two versions of the same work, run alternately.
public struct InterleavedMeasurement: Sendable {
    /// The runs of the `baseline` closure.
    public let baseline: Measurement
    /// The runs of the `current` closure.
    public let current: Measurement
    /// The seed for the order of the runs.
    public let seed: UInt64

    /// Whether the current side is slower, and where the time went. The same runs give the same result.
    ///
    /// - Parameters:
    ///   - policy: thresholds and error rate. The check treats both sides as interleaved in any case.
    ///   - primary: the metrics that decide the verdict.
    public func check(_ policy: CheckPolicy = CheckPolicy(), primary: [TimingMetric] = [.makespan])
        -> RegressionCheck
    {
        var policy = policy
        policy.isInterleaved = true
        policy.orderSeed = seed
        return RegressionCheck(
            baseline: baseline.side("baseline"), current: current.side("current"), primary: primary,
            policy: policy)
    }
}

extension Measurement {
    func side(_ label: String) -> CheckSide {
        CheckSide(
            label: label,
            runs: timings.enumerated().map {
                TimedRun(name: "\(label) run \($0.offset + 1)", timings: $0.element)
            })
    }
}
