/// How several runs kept their budgets, and whether that is good enough.
///
/// A limit on a time or a share is broken if most of the runs break it, because a single slow run may be due
/// to the machine. All other limits (counts, failures, hazards, concurrency) are broken if one run breaks
/// them, because an error that happened once can happen again.
public struct BudgetReport: Sendable {
    /// One budget, over all runs.
    public struct Line: Sendable {
        /// How all runs together kept a budget.
        public enum Verdict: String, CaseIterable, Sendable {
            /// Missing events cannot change this.
            case kept, broken
            /// Missing events decide.
            case inconclusive
            /// An optional budget for operations that the runs do not have.
            case unused
        }

        /// The limit, and what it applies to.
        public let budget: Budget
        /// One result for each run.
        public let results: [BudgetResult]
        /// The verdict for all runs together; see ``BudgetReport`` for how many may break it.
        public let verdict: Verdict
        /// The run that the sentence describes: the middle one of the runs that break the limit, or of all
        /// runs if none breaks it.
        package let shown: Int

        package var result: BudgetResult { results[shown] }
        /// How many runs broke it.
        public var broken: Int { results.count { $0.verdict == .broken } }
    }

    /// A check for tools that display tests.
    package struct Case: Hashable, Sendable {
        package let name: String
        /// The measured value, and the limit.
        package let sentence: String
        package let verdict: Line.Verdict
        /// The sentence, if the budget is broken; otherwise nil.
        package var failure: String? { verdict == .broken ? sentence : nil }
        package let file: String
        package let line: Int
    }

    /// For each run.
    private static let mostNotes = 3

    /// The name of the budgets' file.
    public let file: String
    /// The names of the runs, in the order of the results.
    public let runs: [String]
    /// In the order of the file.
    public let lines: [Line]

    /// What is missing in the logs, one sentence each, safe for a terminal: kept limits may not hold for what
    /// was lost.
    public let notes: [String]

    /// Also true without any run.
    public var isBroken: Bool { runs.isEmpty || lines.contains { $0.verdict == .broken } }
    /// Whether no recorded event broke a budget, but a missing one may have.
    public var isInconclusive: Bool { !isBroken && lines.contains { $0.verdict == .inconclusive } }

    /// - Parameter runs: each with its name.
    /// - Throws: `BudgetsError` if a run has no operation of a named kind or queue.
    public init(_ budgets: Budgets, _ runs: [(name: String, analysis: TraceAnalysis)]) throws(BudgetsError) {
        var results: [[BudgetResult]] = []
        for run in runs {
            do {
                results.append(try budgets.check(run.analysis))
            } catch {
                // Name the run if there are several.
                let place = runs.count > 1 ? "\(TerminalText.shortened(run.name, toColumns: 60)): " : ""
                throw BudgetsError(error.code, file: error.file, line: error.line, place + error.reason)
            }
        }
        file = budgets.name
        self.runs = runs.map(\.name)
        let areComplete = runs.map {
            let header = $0.analysis.trace.header
            return header.droppedEvents == 0 && header.isClosed
        }
        lines =
            results.isEmpty
            ? [] : budgets.all.indices.map { index in Line(results.map { $0[index] }, areComplete) }
        notes = runs.flatMap { run in
            (run.analysis.trace.notes + run.analysis.trace.losses).prefix(Self.mostNotes).map {
                "\(TerminalText.shortened(run.name, toColumns: 60)): \(TerminalText.escaped($0))"
            }
        }
    }

    /// In the order of the file.
    package var cases: [Case] {
        lines.map { line in
            Case(
                name: line.budget.label, sentence: sentence(line), verdict: line.verdict, file: file,
                line: line.budget.line)
        }
    }

    /// The first broken budget in the order of the file, with the numbers. A sentence without a full stop.
    public var sentence: String {
        if runs.isEmpty { return "no run was checked" }
        let broken = lines.filter { $0.verdict == .broken }
        guard let first = broken.first else {
            let open = lines.count { $0.verdict == .inconclusive }
            return "\(Prose.counted(lines.count - open, "budget")) kept"
                + (runs.count == 1 ? "" : " in \(Prose.counted(runs.count, "run"))")
                + (open == 0
                    ? "" : "; \(Prose.counted(open, "depends", "depend")) on events that were not recorded")
        }
        let more =
            broken.count == 1 ? "" : "; \(broken.count - 1) more \(broken.count == 2 ? "is" : "are") broken"
        return "\(sentence(first)) (\(TerminalText.escaped(file)):\(first.budget.line))\(more)"
    }

    /// The sentence, preceded by `broken: ` or `inconclusive: ` if that applies.
    public var verdict: String { lead + sentence + "." }

    private var lead: String { isBroken ? "broken: " : isInconclusive ? "inconclusive: " : "" }

