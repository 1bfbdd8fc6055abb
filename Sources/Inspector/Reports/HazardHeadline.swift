extension HazardReport {
    /// A note is worth the first line of a summary if it cost this part of the run, in percent.
    private static let leastPart: Int64 = 10

    /// Whether a finding of a group cost a noticeable part of the run.
    func isNoticeable(_ group: Group, ofRun makespan: Int64) -> Bool {
        group.findings.contains { Self.isNoticeable($0, ofRun: makespan) }
    }

    private static func isNoticeable(_ finding: HazardFinding, ofRun makespan: Int64) -> Bool {
        finding.cost ?? 0 >= makespan / 100 * leastPart
    }

    /// The finding to look at first, for the first line of a summary: the most severe one, of these the one
    /// that cost most. Nil if nothing went wrong and no finding cost a noticeable part of the run.
    ///
    /// - Parameter makespan: of the run, in nanoseconds.
    func headline(ofRun makespan: Int64) -> (label: String, text: String)? {
        let severity = groups.map(\.severity).max()
        var first: (group: Group, finding: HazardFinding)?
        for group in groups where group.severity == severity {
            for finding in group.findings where finding.cost ?? 0 > first?.finding.cost ?? -1 {
                first = (group, finding)
            }
        }
        guard let first else { return nil }
        if first.group.severity == .note, !Self.isNoticeable(first.finding, ofRun: makespan) { return nil }
        let others = groups.reduce(0) { $0 + $1.count } - 1
        let more = others == 0 ? "" : "; \(Prose.grouped(others)) more: opviz lint"
        return (first.group.severity.rawValue, "\(first.finding.summary) [\(first.group.rule)]\(more)")
    }
}
