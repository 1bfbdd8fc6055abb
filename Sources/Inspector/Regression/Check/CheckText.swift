/// A check for people: the verdict first, then where the time went, then every metric, then what has to be known.
public struct CheckText: Sendable {
    private let check: RegressionCheck

    public init(_ check: RegressionCheck) { self.check = check }

    /// Of each primary metric one line that begins with its verdict. Safe for a terminal.
    public var verdict: String { CheckWords(check: check).headlines.map { $0 + "\n" }.joined() }

    /// The verdict, what has to be known of the runs, and where the time went: a line each. Safe for a terminal.
    public var summary: String {
        let words = CheckWords(check: check)
        return (words.headlines + check.notes + [words.whereTheTimeWent, words.sides].compactMap { $0 })
            .joined(separator: "\n")
    }

    /// Where there is less room, marks stand for verdicts.
    private static let leastWidthForWords = 96

    /// Safe for a terminal of so many columns.
    public func text(width: Int = 80) -> String {
        let words = CheckWords(check: check)
        let tables = CheckTables(words)
        func paragraph(_ text: String) -> String { Prose.wrapped(text, to: width) + "\n" }
        var text = words.headlines.map(paragraph).joined() + "\n"
        for note in check.notes { text += paragraph("Note: \(note)") }
        if !check.notes.isEmpty { text += "\n" }
        for sentence in [words.whereTheTimeWent, words.path].compactMap({ $0 }) {
            text += paragraph(sentence)
        }
        if let table = tables.delays { text += "\n" + table.text(width: width) }
        if let (table, rest) = tables.metrics(inWords: width >= Self.leastWidthForWords) {
            text += "\n" + table.text(width: width) + rest
        }
        return text + "\n" + paragraph(words.sides)
    }
}
