/// Text of a trace made safe for the two places that it has in DOT.
enum DOTText {
    /// A quoted string: nothing in `text` ends it, and no escape of Graphviz's own is formed.
    static func quoted(_ text: String) -> String {
        // By far the most are plain.
        if text.utf8.allSatisfy({
            TextWidth.isPlain($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }) {
            return "\"" + text + "\""
        }
        var quoted = "\""
        for character in MarkupText.visible(text).unicodeScalars {
            switch character {
            case "\"": quoted += "\\\""
            // A backslash would begin an escape such as \N, the node's name.
            case "\\": quoted += "\\\\"
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }

    /// Text within an HTML-like label: nothing in it is markup.
    static func markup(_ text: String) -> String {
        var escaped = ""
        for character in MarkupText.visible(text).unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // Graphviz undoes one level of backslashes in a label.
            case "\\": escaped += "&#92;&#92;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
