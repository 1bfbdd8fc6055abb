/// Makes text of a trace safe for its two places in DOT.
enum DOTText {
    /// A quoted string: nothing in `text` ends it or forms an escape of Graphviz.
    static func quoted(_ text: String) -> String {
        // Most texts are plain.
        if text.utf8.allSatisfy({
            TextWidth.isPlain($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
        }) {
            return "\"" + text + "\""
        }
        var quoted = "\""
        for character in MarkupText.visible(text).unicodeScalars {
            switch character {
            case "\"": quoted += "\\\""
            // A backslash would begin an escape such as \N, which is the node's name.
            case "\\": quoted += "\\\\"
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }

    /// Text inside an HTML-like label, without active markup.
    static func markup(_ text: String) -> String {
        var escaped = ""
        for character in MarkupText.visible(text).unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            // Graphviz removes one level of backslashes in a label.
            case "\\": escaped += "&#92;&#92;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
