/// A line that GitHub's workflows turn into an annotation of the run.
///
/// The format is that of "Workflow commands for GitHub Actions": `::warning title=…::message`. `%`, carriage
/// return and newline are written as `%25`, `%0D` and `%0A`; in a property, `:` and `,` also as `%3A` and
/// `%2C`.
package enum WorkflowCommand {
    /// - Parameters:
    ///   - command: `notice`, `warning` or `error`.
    ///   - place: the line of a file to show it at.
    package static func line(
        _ command: String, _ title: String, _ message: String, at place: (file: String, line: Int)? = nil
    ) -> String {
        let place = place.map { "file=\(property($0.file)),line=\($0.line)," } ?? ""
        return "::\(command) \(place)title=\(property(title))::\(data(message))\n"
    }

    private static func data(_ text: String) -> String { escaped(text, ["%", "\r", "\n"]) }

    private static func property(_ text: String) -> String { escaped(text, ["%", "\r", "\n", ":", ","]) }

    /// Works on scalars, because a combining mark after a colon must not hide it.
    private static func escaped(_ text: String, _ active: Set<Unicode.Scalar>) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if active.contains(scalar) {
                result +=
                    "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
