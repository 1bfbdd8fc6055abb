/// A run that a check looks at.
public struct TimedRun: Hashable, Sendable {
    /// What messages call it: its file, or its place in a baseline.
    public let name: String
    /// What the run is compared by.
    public let timings: RunTimings
    /// The file of its trace, where there is one to draw.
    public let trace: String?
    /// What is wrong with its log, beyond what the timings say.
    public let damage: String?

    /// A run whose log is damaged, as `damage` says, is left out of checks.
    public init(name: String, timings: RunTimings, trace: String? = nil, damage: String? = nil) {
        self.name = name
        self.timings = timings
        self.trace = trace
        self.damage = damage
    }

    /// Why its times say nothing; nil where they do.
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
    /// What it is called: the baseline's label and date, say.
    public var label: String?
    /// A verdict needs at least three on each side.
    public var runs: [TimedRun]
    /// Kinds of operations that its runs had and of which nothing is known.
    public var omittedKinds: Int

    /// The runs of one side.
    public init(label: String? = nil, runs: [TimedRun], omittedKinds: Int = 0) {
        self.label = label
        self.runs = runs
        self.omittedKinds = omittedKinds
    }

    /// Those of a baseline, which messages call by the name of its file.
    public init(_ baseline: Baseline, file: String) {
        let runs = baseline.runs.enumerated().map {
            TimedRun(name: "run \($0.offset + 1) of \(file)", timings: $0.element)
        }
        self.init(
            label: [baseline.label, "of \(baseline.date)"].compactMap { $0 }.joined(separator: " "),
            runs: runs, omittedKinds: baseline.omittedKinds)
    }

    var timings: [RunTimings] { runs.map(\.timings) }

    /// Each once, by name.
    var hosts: [String] { Set(runs.map(\.timings.host)).sorted() }
}
