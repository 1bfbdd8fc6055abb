/// Makes a text out of a trace safe to stand in a cell of a Markdown table.
public enum MarkdownText {
    /// The text with nothing in it that is Markdown or HTML, and nothing that ends the cell or its row. What
    /// cannot be seen is written as on a terminal (``TerminalText``).
    public static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in TerminalText.escaped(text).unicodeScalars {
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
