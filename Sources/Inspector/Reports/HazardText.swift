import InspectorColumns

/// The findings, for people: how many there are, and each with its evidence, the worst first.
///
/// The same report gives the same bytes.
public struct HazardText: Sendable {
    private static let indent = 4

    private let report: HazardReport

    /// Constant time: ``text(width:)`` does the work.
    public init(_ report: HazardReport) { self.report = report }

    /// Lines with a newline each, safe for a terminal, of at most `width` columns unless a word is longer.
    public func text(width: Int = 80) -> String { text(width: width, .max) }

    private static let mostFindings = 40

    func text(_ style: WritingStyle) -> String {
        style.fitting(rows: Self.mostFindings) { style, rows in text(width: style.width ?? 80, rows) }
    }

    /// - Parameter most: the largest number of findings, and of operations of a single finding.
    private func text(width: Int, _ most: Int) -> String {
        var lines: [String] = []
        var (written, left) = (0, 0)
        for group in report.groups {
            let shown = group.findings.prefix(most - written)
            let omitted = group.omitted + group.findings.count - shown.count
            written += shown.count
            for finding in shown { lines += self.lines(finding, of: group.rule, width) + [""] }
            if shown.count < group.findings.count || shown.isEmpty {
                left += omitted
            } else if omitted > 0 {
                let kind = TerminalText.shortened(group.kind)
                let more = "and \(Prose.grouped(omitted)) more of \(kind) (\(group.rule))"
                lines += [Prose.wrapped(more, to: width), ""]
            }
        }
        if left > 0 {
            let more = "and \(Prose.grouped(left)) more; --all prints those of each rule and kind"
            lines += [Prose.wrapped(more, to: width), ""]
        }
        if report.isOfOneFinding {
            if let finding = report.groups.first?.findings.first, !finding.operations.isEmpty {
                lines.insert(operations(of: finding, most, width), at: lines.count - 1)
            }
            return lines.dropLast().map { $0 + "\n" }.joined()
        }
        lines.insert(contentsOf: [Prose.wrapped(summary, to: width), ""], at: 0)
        if report.undecided.isEmpty {
            lines.removeLast()
        } else {
            lines.append("This log cannot show:")
            for (rules, reason) in undecided {
                lines.append(
                    Prose.wrapped(
                        "  \(rules): \(TerminalText.escaped(reason))", to: width, indent: Self.indent))
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func lines(_ finding: HazardFinding, of rule: String, _ width: Int) -> [String] {
        let number = finding.number.map { ", finding:\($0)" } ?? ""
        var lines = [
            Prose.wrapped(
                "\(finding.severity.rawValue): \(TerminalText.escaped(finding.summary)) [\(rule)\(number)]",
                to: width, indent: Self.indent)
        ]
        let times = finding.evidence.map { $0.time.map(Self.milliseconds) ?? "" }
        let column = times.reduce(0) { max($0, $1.count) }
        for (time, evidence) in zip(times, finding.evidence) {
            let padding = String(repeating: " ", count: Self.indent + column - time.count)
            lines.append(
                Prose.wrapped(
                    "\(padding)\(time)  \(TerminalText.escaped(evidence.text))", to: width,
                    indent: Self.indent + column + 2))
        }
        if let cost = finding.cost {
            lines.append("    cost    \(DurationFormat.text(nanoseconds: cost))")
        }
        lines.append(
            Prose.wrapped(
                "    change  \(TerminalText.escaped(finding.advice))", to: width, indent: Self.indent + 8))
        return lines
    }

    /// The operations of a finding with their IDs, by which other commands know them.
    private func operations(of finding: HazardFinding, _ most: Int, _ width: Int) -> String {
        let names = finding.operations.prefix(most).map { index in
            let operation = report.trace.operations[index]
            return "\(TerminalText.shortened(operation.displayName)) (\(operation.id))"
        }
        let rest = finding.operations.count - names.count
        let more = rest > 0 ? " and \(Prose.grouped(rest)) more\(WritingStyle.howToSeeAll)" : ""
        return Prose.wrapped(
            "    about   " + names.joined(separator: ", ") + more, to: width, indent: Self.indent + 8)
    }

    /// The reasons, each once, with the rules that state it.
    private var undecided: [(rules: String, reason: String)] {
        var reasons: [(rules: String, reason: String)] = []
        for undecided in report.undecided {
            if let known = reasons.firstIndex(where: { $0.reason == undecided.reason }) {
                reasons[known].rules += ", " + undecided.rule
            } else {
                reasons.append((undecided.rule, undecided.reason))
            }
        }
        return reasons
    }

    private var summary: String {
        let undecided = report.rules.count - report.decidedRules
        let rules =
            "\(Prose.counted(report.decidedRules, "rule")) checked"
            + (undecided == 0 ? "" : ", \(Prose.grouped(undecided)) could not decide")
        let hidden = report.hiddenFindings.map { "; \($0)" } ?? ""
        let found = report.groups.isEmpty ? report.absence : report.counts.joined(separator: ", ")
        let columns = report.trace.operations.store.columns
        let tasks = columns.count - (report.trace.tasks.asOperations?.first ?? columns.count)
        let operations = (0..<columns.count - tasks).count { columns.enqueued.has($0) }
        let checked = Prose.counted(operations: operations, tasks: tasks)
        return "\(found) in \(checked)\(report.unfinishedAside)\(hidden) (\(rules))."
    }

    /// `81.172 ms` since the start of the trace: precise enough to distinguish events.
    private static func milliseconds(_ nanoseconds: Int64) -> String {
        let microseconds = (nanoseconds.magnitude + 500) / 1000
        let fraction = String(microseconds % 1000)
        let padding = String(repeating: "0", count: 3 - fraction.count)
        return "\(nanoseconds < 0 ? "-" : "")\(Prose.grouped(microseconds / 1000)).\(padding)\(fraction) ms"
    }
}

extension HazardReport {
    /// `2 errors` and `1 note`: what is shown.
    var counts: [String] { Self.counts { self.count($0) } }

    /// `2 warnings, 1 note hidden by --severity`; nil if nothing is hidden.
    var hiddenFindings: String? {
        hidden.isEmpty
            ? nil : Self.counts { hidden[$0] ?? 0 }.joined(separator: ", ") + " hidden by --severity"
    }

    /// What was not found: of a severity that hides others it is not known that nothing is wrong.
    var absence: String {
        guard let least = hidden.keys.max() else { return "No problems found" }
        return least == .warning ? "No errors" : "No errors or warnings"
    }

    /// Says of a report without findings that operations are unfinished all the same.
    var unfinishedAside: String {
        let unfinished = trace.operations.lazy.filter { $0.enqueued != nil && $0.finished == nil }.count
        if unfinished == 0 || !groups.isEmpty { return "" }
        return ", of which \(Prose.grouped(unfinished)) never finished"
    }

    private static func counts(_ count: (HazardSeverity) -> Int) -> [String] {
        HazardSeverity.allCases.reversed().compactMap { severity in
            count(severity) == 0 ? nil : Prose.counted(count(severity), severity.rawValue)
        }
    }
}

extension HazardReport: Writable {
    package static var renderers: [Renderer<HazardReport>] {
        [
            Renderer(.text, text: { HazardText($0).text($1) }),
            Renderer(.json, text: { report, _ in HazardJSON(report).text }),
            Renderer(.github, text: { report, _ in HazardAnnotations(report).text }),
        ]
    }
}
