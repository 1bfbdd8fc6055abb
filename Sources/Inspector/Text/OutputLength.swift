extension WritingStyle {
    /// Bytes of a text or of Markdown, unless everything was asked for: what people read at once.
    private static let most = 6_000
    /// Terminals may be wider. That makes lines longer, and does not take rows away.
    private static let measuredWidth = 80

    /// Follows the number of rows that were left out.
    package static let howToSeeAll = "; --all prints all"

    /// `… 12 more functions; --all prints all`, and a newline; nothing if none were left out.
    package static func omission(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        count > 0 ? "… \(Prose.counted(count, one, many))\(howToSeeAll)\n" : ""
    }

    /// The text with at most that many rows in each of its tables: if it would be too long otherwise, with as
    /// many as fit, but at least one; and all of them if everything was asked for.
    ///
    /// - Parameter text: makes the text. Compute before what is expensive, as it may be called several times.
    package func fitting(rows: Int, _ text: (WritingStyle, _ rows: Int) -> String) -> String {
        if isWhole { return text(self, .max) }
        var measured = self
        measured.width = width.map { min($0, Self.measuredWidth) }
        func candidate(_ rows: Int) -> (rows: Int, bytes: Int, text: String) {
            let candidate = text(measured, rows)
            return (rows, Self.bytes(candidate), candidate)
        }
        var (fitting, tooLong) = ((rows: 0, bytes: 0, text: ""), candidate(rows))
        if tooLong.bytes <= Self.most { fitting = tooLong }
        var isHalved = false
        while tooLong.rows - fitting.rows > 1 {
            // Nearly linear in the rows, so this guess is often right. Halves, in turn, limit the number of
            // guesses.
            let (rows, bytes) = (tooLong.rows - fitting.rows, tooLong.bytes - fitting.bytes)
            let guess = isHalved ? rows / 2 : rows * (Self.most - fitting.bytes) / max(1, bytes)
            let next = candidate(fitting.rows + min(max(1, guess), rows - 1))
            if next.bytes <= Self.most { fitting = next } else { tooLong = next }
            isHalved.toggle()
        }
        let best = fitting.rows > 0 ? fitting : tooLong
        return width == measured.width ? best.text : text(self, best.rows)
    }

    /// Without the sequences that colour the text: each begins with an escape, and ends with `m`.
    private static func bytes(_ text: String) -> Int {
        var (bytes, isColor) = (0, false)
        for byte in text.utf8 {
            if byte == 0x1B { isColor = true }
            if !isColor { bytes += 1 }
            if byte == UInt8(ascii: "m") { isColor = false }
        }
        return bytes
    }
}
