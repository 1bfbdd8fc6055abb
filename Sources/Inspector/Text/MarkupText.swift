/// Text of a trace made safe within SVG and HTML, in text and in quoted attributes alike.
package enum MarkupText {
    /// Nothing in it is markup, and nothing in it is a character that XML does not have; what cannot be seen
    /// is written as on a terminal (``TerminalText``).
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

    /// Control characters and those that turn the direction of writing, shown as what they are; XML forbids
    /// some of them.
    package static func visible(_ text: String) -> String {
        var visible = ""
        for scalar in TerminalText.escaped(text).unicodeScalars {
            // The two code points that are characters to Swift and none to XML.
            if scalar.value & 0xFFFE == 0xFFFE {
                visible += "\u{FFFD}"
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }
}
