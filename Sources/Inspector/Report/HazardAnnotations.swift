/// What the rules found, as commands of GitHub's workflows: each finding becomes an annotation of the run.
///
/// The form is that of "Workflow commands for GitHub Actions": `::warning title=…::message`, with `%`, carriage return and
/// newline as `%25`, `%0D`, `%0A`, and in a property `:` and `,` as `%3A`, `%2C` as well.
public struct HazardAnnotations: Sendable {
    private let report: HazardReport

    public init(_ report: HazardReport) { self.report = report }

    /// A line for each finding, one for those of a kind that are not shown, and one for what cannot be decided.
    public var text: String {
        var text = ""
        for group in report.groups {
            let command = Self.command(group.severity)
            for finding in group.findings {
                text += Self.line(command, group.rule, "\(finding.summary). To change: \(finding.advice).")
            }
            if group.omitted > 0 {
                text += Self.line(
                    command, group.rule, "\(group.omitted) more of \(TerminalText.escaped(group.kind))")
            }
        }
        if !report.undecided.isEmpty {
            let reasons = report.undecided.map { "\($0.rule): \($0.reason)" }
            text += Self.line("notice", "cannot be decided", reasons.joined(separator: "\n"))
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

    private static func line(_ command: String, _ title: String, _ message: String) -> String {
        "::\(command) title=\(property(title))::\(data(message))\n"
    }

    private static func data(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": result += "%25"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
