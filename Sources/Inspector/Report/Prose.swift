/// What sentences for a terminal have in common.
enum Prose {
    /// `3 operations`, `1 operation`.
    static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

    /// Breaks at spaces; a word that is wider than a line has a line of its own. `nil` is one line, however long.
    /// Linear.
    static func wrapped(_ text: String, to width: Int?) -> String {
        guard let width else { return text }
        var lines = ""
        var column = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            let columns = TextWidth.columns(of: word)
            if column > 0, column + 1 + columns > width {
                lines += "\n"
                column = 0
            } else if column > 0 {
                lines += " "
                column += 1
            }
            lines += word
            column += columns
        }
        return lines
    }
}
