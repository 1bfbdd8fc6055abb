/// Makes a text from a trace safe for SVG and HTML, in text and in quoted attributes.
package enum MarkupText {
    /// The text without markup, and without characters that XML forbids. Invisible characters are written as
    /// on a terminal (``TerminalText``).
    package static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in visible(text).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Shows control characters, and those that change the direction of writing, as escapes. XML forbids some
    /// of them.
    package static func visible(_ text: String) -> String {
        if TextWidth.isPlain(text) { return text }
        var visible = ""
        for scalar in TerminalText.escaped(text).unicodeScalars {
            // The two code points that Swift accepts as characters and XML does not.
            if scalar.value & 0xFFFE == 0xFFFE {
                visible += "\u{FFFD}"
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }
}
