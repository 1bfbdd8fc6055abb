/// Makes a text out of a trace safe to stand in a cell of a Markdown table.
package enum MarkdownText {
    /// The text with nothing in it that is Markdown or HTML, and nothing that ends the cell or its row. What
    /// cannot be seen is written as on a terminal (``TerminalText``).
    package static func escaped(_ text: String) -> String {
        var result = ""
        var last: Unicode.Scalar = " "
        for scalar in TerminalText.escaped(text).unicodeScalars {
            // Before it is looked at as a name: @someone would be told, and #12 an issue that is linked to.
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
            // A mathematical formula and struck-out text are GitHub's own.
            case "\\", "`", "*", "_", "[", "]", "|", "~", "$":
                result += "\\"
                result.unicodeScalars.append(scalar)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
