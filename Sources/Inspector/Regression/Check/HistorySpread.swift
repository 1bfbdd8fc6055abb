extension RunHistory {
    /// The differences between sessions for a comparison of these sides, from sessions of the same program on
    /// the same machine. Excludes the sessions of the sides themselves. Nil if the history has no such runs.
    public func sessionSpread(
        baseline: CheckSide, current: CheckSide, primary: [TimingMetric]
    ) -> SessionSpread? {
        guard let last = current.runs.last?.timings else { return nil }
        let own = of(process: last.process, host: last.host)
        let sides = baseline.timings + current.timings
        let sessions = RunSessions.numbers(sides + own.entries.map(\.run))
        let theirs = Set(sessions.prefix(sides.count))
        let others = zip(own.entries, sessions.dropFirst(sides.count)).filter { !theirs.contains($1) }.map(
            \.0)
        guard !others.isEmpty else { return nil }
        return RunHistory(entries: others, problems: []).sessionSpread(also: primary)
    }
}
