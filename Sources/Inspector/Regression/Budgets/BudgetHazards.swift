extension BudgetGrammar {
    /// The part after `no hazards`: nothing, a severity, a list of rules, or keys.
    func hazards(_ key: (key: String, line: Int, value: BudgetsItem)) throws(BudgetsError)
        -> Budget.HazardChoice
    {
        var choice = Budget.HazardChoice()
        switch key.value.content {
        case .text(let text):
            if !["", "~", "true"].contains(text) { choice.least = try severity(text, key.line) }
        case .list:
            choice.only = try rules(key.value)
            choice.least = .note
        case .keys(let keys):
            for part in keys {
                switch part.key {
                case "at least":
                    guard case .text(let text) = part.value.content else {
                        throw error(part.line, "at least: needs note, warning or error")
                    }
                    choice.least = try severity(text, part.line)
                case "only": choice.only = try rules(part.value)
                case "except": choice.except = try rules(part.value)
                default:
                    throw error(
                        part.line,
                        "\(Self.shortened(part.key)): unknown key; use `at least`, `only` or `except`"
                    )
                }
            }
        }
        return choice
    }

    private func severity(_ text: String, _ line: Int) throws(BudgetsError) -> HazardSeverity {
        if let severity = HazardSeverity(rawValue: text) { return severity }
        let known = HazardSeverity.allCases.map(\.rawValue)
        throw error(
            line,
            "no severity named \(NearestNames.quoted(text))"
                + NearestNames.hint(to: text, among: known, "severity", "severities"))
    }

    /// One rule, or several.
    private func rules(_ item: BudgetsItem) throws(BudgetsError) -> Set<String> {
        let known = HazardReport.allRules.map(\.name)
        let items = if case .list(let items) = item.content { items } else { [item] }
        var rules: Set<String> = []
        for item in items {
            guard case .text(let rule) = item.content else {
                throw error(item.line, "expected the name of a rule")
            }
            guard known.contains(rule) else {
                throw error(item.line, HazardReport.unknownRule(rule))
            }
            rules.insert(rule)
        }
        return rules
    }
}
