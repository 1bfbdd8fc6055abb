/// The metrics for comparing both sides, and the times of each metric by session.
struct CheckedMetrics {
    typealias Samples = (metric: TimingMetric, baseline: MetricSamples, current: MetricSamples)

    /// Only the kinds with the most time are compared: more metrics would reduce the certainty of all.
    private static let mostKinds = 12
    /// Waits with a smaller fraction of their kind's time are not compared.
    private static let leastShare = 0.01
    /// CPU times with a smaller fraction of their kind's executions are not compared: such an operation waits
    /// for something, or calculates in a task.
    private static let leastCPUShare = 0.1

    private let baseline: [RunTimings]
    private let current: [RunTimings]
    /// The session of each run, for each side.
    private let sessions: (baseline: [Int], current: [Int])
    /// The position of each run among all runs, by start, for each side.
    private let places: (baseline: [Int], current: [Int])

    /// - Parameter areTogether: whether both sides ran in the same sessions.
    init(baseline: [RunTimings], current: [RunTimings], areTogether: Bool) {
        self.baseline = baseline
        self.current = current
        let starts = (baseline + current).map(\.start)
        var places = Array(repeating: 0, count: starts.count)
        for (place, run) in starts.indices.sorted(by: { (starts[$0], $0) < (starts[$1], $1) }).enumerated() {
            places[run] = place
        }
        self.places = (Array(places.prefix(baseline.count)), Array(places.dropFirst(baseline.count)))
        if areTogether {
            let numbers = RunSessions.numbers(baseline + current)
            sessions = (Array(numbers.prefix(baseline.count)), Array(numbers.dropFirst(baseline.count)))
        } else {
            sessions = (RunSessions.numbers(baseline), RunSessions.numbers(current))
        }
    }

    var sessionCounts: (baseline: Int, current: Int) {
        (Set(sessions.baseline).count, Set(sessions.current).count)
    }

    /// All metrics for which both sides have times: of whole runs, and of the largest kinds.
    var all: [TimingMetric] {
        let runs = baseline + current
        var metrics = TimingMetric.RunQuantity.allCases.map { TimingMetric(.ofRun($0)) }
        for part in LifetimeParts.Part.allCases where runs.contains(where: { $0.totals[part] > 0 }) {
            metrics.append(TimingMetric(.part(part)))
        }
        let shared = Set(baseline.flatMap { $0.kinds.map(\.name) })
            .intersection(current.flatMap { $0.kinds.map(\.name) })
        for kind in RunTimings.largestKinds(of: runs, limit: Self.mostKinds).intersection(shared).sorted() {
            let samples = runs.compactMap { $0.kind(kind)?.samples }
            let sums = LifetimeParts.Part.allCases.map { part in
                samples.reduce(0) { $0 + ($1[part]?.estimatedSum ?? 0) }
            }
            let least = sums.reduce(0, +) * Self.leastShare
            // Execution is always included. It may be small beside waits, which add up over all waiting
            // operations.
            for (part, sum) in zip(LifetimeParts.Part.allCases, sums)
            where sum > (part == .execution ? 0 : least) {
                metrics.append(TimingMetric(kind: kind, .part(part)))
            }
            if Self.hasCPUTimes(kind, baseline), Self.hasCPUTimes(kind, current) {
                metrics.append(TimingMetric(kind: kind, .onCPU))
            }
        }
        return metrics.sorted()
    }

    private static func hasCPUTimes(_ kind: String, _ runs: [RunTimings]) -> Bool {
        let kinds = runs.compactMap { $0.kind(kind) }.filter { $0.executionSamples[.onCPU] != nil }
        func sum(_ samples: (RunTimings.Kind) -> TimingSamples?) -> Double {
            kinds.reduce(0) { $0 + (samples($1)?.estimatedSum ?? 0) }
        }
        return !kinds.isEmpty
            && sum { $0.executionSamples[.onCPU] } >= leastCPUShare * sum { $0.samples[.execution] }
    }

    /// Nil if a side has no operation of the kind, or no CPU times where these are compared.
    func samples(_ metric: TimingMetric) -> Samples? {
        samples(metric) { $0.samples(metric) }
    }

    /// - Parameter times: the times of a run; nil without such times.
    func samples(_ metric: TimingMetric, _ times: (RunTimings) -> TimingSamples?) -> Samples? {
        let first = Self.samples(baseline, sessions.baseline, places.baseline, times)
        let second = Self.samples(current, sessions.current, places.current, times)
        return first.runs == 0 || second.runs == 0 ? nil : (metric, first, second)
    }

    private static func samples(
        _ runs: [RunTimings], _ numbers: [Int], _ places: [Int], _ times: (RunTimings) -> TimingSamples?
    ) -> MetricSamples {
        var sessions: [Int: [(samples: TimingSamples, place: Int)]] = [:]
        for (index, run) in runs.enumerated() {
            if let samples = times(run) {
                sessions[numbers[index], default: []].append((samples, places[index]))
            }
        }
        let sorted = sessions.sorted { $0.key < $1.key }.map(\.value)
        return MetricSamples(
            sessions: sorted.map { $0.map(\.samples) }, places: sorted.map { $0.map(\.place) })
    }
}

extension RunTimings {
    /// Nil if the run has no operation of the kind, or no CPU times if the metric needs them. If the part was
    /// zero for all operations, the result is a single zero.
    package func samples(_ metric: TimingMetric) -> TimingSamples? {
        switch (metric.quantity, metric.kind) {
        case (.ofRun(let quantity), _): TimingSamples(quantity.time(of: self))
        case (.part(let part), nil): TimingSamples(totals[part])
        case (.part(let part), let name?): kind(name).map { $0.samples[part] ?? TimingSamples(0) }
        case (.onCPU, let name): name.flatMap(kind)?.executionSamples[.onCPU]
        }
    }

    /// Cost: logarithmic.
    func kind(_ name: String) -> Kind? {
        var (low, high) = (0, kinds.count)
        while low < high {
            let middle = (low + high) / 2
            if kinds[middle].name < name { low = middle + 1 } else { high = middle }
        }
        return low < kinds.count && kinds[low].name == name ? kinds[low] : nil
    }
}

extension TimingSamples {
    /// The sum over all operations, including those whose times are not kept; nanoseconds.
    var estimatedSum: Double {
        values.reduce(0) { $0 + Double($1) } / Double(values.count) * Double(count)
    }
}