    private func sentence(_ line: Line) -> String {
        runs.count == 1
            ? line.result.sentence
            : "\(line.result.sentence), in \(TerminalText.shortened(runs[line.shown], toColumns: 60)); "
                + "\(Prose.grouped(line.broken)) of \(Prose.counted(runs.count, "run")) broke it"
    }

    /// Lines of at most this many columns unless a word is longer, safe for a terminal. Broken budgets are
    /// marked in words.
    public func text(width: Int? = 80) -> String { text(width: width, rows: .max) }

    /// - Parameter rows: the largest number of budgets.
    func text(width: Int?, rows: Int) -> String {
        let (table, rest) = table(rows)
        return table.text(width: width) + rest + "\n"
            + notes.map { Prose.wrapped("Note: \($0)", to: width) + "\n" }.joined()
            + Prose.wrapped(verdict, to: width) + "\n"
    }

    /// A table and the verdict for a comment or a summary; texts from the runs are escaped.
    public var markdown: String { markdown(rows: .max) }

    /// - Parameter rows: the largest number of budgets.
    func markdown(rows: Int) -> String {
        let (table, rest) = table(rows)
        return table.markdown() + rest + "\n" + notes.map { "Note: \(MarkdownText.escaped($0))\n\n" }.joined()
            + (lead.isEmpty ? "" : "**\(lead.dropLast())** ") + MarkdownText.escaped(sentence) + ".\n"
    }

    /// Broken and inconclusive budgets are the last to be left out.
    private func table(_ rows: Int) -> (table: TextTable, rest: String) {
        let shown = Set(
            lines.indices.sorted { (rank(lines[$0]), $0) < (rank(lines[$1]), $1) }.prefix(rows))
        var columns: [TextTable.Column] = [
            .word(""), .name("budget"), .number("measured"), .number("limit"),
        ]
        if runs.count > 1 { columns.append(.number("broken in")) }
        var table = TextTable(title: "Budgets of \(TerminalText.escaped(file))", columns: columns)
        for (index, line) in lines.enumerated() where shown.contains(index) {
            let relation = line.budget.relation == .atMost ? "" : line.budget.relation.rawValue + " "
            var row = [
                line.verdict.rawValue, line.budget.label,
                line.result.measured?.text ?? "–", relation + line.budget.limit.text,
            ]
            if runs.count > 1 { row.append("\(Prose.grouped(line.broken)) of \(Prose.grouped(runs.count))") }
            table.rows.append(row)
        }
        let rest = lines.count - shown.count
        return (table, rest > 0 ? "\n\(Prose.counted(rest, "more budget")) in the JSON.\n" : "")
    }

    private func rank(_ line: Line) -> Int {
        switch line.verdict {
        case .broken: 0
        case .inconclusive: 1
        case .kept, .unused: 2
        }
    }
}

extension BudgetReport.Line {
    /// - Parameter areComplete: for each run, whether everything was recorded.
    fileprivate init(_ results: [BudgetResult], _ areComplete: [Bool]) {
        let budget = results[0].budget
        let open = results.indices.filter { !areComplete[$0] && !results[$0].isCertain }
        let broken = results.indices.filter { results[$0].verdict == .broken && !open.contains($0) }
        func isBroken(by count: Int) -> Bool {
            budget.quantity.isWeather ? count * 2 > results.count : count > 0
        }
        self.budget = budget
        self.results = results
        if isBroken(by: broken.count) {
            verdict = .broken
        } else if isBroken(by: broken.count + open.count) {
            verdict = .inconclusive
        } else {
            verdict = results.allSatisfy { $0.verdict == .unused } ? .unused : .kept
        }
        let candidates = verdict == .broken ? broken : Array(results.indices)
        let sorted = candidates.sorted { first, second in
            guard let left = results[first].measured, let right = results[second].measured else {
                return results[first].measured == nil && results[second].measured != nil
            }
            return left < right
        }
        // The upper one of two middle values, which is nearer to the worst if a limit is broken.
        shown = sorted[sorted.count / 2]
    }
}

extension BudgetResult {
    /// Whether missing events could not change it: more operations, and longer ones.
    fileprivate var isCertain: Bool {
        switch (verdict, budget.relation, measured) {
        case (.broken, .atMost, _), (.kept, .atLeast, _): true
        case (.broken, .exactly, let measured?): budget.limit < measured
        default: false
        }
    }
}

extension Budget.Quantity {
    /// Whether it varies from run to run with the conditions of the machine.
    fileprivate var isWeather: Bool {
        switch self {
        case .makespan, .criticalPathLength, .part, .lifetime, .share: true
        case .concurrency, .count, .ended, .hazards: false
        }
    }
}
