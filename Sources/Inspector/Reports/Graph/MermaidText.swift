/// Text of a trace made safe within the quotes of a Mermaid label.
enum MermaidText {
    /// All but letters, digits and a few marks that mean nothing to Mermaid, Markdown or HTML are written as
    /// codes, which Mermaid shows as what they are. Nothing in it ends the quotes or the line; what cannot be
    /// seen is written as on a terminal.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in MarkupText.visible(text).unicodeScalars {
            let isSafe =
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", " ": true
                // At the beginning they would make a list.
                case "-", "/", ":", ",", "(": !escaped.isEmpty
                case ")": escaped.contains("(")
                default: !scalar.isASCII
                }
            if isSafe { escaped.unicodeScalars.append(scalar) } else { escaped += "#\(scalar.value);" }
        }
        return escaped
    }
}
