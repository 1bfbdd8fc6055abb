/// The findings as GitHub workflow commands: each finding becomes an annotation of the run.
public struct HazardAnnotations: Sendable {
    private let report: HazardReport

    /// Constant time: ``text`` does the work.
    public init(_ report: HazardReport) { self.report = report }

    /// A line for each finding, one for the hidden findings of a kind, and one for what cannot be decided.
    public var text: String {
        var text = ""
        for group in report.groups {
            let command = Self.command(group.severity)
            for finding in group.findings {
                text += WorkflowCommand.line(
                    command, group.rule, "\(finding.summary). What to change: \(finding.advice).")
            }
            if group.omitted > 0 {
                text += WorkflowCommand.line(
                    command, group.rule,
                    "\(Prose.grouped(group.omitted)) more of \(TerminalText.escaped(group.kind))")
            }
        }
        if let hidden = report.hiddenFindings { text += WorkflowCommand.line("notice", "hidden", hidden) }
        if !report.undecided.isEmpty {
            let reasons = report.undecided.map { "\($0.rule): \($0.reason)" }
            text += WorkflowCommand.line("notice", "cannot be decided", reasons.joined(separator: "\n"))
        }
        return text
    }

    private static func command(_ severity: HazardSeverity) -> String {
        switch severity {
        case .note: "notice"
        case .warning: "warning"
        case .error: "error"
        }
    }
}
