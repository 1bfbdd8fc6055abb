/// Cells of comma-separated values ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)).
package enum CSVText {
    /// A text from a trace. If a spreadsheet would take it for a formula, an apostrophe is put before it, as
    /// OWASP recommends.
    package static func inert(_ text: String) -> String {
        // The last four are full-width characters, which spreadsheets treat like the others.
        guard let first = text.unicodeScalars.first, "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) else {
            return text
        }
        return "'" + text
    }

    /// Quoted if necessary. A zero byte becomes U+FFFD, because readers end a text there, or reject it.
    package static func cell(_ text: String) -> String {
        let isPlain = !text.utf8.contains { ",\"\r\n\0".utf8.contains($0) }
        if isPlain { return text }
        return "\"" + text.replacing("\"", with: "\"\"").replacing("\0", with: "\u{FFFD}") + "\""
    }
}
