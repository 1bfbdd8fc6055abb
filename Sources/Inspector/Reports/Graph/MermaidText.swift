/// Makes text of a trace safe inside the quotes of a Mermaid label.
enum MermaidText {
    /// Keeps letters, digits and a few marks without a meaning in Mermaid, Markdown or HTML. Everything else
    /// becomes a code, which Mermaid shows as the character. Nothing ends the quotes or the line. Invisible
    /// characters are written as on a terminal.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in MarkupText.visible(text).unicodeScalars {
            let isSafe =
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", " ": true
                // At the beginning, these would start a list.
                case "-", "/", ":", ",", "(": !escaped.isEmpty
                case ")": escaped.contains("(")
                default: !scalar.isASCII
                }
            if isSafe { escaped.unicodeScalars.append(scalar) } else { escaped += "#\(scalar.value);" }
        }
        return escaped
    }
}
