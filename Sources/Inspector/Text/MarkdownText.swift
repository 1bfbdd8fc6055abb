/// Makes a text from a trace safe for a cell of a Markdown table.
package enum MarkdownText {
    /// The text without active Markdown or HTML, and without anything that ends the cell or its row.
    /// Invisible characters are written as on a terminal (``TerminalText``).
    package static func escaped(_ text: String) -> String {
        var result = ""
        var last: Unicode.Scalar = " "
        for scalar in TerminalText.escaped(text).unicodeScalars {
            // Breaks mentions and references: @someone would be notified, and #12 would link to an issue.
            if last == "@" || last == "#",
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            {
                result += "<!-- -->"
            }
            last = scalar
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            // GitHub adds mathematical formulas and strikethrough to Markdown.
            case "\\", "`", "*", "_", "[", "]", "|", "~", "$":
                result += "\\"
                result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
