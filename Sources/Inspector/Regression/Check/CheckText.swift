/// A check for people: the verdict first, then where the time went, then every metric, then important facts.
public struct CheckText: Sendable {
    private let check: RegressionCheck

    /// Constant time: its members do the work.
    public init(_ check: RegressionCheck) { self.check = check }

    /// The first lines of ``text(width:)``: what is proven, then what is not. Safe for a terminal.
    public var verdict: String { CheckWords(check: check).headlines.map { $0 + "\n" }.joined() }

    /// The verdict, important facts about the runs, and where the time went: a line each. Safe for a
    /// terminal.
    public var summary: String {
        let words = CheckWords(check: check)
        return (words.headlines + check.notes + words.whereTheTimeWent + [words.sides])
            .joined(separator: "\n")
    }

    /// What the primary metrics leave open, and what is proven nevertheless, as a fragment for a sentence.
    /// Safe for a terminal.
    public var openQuestion: String {
        let words = CheckWords(check: check)
        let open = check.primary.filter { check.verdict(of: $0) == .inconclusive }.map {
            words.label($0.metric)
        }
        let proven = check.proven(.regressed).map { words.label($0.metric) }.prefix(CheckWords.mostNamed)
        return "these runs do not show whether \(open.isEmpty ? "anything" : Prose.list(open)) became slower"
            + (proven.isEmpty ? "" : " (\(Prose.list(Array(proven))) did, but is not primary)")
    }

    /// On narrower terminals, marks replace the words for verdicts.
    private static let leastWidthForWords = 96

    /// Safe for a terminal with this many columns.
    public func text(width: Int = 80) -> String {
        WritingStyle(width: width).fitting(rows: CheckTables.mostMetrics) { text(width: width, rows: $1) }
    }

    /// - Parameter rows: the largest number of metrics.
    func text(width: Int, rows: Int) -> String {
        let words = CheckWords(check: check)
        let tables = CheckTables(words, rows: rows)
        func paragraph(_ text: String) -> String { Prose.wrapped(text, to: width) + "\n" }
        var text = words.headlines.map(paragraph).joined() + "\n"
        for note in check.notes { text += paragraph("Note: \(note)") }
        if !check.notes.isEmpty { text += "\n" }
        for sentence in words.explanations { text += paragraph(sentence) }
        if let table = tables.delays { text += "\n" + table.text(width: width) }
        if let (table, rest) = tables.metrics(inWords: width >= Self.leastWidthForWords) {
            text += "\n" + table.text(width: width) + rest
            let causes = tables.causes
            if !causes.isEmpty { text += "\n" + causes.map(paragraph).joined() }
        }
        return text + "\n" + paragraph(words.sides)
    }
}

/// The result of a check, of budgets, or of both.
package struct CheckOutput: Sendable {
    private let check: RegressionCheck?
    private let budgets: BudgetReport?
    private let isStrict: Bool
    /// The path of the picture beside the Markdown file.
    private let picture: String?
    /// Of the page.
    private let theme: PictureTheme

    package init(
        _ check: RegressionCheck?, _ budgets: BudgetReport?, isStrict: Bool, picture: String? = nil,
        theme: PictureTheme = .light
    ) {
        self.check = check
        self.budgets = budgets
        self.isStrict = isStrict
        self.picture = picture
        self.theme = theme
    }

    /// With an empty line between them.
    private static func joined(_ texts: String?...) -> String {
        texts.compactMap { $0 }.joined(separator: "\n")
    }
}

extension CheckOutput: Writable {
    package static var renderers: [Renderer<CheckOutput>] {
        [
            Renderer(
                .text,
                text: { output, style in
                    style.fitting(rows: CheckTables.mostMetrics) { style, rows in
                        let width = style.width ?? 80
                        return joined(
                            output.check.map { CheckText($0).text(width: width, rows: rows) },
                            output.budgets?.text(width: width, rows: rows))
                    }
                }),
            Renderer(
                .markdown,
                text: { output, style in
                    style.fitting(rows: CheckTables.mostMetrics) { _, rows in
                        joined(
                            output.check.map { CheckMarkdown($0, picture: output.picture).text(rows: rows) },
                            output.budgets?.markdown(rows: rows))
                    }
                }),
            Renderer(
                .json,
                bytes: { output, _ in
                    output.check.map { CheckJSON($0, output.budgets).bytes } ?? output.budgets?.json ?? []
                }),
            Renderer(
                .html,
                bytes: { output, _ in
                    CheckPage(output.check, output.budgets, theme: output.theme).html
                }),
            Renderer(
                .junit,
                text: { output, _ in
                    CheckJUnit(output.check, output.budgets, isStrict: output.isStrict).text
                }),
            Renderer(
                .github,
                text: { output, _ in
                    (output.check.map { CheckAnnotations($0).text } ?? "")
                        + (output.budgets?.annotations ?? "")
                }),
        ]
    }
}
