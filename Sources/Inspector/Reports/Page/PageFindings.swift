/// The findings of `lint`, for a page.
struct PageFindings {
    private static let mostFindings = 500

    let report: HazardReport

    /// Indices into the trace's operations: the operations of findings.
    var operations: [Int] { report.groups.flatMap { $0.findings.flatMap(\.operations) } }

    func object(_ selection: PageSelection) -> JSONObject {
        var findings: [JSONObject] = []
        var left = 0
        for group in report.groups {
            for finding in group.findings {
                if findings.count < Self.mostFindings {
                    findings.append(object(finding, of: group, selection))
                } else {
                    left += 1
                }
            }
            left += group.omitted
        }
        var object = JSONObject()
        object.add("findings", findings)
        object.add("omitted", left)
        object.add("counts", report.counts)
        object.add("rules", report.decidedRules)
        object.add(
            "undecided", report.undecided.map { "\($0.rule): \(MarkupText.visible($0.reason))" })
        return object
    }

    private func object(
        _ finding: HazardFinding, of group: HazardReport.Group, _ selection: PageSelection
    ) -> JSONObject {
        var object = JSONObject()
        object.add("rule", group.rule)
        object.add("handle", finding.number.map { "finding:\($0)" })
        object.add("severity", finding.severity.rawValue)
        object.add("summary", MarkupText.visible(finding.summary))
        object.add("operations", finding.operations.compactMap { selection.position(of: $0) })
        object.add(
            "times", finding.evidence.map { $0.time.map { DurationFormat.text(nanoseconds: $0) } ?? "" })
        object.add("evidence", finding.evidence.map { MarkupText.visible($0.text) })
        object.add("cost", finding.cost)
        object.add("advice", MarkupText.visible(finding.advice))
        return object
    }
}
