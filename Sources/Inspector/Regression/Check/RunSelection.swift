/// The runs of both sides that can be compared, and which runs were left out, and why.
struct RunSelection {
    private(set) var baseline: CheckSide
    private(set) var current: CheckSide
    /// One sentence each.
    private(set) var omissions: [String] = []
    /// Why nothing can be decided for any times; nil if something can.
    private(set) var obstacle: String?

    private static let mostNamed = 5

    init(baseline: CheckSide, current: CheckSide) {
        self.baseline = baseline
        self.current = current
        leaveOut(of: \.baseline, "the baseline")
        leaveOut(of: \.current, "the current runs")
        if self.baseline.runs.isEmpty || self.current.runs.isEmpty {
            let side = self.baseline.runs.isEmpty ? "in the baseline" : "to compare with the baseline"
            obstacle = "no usable run \(side)"
            return
        }
        let common = Set(self.baseline.timings).intersection(self.current.timings).count
        if common > 0 {
            omissions.append(
                "\(Prose.counted(common, "run")) \(common == 1 ? "is" : "are") on both sides, which hides "
                    + "a change."
            )
        }
        let shared = Set(self.baseline.hosts).intersection(self.current.hosts)
        guard !shared.isEmpty else {
            obstacle =
                "the runs come from different hosts (\(Self.named(self.baseline.hosts)) and "
                + "\(Self.named(self.current.hosts))), whose times cannot be compared"
            return
        }
        if shared.contains("") {
            omissions.append(
                "The runs do not name their machine; times of different machines cannot be compared.")
        }
        leaveOutOtherHosts(of: \.baseline, shared)
        leaveOutOtherHosts(of: \.current, shared)
    }

    /// Leaves out runs with losses, and duplicates: one run is one observation, however often its file is
    /// given.
    private mutating func leaveOut(of side: WritableKeyPath<Self, CheckSide>, _ name: String) {
        var known: Set<RunTimings> = []
        var kept: [TimedRun] = []
        var left: [(reason: String, name: String)] = []
        for run in self[keyPath: side].runs {
            if let reason = run.reasonToLeaveOut {
                left.append((reason, run.name))
            } else if !known.insert(run.timings).inserted {
                left.append(("it duplicates another run", run.name))
            } else {
                kept.append(run)
            }
        }
        // The same runs must give the same result in any order, and the bootstrap draws them by position.
        self[keyPath: side].runs = kept.enumerated().sorted {
            let (one, other) = ($0.element.timings, $1.element.timings)
            return (one.host, one.start, one.makespan, $0.offset)
                < (other.host, other.start, other.makespan, $1.offset)
        }.map(\.element)
        note(left, name)
    }

    private mutating func leaveOutOtherHosts(
        of side: WritableKeyPath<Self, CheckSide>, _ shared: Set<String>
    ) {
        let (others, kept) = self[keyPath: side].runs.reduce(into: ([TimedRun](), [TimedRun]())) {
            if shared.contains($1.timings.host) { $0.1.append($1) } else { $0.0.append($1) }
        }
        self[keyPath: side].runs = kept
        note(
            others.map {
                ("no run of the other side is from its host, \(Self.named([$0.timings.host]))", $0.name)
            },
            side == \.baseline ? "the baseline" : "the current runs")
    }

    private mutating func note(_ left: [(reason: String, name: String)], _ side: String) {
        for (reason, name) in left.prefix(Self.mostNamed) {
            omissions.append(
                "\(TerminalText.shortened(name, toColumns: 60)) of \(side) is left out: \(reason).")
        }
        if left.count > Self.mostNamed {
            let count = Prose.counted(left.count - Self.mostNamed, "more run")
            omissions.append(
                "\(count) of \(side) \(left.count == Self.mostNamed + 1 ? "is" : "are") left out.")
        }
    }

    static func named(_ names: [String]) -> String {
        let shown = names.prefix(3).map {
            $0.isEmpty ? "an unnamed host" : TerminalText.shortened($0)
        }
        return shown.joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }
}
