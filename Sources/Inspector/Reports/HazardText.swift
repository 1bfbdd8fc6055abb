/// What the rules found, for people: each finding with its evidence, the worst first.
///
/// The same report gives the same bytes.
public struct HazardText: Sendable {
    private static let indent = 4

    private let report: HazardReport

    public init(_ report: HazardReport) { self.report = report }

    /// Lines with a newline each, safe for a terminal, of at most so many columns where words allow it.
    public func text(width: Int = 80) -> String {
        var lines: [String] = []
        for group in report.groups {
            for finding in group.findings { lines += self.lines(finding, of: group.rule, width) + [""] }
            if group.omitted > 0 {
                let kind = TerminalText.shortened(group.kind, toColumns: 40)
                lines += wrapped(
                    "and \(group.omitted) more of \(kind) (\(group.rule))", width, indent: 0)
                lines.append("")
            }
        }
        lines += wrapped(summary, width, indent: 0)
        if !report.undecided.isEmpty {
            lines += ["", "Cannot be decided from this log:"]
            for (rules, reason) in undecided {
                lines += wrapped("  \(rules): \(TerminalText.escaped(reason))", width, indent: Self.indent)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func lines(_ finding: HazardFinding, of rule: String, _ width: Int) -> [String] {
        var lines = wrapped(
            "\(finding.severity.rawValue): \(TerminalText.escaped(finding.summary)) [\(rule)]", width,
            indent: Self.indent)
        let times = finding.evidence.map { $0.time.map(Self.milliseconds) ?? "" }
        let column = times.reduce(0) { max($0, $1.count) }
        for (time, evidence) in zip(times, finding.evidence) {
            let padding = String(repeating: " ", count: Self.indent + column - time.count)
            lines += wrapped(
                "\(padding)\(time)  \(TerminalText.escaped(evidence.text))", width,
                indent: Self.indent + column + 2)
        }
        if let cost = finding.cost {
            lines.append("    cost    \(DurationFormat.text(nanoseconds: cost))")
        }
        lines += wrapped(
            "    change  \(TerminalText.escaped(finding.advice))", width, indent: Self.indent + 8)
        return lines
    }

    /// The reasons, each once, with the rules that give it.
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
        let rules = Prose.counted(report.rules.count, "rule")
        let operations = Prose.counted(report.trace.operations.count, "operation")
        if report.groups.isEmpty { return "Nothing found by \(rules) in \(operations)." }
        let counts = HazardSeverity.allCases.reversed().compactMap { severity -> String? in
            let count = report.count(severity)
            return count == 0 ? nil : Prose.counted(count, severity.rawValue)
        }
        return "\(counts.joined(separator: ", ")), by \(rules) in \(operations)."
    }

    /// `81.172 ms` since the start of the trace: fine enough to tell events apart.
    private static func milliseconds(_ nanoseconds: Int64) -> String {
        let microseconds = (nanoseconds.magnitude + 500) / 1000
        let fraction = String(microseconds % 1000)
        let padding = String(repeating: "0", count: 3 - fraction.count)
        return "\(nanoseconds < 0 ? "-" : "")\(microseconds / 1000).\(padding)\(fraction) ms"
    }

    /// Breaks a line between words; what follows the first line begins at the indent.
    private func wrapped(_ text: String, _ width: Int, indent: Int) -> [String] {
        var lines: [String] = []
        // The spaces that it begins with stay.
        var line = String(text.prefix { $0 == " " })
        var columns = line.count
        var isEmpty = true
        for word in text.dropFirst(columns).split(separator: " ", omittingEmptySubsequences: false) {
            let size = TextWidth.columns(of: word)
            if !isEmpty, columns + 1 + size > width {
                lines.append(line)
                line = String(repeating: " ", count: indent)
                columns = indent
                isEmpty = true
            }
            if !isEmpty {
                line += " "
                columns += 1
            }
            line += word
            columns += size
            isEmpty = false
        }
        return lines + [line]
    }
}
