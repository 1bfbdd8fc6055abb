/// A line that GitHub's workflows take for an annotation of the run.
///
/// The form is that of "Workflow commands for GitHub Actions": `::warning title=…::message`, with `%`, carriage return and
/// newline as `%25`, `%0D`, `%0A`, and in a property `:` and `,` as `%3A`, `%2C` as well.
enum WorkflowCommand {
    /// - Parameter command: `notice`, `warning` or `error`.
    static func line(_ command: String, _ title: String, _ message: String) -> String {
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
