import EventLog

/// The findings, for programs: `Documentation/schemas/lint.schema.json` describes it.
public struct HazardJSON: Sendable {
    private let report: HazardReport

    /// Constant time: ``text`` does the work.
    public init(_ report: HazardReport) { self.report = report }

    /// One object with a line for each finding, and a newline at the end. The same report gives the same
    /// bytes.
    public var text: String {
        let findings = report.groups.flatMap { group in group.findings.map { finding($0, of: group) } }
        let omitted = report.groups.filter { $0.omitted > 0 }.map { group in
            Self.object([
                ("rule", Self.string(group.rule)), ("severity", Self.string(group.severity.rawValue)),
                ("kind", Self.string(group.kind)), ("count", String(group.omitted)),
                ("costNs", group.omittedCost.map(Self.number)),
            ])
        }
        let undecided = report.undecided.map {
            Self.object([("rule", Self.string($0.rule)), ("reason", Self.string($0.reason))])
        }
        let hidden = HazardSeverity.allCases.reversed().compactMap { severity in
            report.hidden[severity].map {
                Self.object([("severity", Self.string(severity.rawValue)), ("count", String($0))])
            }
        }
        return """
            {"format": "opviz-hazards", "version": 2,
             "rules": [\(report.rules.map(Self.string).joined(separator: ", "))],
             "findings": \(Self.lines(findings)),
             "omitted": \(Self.lines(omitted)),
             "hidden": \(Self.lines(hidden)),
             "undecided": \(Self.lines(undecided))}

            """
    }

    private func finding(_ finding: HazardFinding, of group: HazardReport.Group) -> String {
        let operations = finding.operations.map { index in
            let operation = report.trace.operations[index]
            return Self.object([
                ("operation", Self.string(operation.id.description)), ("kind", Self.string(operation.kind)),
                ("name", operation.name.map(Self.string)),
            ])
        }
        let evidence = finding.evidence.map {
            Self.object([("atNs", $0.time.map(Self.number)), ("text", Self.string($0.text))])
        }
        return Self.object([
            ("handle", finding.number.map { Self.string("finding:\($0)") }),
            ("rule", Self.string(group.rule)), ("severity", Self.string(finding.severity.rawValue)),
            ("kind", Self.string(group.kind)), ("summary", Self.string(finding.summary)),
            ("operations", "[" + operations.joined(separator: ", ") + "]"),
            ("evidence", "[" + evidence.joined(separator: ", ") + "]"),
            ("costNs", finding.cost.map(Self.number)), ("change", Self.string(finding.advice)),
        ])
    }

    /// Members without a value are left out.
    private static func object(_ members: [(name: String, value: String?)]) -> String {
        "{" + members.compactMap { name, value in value.map { "\"\(name)\": \($0)" } }.joined(separator: ", ")
            + "}"
    }

    private static func lines(_ elements: [String]) -> String {
        elements.isEmpty ? "[]" : "[\n  " + elements.joined(separator: ",\n  ") + "]"
    }

    private static func number(_ nanoseconds: Int64) -> String { String(nanoseconds) }

    private static func string(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
