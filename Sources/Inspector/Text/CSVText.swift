/// Cells of comma-separated values ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)).
package enum CSVText {
    /// A text of a trace: one that a spreadsheet would take for a formula has an apostrophe before it, as
    /// OWASP recommends.
    package static func inert(_ text: String) -> String {
        // The last four are full-width: spreadsheets take them for the others.
        guard let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else {
            return text
        }
        return "'" + text
    }

    /// In quotes where it has to be. Readers end a text at a zero byte, or refuse it: there stands U+FFFD
    /// instead.
    package static func cell(_ text: String) -> String {
        let isPlain = !text.utf8.contains { ",\"\r\n\0".utf8.contains($0) }
        if isPlain { return text }
        return "\"" + text.replacing("\"", with: "\"\"").replacing("\0", with: "\u{FFFD}") + "\""
    }
}
