/// How one run kept one budget.
public struct BudgetResult: Sendable {
    /// How one run kept a budget.
    public enum Verdict: String, CaseIterable, Sendable {
        /// According to the recorded events of the run.
        case kept, broken
        /// An optional budget for operations that the run does not have.
        case unused
    }

    /// The limit, and what it applies to.
    public let budget: Budget
    /// Nil if the run has nothing to measure.
    public let measured: Budget.Amount?
    /// Whether ``measured`` is within the limit.
    public let verdict: Verdict
    /// Includes the numbers; safe for a terminal, without a full stop.
    public let sentence: String

    init(_ budget: Budget, _ value: BudgetMeasurement.Value) {
        self.budget = budget
        switch value {
        case .nothing(let reason):
            measured = nil
            verdict = budget.isOptional ? .unused : .broken
            sentence = "\(budget.label): nothing to measure, \(reason)"
        case .amount(let amount, let example):
            measured = amount
            verdict = budget.isKept(by: amount) ? .kept : .broken
            let finding =
                verdict == .broken ? example.map { "; the first: \(TerminalText.escaped($0))" } : nil
            sentence = Self.sentence(budget, amount) + (finding ?? "")
        }
    }

    private static func sentence(_ budget: Budget, _ amount: Budget.Amount) -> String {
        let subject = "\(budget.label) is \(amount.text)\(whole(budget))"
        let limit = budget.limit.text
        if budget.isKept(by: amount) {
            return "\(subject), within \(budget.relation.rawValue) \(limit)"
        }
        let way =
            switch budget.relation {
            case .exactly: "instead of \(limit)"
            case .atMost: "\(difference(amount, budget.limit))over the limit of \(limit)"
            case .atLeast: "\(difference(amount, budget.limit))under the minimum of \(limit)"
            }
        return "\(subject), \(way)"
    }

    private static func whole(_ budget: Budget) -> String {
        if case .share = budget.quantity { " of \(budget.isOfRun ? "all" : "their") lifetimes" } else { "" }
    }

    /// `310 ms `, to distinguish numbers that look alike; empty if it is not needed.
    private static func difference(_ measured: Budget.Amount, _ limit: Budget.Amount) -> String {
        guard case .time(let first) = measured, case .time(let second) = limit else { return "" }
        let difference =
            first > second
            ? first.subtractingReportingOverflow(second) : second.subtractingReportingOverflow(first)
        return DurationFormat.text(nanoseconds: difference.overflow ? .max : difference.partialValue) + " "
    }
}
