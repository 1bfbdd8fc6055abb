/// A run for a check.
public struct TimedRun: Hashable, Sendable {
    /// The run's name for messages: its file, or its position in a baseline.
    public let name: String
    /// The times to compare.
    public let timings: RunTimings
    /// The file of its trace, if there is one to draw.
    public let trace: String?
    /// What is wrong with its log, besides what the timings show.
    public let damage: String?

    /// A run with a `damage` is left out of checks.
    public init(name: String, timings: RunTimings, trace: String? = nil, damage: String? = nil) {
        self.name = name
        self.timings = timings
        self.trace = trace
        self.damage = damage
    }

    /// Why its times cannot be used; nil if they can.
    package var reasonToLeaveOut: String? {
        if timings.droppedEvents > 0 {
            return "\(Prose.counted(Int(clamping: timings.droppedEvents), "event")) could not be recorded"
        }
        if !timings.isClosed { return "its log was not closed: the program was killed, or is still running" }
        if timings.kinds.isEmpty { return "it contains no operations" }
        return damage
    }
}

/// One side of a check.
public struct CheckSide: Sendable {
    /// The name of the side, for example the baseline's label and date.
    public var label: String?
    /// A verdict needs at least three on each side.
    public var runs: [TimedRun]
    /// How many kinds of operations in its runs are unknown.
    public var omittedKinds: Int

    /// The runs of one side.
    public init(label: String? = nil, runs: [TimedRun], omittedKinds: Int = 0) {
        self.label = label
        self.runs = runs
        self.omittedKinds = omittedKinds
    }

    /// The runs of a baseline; messages use the name of its file.
    public init(_ baseline: Baseline, file: String) {
        let runs = baseline.runs.enumerated().map {
            TimedRun(name: "run \($0.offset + 1) of \(file)", timings: $0.element)
        }
        self.init(
            label: [baseline.label, "of \(baseline.date)"].compactMap { $0 }.joined(separator: " "),
            runs: runs, omittedKinds: baseline.omittedKinds)
    }

    var timings: [RunTimings] { runs.map(\.timings) }

    /// All hosts, each once, sorted by name.
    var hosts: [String] { Set(runs.map(\.timings.host)).sorted() }
}
