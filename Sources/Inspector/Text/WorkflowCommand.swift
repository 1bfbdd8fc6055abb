/// A line that GitHub's workflows take for an annotation of the run.
///
/// The form is that of "Workflow commands for GitHub Actions": `::warning title=…::message`, with `%`,
/// carriage return and newline as `%25`, `%0D`, `%0A`, and in a property `:` and `,` as `%3A`, `%2C` as well.
package enum WorkflowCommand {
    /// - Parameters:
    ///   - command: `notice`, `warning` or `error`.
    ///   - place: a line of a file that it stands beside.
    package static func line(
        _ command: String, _ title: String, _ message: String, at place: (file: String, line: Int)? = nil
    ) -> String {
        let place = place.map { "file=\(property($0.file)),line=\($0.line)," } ?? ""
        return "::\(command) \(place)title=\(property(title))::\(data(message))\n"
    }

    private static func data(_ text: String) -> String { escaped(text, ["%", "\r", "\n"]) }

    private static func property(_ text: String) -> String { escaped(text, ["%", "\r", "\n", ":", ","]) }

    /// By scalars: a mark that stands on a colon must not hide it.
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
