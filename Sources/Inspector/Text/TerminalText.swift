/// Makes a text from a trace safe to print on a terminal.
///
/// A name may contain anything: escape sequences that move the cursor, newlines that fake a line of output,
/// marks that change the direction of what follows. They are written as Swift escapes, `\n` or `\u{1b}`.
package enum TerminalText {
    /// More scalars than any emoji has. Further marks on one character are not printed.
    private static let longestCharacter = 16

    /// The columns of a name in a sentence.
    package static let longestName = 40

    /// The text without anything that controls a terminal.
    package static func escaped(_ text: String) -> String {
        if TextWidth.isPlain(text) { return text }
        var result = ""
        for character in text { result += escaped(character) }
        return result
    }

    /// The safe text, cut to `limit` columns. If it was cut, it ends in `…`.
    ///
    /// Cost: linear in the columns, not in the text.
    package static func shortened(_ text: String, toColumns limit: Int = longestName) -> String {
        let start = text.utf8.prefix(max(0, limit) + 1)
        if start.allSatisfy(TextWidth.isPlain) {
            if start.count <= limit { return String(text) }
            return limit < 1 ? "" : String(decoding: start.prefix(limit - 1), as: UTF8.self) + "…"
        }
        var result = ""
        var columns = 0
        /// The longest prefix of the result that leaves a column for the ellipsis.
        var fitting = (text: "", columns: 0)
        // Limits the number of characters without width, too.
        var invisible = 0
        for character in text {
            let safe = escaped(character)
            let width = TextWidth.columns(of: safe)
            columns += width
            if width == 0 { invisible += 1 }
            if columns > limit || invisible > limit {
                return limit < 1 ? "" : fitting.text + "…"
            }
            result += safe
            if columns < limit { fitting = (result, columns) }
        }
        return result
    }

    private static func escaped(_ character: Character) -> String {
        // By far the most common case: nothing to do.
        if let ascii = character.asciiValue, (0x20..<0x7F).contains(ascii) { return String(character) }
        var result = String.UnicodeScalarView()
        for scalar in character.unicodeScalars.prefix(longestCharacter) {
            if isActive(scalar) {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }

    private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Bidirectional controls are in this category. Zero-width joiners belong to ordinary text and emoji.
        case .format: scalar.value != 0x200C && scalar.value != 0x200D
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{" + String(scalar.value, radix: 16) + "}"
        }
    }
}
