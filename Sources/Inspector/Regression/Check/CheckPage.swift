/// A check as a web page: the verdict, every run of each metric as a dot, the changes with their intervals,
/// where the time went, and the two runs to look into.
public struct CheckPage: Sendable {
    private let check: RegressionCheck?
    private let budgets: BudgetReport?
    private let theme: PictureTheme

    /// Constant time: ``html`` does the work.
    ///
    /// - Parameters:
    ///   - check: nil if only budgets were checked.
    ///   - budgets: of the same runs, if some were checked.
    public init(_ check: RegressionCheck?, _ budgets: BudgetReport? = nil, theme: PictureTheme = .light) {
        self.check = check
        self.budgets = budgets
        self.theme = theme
    }

    /// UTF-8. The same runs give the same bytes.
    public var html: [UInt8] {
        let title = check.map { "Timing check: \(CheckWords(check: $0).title)" } ?? "Budgets"
        var page = HTMLDocument(title: title, theme: theme)
        if let check { add(check, to: &page) }
        if let budgets {
            if check != nil { page.heading("Budgets") }
            page.lines(budgets.text(width: nil))
        }
        return page.closed
    }

    private func add(_ check: RegressionCheck, to page: inout HTMLDocument) {
        let words = CheckWords(check: check)
        let tables = CheckTables(words, rows: CheckTables.mostMetrics)
        for headline in words.headlines { page.paragraph(headline, .strong) }
        for note in check.notes { page.paragraph(note) }
        for sentence in words.explanations { page.paragraph(sentence) }
        page.paragraph(words.sides, .quiet)
        if let (sentence, command) = Self.nearest(check) {
            page.paragraph(sentence)
            if let command { page.lines(command) }
        }
        if !check.baseline.runs.isEmpty, !check.current.runs.isEmpty {
            page.heading("Changes")
            page.picture(
                picture("Changes of metrics", below: ChangesDrawing(words, theme, tables.shown).draw))
            page.heading("Every run")
            for comparison in tables.shown {
                let name = TerminalText.shortened(comparison.metric.label, toColumns: 80)
                page.picture(
                    picture("\(name) of every run", below: RunsDrawing(check, comparison, theme).draw))
            }
            page.heading("Where the time went")
            page.picture(picture("Parts of the makespans", below: MakespanDrawing(words, theme).draw))
        }
        if let table = tables.delays { page.table(table) }
        if let (table, rest) = tables.metrics(inWords: true) {
            page.heading("Metrics")
            page.table(table)
            for sentence in [rest] + tables.causes where !sentence.isEmpty {
                page.paragraph(sentence, .quiet)
            }
        }
    }

    private func picture(
        _ title: String, below draw: (Double, inout SVGDocument) -> Double
    ) -> String {
        var document = SVGDocument(width: CheckPicture.width, theme: theme, title: title, definitions: "")
        let bottom = draw(0, &document)
        return document.closed(height: bottom + 12)
    }

    /// The run of each side whose makespan is nearest to the median, to see the typical difference. Nil if a
    /// side has no run.
    private static func nearest(_ check: RegressionCheck) -> (sentence: String, command: String?)? {
        let runs = [check.baseline, check.current].compactMap { side -> TimedRun? in
            let times = side.runs.compactMap { run in
                run.timings.samples(.makespan).map { (run: run, time: $0.median) }
            }
            if times.isEmpty { return nil }
            let median = BootstrapInterval.quantile(times.map(\.time).sorted(), 0.5)
            return times.min { abs($0.time - median) < abs($1.time - median) }?.run
        }
        guard runs.count == 2 else { return nil }
        let names = runs.map { TerminalText.shortened($0.name, toColumns: 80) }
        let sentence = "The runs nearest to the medians of the makespan are \(names[0]) and \(names[1])"
        let files = runs.compactMap(\.trace).map(ShellText.quoted)
        guard files.count == 2 else { return (sentence + ".", nil) }
        return (sentence + ". To see what differs:", "opviz diff \(files[0]) \(files[1]) -o diff.html")
    }
}
