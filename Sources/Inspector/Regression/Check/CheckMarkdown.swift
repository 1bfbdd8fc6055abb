/// A check for a comment on a pull request.
public struct CheckMarkdown: Sendable {
    private let check: RegressionCheck
    private let picture: String?

    /// - Parameter picture: the path of the check's picture, for a link in the text.
    public init(_ check: RegressionCheck, picture: String? = nil) {
        self.check = check
        self.picture = picture
    }

    /// The comment; texts from the runs are escaped. The same runs give the same text.
    public var text: String {
        WritingStyle().fitting(rows: CheckTables.mostMetrics) { text(rows: $1) }
    }

    /// - Parameter rows: the largest number of metrics.
    func text(rows: Int) -> String {
        let words = CheckWords(check: check)
        let tables = CheckTables(words, rows: rows)
        let mark =
            switch check.verdict {
            case .regressed: "❌"
            case .inconclusive: "❔"
            case .improved, .unchanged: "✅"
            }
        var text = "## \(mark) Timing check: \(MarkdownText.escaped(words.title))\n\n"
        for headline in words.headlines { text += "**\(MarkdownText.escaped(headline))**\n\n" }
        for note in check.notes { text += "> \(MarkdownText.escaped(note))\n>\n" }
        if !check.notes.isEmpty { text += "\n" }
        for sentence in words.explanations { text += MarkdownText.escaped(sentence) + "\n\n" }
        if let picture {
            text +=
                "![Every run of both sides, and the parts of their makespans](<\(Self.link(picture))>)\n\n"
        }
        if let table = tables.delays { text += table.markdown() + "\n" }
        if let (table, rest) = tables.metrics(inWords: true) {
            let causes = tables.causes.map { "\n" + MarkdownText.escaped($0) + "\n" }.joined()
            text += "<details><summary>All metrics</summary>\n\n\(table.markdown())\n\(rest)\(causes)"
            text += "</details>\n\n"
        }
        return text + MarkdownText.escaped(words.sides) + "\n"
    }

    /// Encodes bytes that may not occur in an address, in hexadecimal (RFC 3986).
    private static func link(_ path: String) -> String {
        path.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 128 && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            if isPlain || "-._~/".unicodeScalars.contains(scalar) { return String(Character(scalar)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
