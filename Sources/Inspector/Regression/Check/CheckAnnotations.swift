/// A check as GitHub workflow commands: an annotation for each primary metric, and for important facts.
public struct CheckAnnotations: Sendable {
    private let check: RegressionCheck

    /// Constant time: ``text`` does the work.
    public init(_ check: RegressionCheck) { self.check = check }

    /// One command per line. Print it to standard output in a workflow.
    public var text: String {
        let words = CheckWords(check: check)
        let title = "Timing check: \(words.title)"
        let message = words.headlines + words.explanations
        let command =
            switch check.verdict {
            case .regressed: "error"
            case .inconclusive: "warning"
            case .improved, .unchanged: "notice"
            }
        var text = WorkflowCommand.line(command, title, message.joined(separator: "\n"))
        if !check.notes.isEmpty {
            text += WorkflowCommand.line(
                "warning", "Timing check: the runs", check.notes.joined(separator: "\n"))
        }
        return text
    }
}
