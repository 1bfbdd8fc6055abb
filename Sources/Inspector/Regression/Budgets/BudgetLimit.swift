/// The part after the name of a limit: `20ms`, `at most 10 %`, `exactly 20`.
struct BudgetLimit {
    let relation: Budget.Relation
    let amount: Budget.Amount

    /// At most 0.
    static let none = BudgetLimit(relation: .atMost, amount: .number(0))

    private static let signs: [(String, Budget.Relation)] = [
        ("at most", .atMost), ("at least", .atLeast), ("exactly", .exactly), ("<=", .atMost),
        (">=", .atLeast),
    ]

    /// Nil for any other text.
    init?(_ text: String) {
        var rest = Substring(text)
        var relation = Budget.Relation.atMost
        if let (sign, meant) = Self.signs.first(where: { text.hasPrefix($0.0) }) {
            relation = meant
            rest = rest.dropFirst(sign.count)
        }
        rest = rest.drop { $0 == " " }
        guard let amount = Self.amount(rest) else { return nil }
        self.relation = relation
        self.amount = amount
    }

    private init(relation: Budget.Relation, amount: Budget.Amount) {
        self.relation = relation
        self.amount = amount
    }

    private static func amount(_ text: Substring) -> Budget.Amount? {
        guard let first = text.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return nil
        }
        if let number = Int(text) { return .number(number) }
        if text.hasSuffix("%") {
            let digits = text.dropLast().filter { $0 != " " }
            guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
                let percent = Double(digits),
                percent.isFinite
            else { return nil }
            return .share(percent / 100)
        }
        return DurationFormat.nanoseconds(text).map { .time($0) }
    }
}
