import InspectorColumns

// Findings are numbered among all findings of a trace, so that a number means the same whatever is shown.

extension HazardReport {
    /// The numbers go from 1 to this.
    package var findingCount: Int { groups.reduce(0) { $0 + $1.findings.count } }

    /// The finding that `finding:3` names; nil if the report does not have it.
    package func finding(_ number: Int) -> HazardFinding? {
        groups.lazy.flatMap(\.findings).first { $0.number == number }
    }

    /// The sentence for a handle of a finding that the report does not have.
    package func unknown(_ handle: Handle) -> String {
        UnknownHandle(handle, numbers: findingCount).description
    }

    /// Only this finding, of a report that has it.
    package func only(finding number: Int) -> HazardReport {
        var report = self
        report.isOfOneFinding = true
        report.groups = groups.compactMap { group in
            var group = group
            group.findings = group.findings.filter { $0.number == number }
            (group.omitted, group.cost) = (0, group.findings.first?.cost)
            return group.findings.isEmpty ? nil : group
        }
        (report.hidden, report.undecided) = ([:], [])
        report.rules = rules.filter { rule in report.groups.contains { $0.rule == rule } }
        return report
    }

    /// Only what was found at a severity or above.
    package func only(atLeast leastSeverity: HazardSeverity) -> HazardReport {
        var report = self
        report.hide(below: leastSeverity)
        return report
    }

    /// The findings of some rules, with the numbers that they have among those of all. What another rule
    /// explains there has no number: it is not among them.
    package func numbered(like all: HazardReport) -> HazardReport {
        var report = self
        for group in report.groups.indices {
            let known = all.groups.filter { $0.rule == report.groups[group].rule }.flatMap(\.findings)
            for finding in report.groups[group].findings.indices {
                let own = report.groups[group].findings[finding]
                report.groups[group].findings[finding].number =
                    known.first { $0.summary == own.summary && $0.operations == own.operations }?.number
            }
        }
        return report
    }

    mutating func number() {
        var count = 0
        for group in groups.indices {
            for finding in groups[group].findings.indices {
                count += 1
                groups[group].findings[finding].number = count
            }
        }
    }

    mutating func hide(below leastSeverity: HazardSeverity) {
        for group in groups where group.severity < leastSeverity {
            hidden[group.severity, default: 0] += group.count
        }
        groups.removeAll { $0.severity < leastSeverity }
    }
}
