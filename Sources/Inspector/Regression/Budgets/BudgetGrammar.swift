/// Interprets each limit of a file of budgets. Documentation/Budgets.md specifies the format.
struct BudgetGrammar {
    /// More than any hand-written file has.
    private static let mostBudgets = 1_000

    private let file: String
    private(set) var budgets: [Budget] = []

    /// - Throws: `BudgetsError` with the line of the error.
    init(_ root: BudgetsItem?, named file: String) throws(BudgetsError) {
        self.file = file
        guard let root else { throw BudgetsError(.notBudgets, file: file, "holds no budgets") }
        switch root.content {
        case .list(let items):
            for item in items { try add(item) }
        case .keys, .text: try add(root)
        }
        if budgets.isEmpty { throw BudgetsError(.notBudgets, file: file, "holds no budgets") }
    }

    func error(_ line: Int, _ reason: String) -> BudgetsError {
        BudgetsError(.notBudgets, file: file, line: line, reason)
    }

    static func shortened(_ text: String) -> String {
        text.isEmpty ? "an empty string" : TerminalText.shortened(text)
    }

    /// An entry of the list: the limits of one kind, one queue, one executor or the run.
    private mutating func add(_ item: BudgetsItem) throws(BudgetsError) {
        switch item.content {
        case .list: throw error(item.line, "a list cannot contain a list; write `name: value`")
        case .text(let text):
            guard text.hasPrefix("no ") else {
                throw BudgetTerm(text) == nil
                    ? unknown(text, item.line) : error(item.line, "\(Self.shortened(text)): has no limit")
            }
            try add(
                [(text, item.line, BudgetsItem(line: item.line, content: .text("")))], Entry(line: item.line))
        case .keys(let keys): try addEntry(keys, item.line)
        }
    }

    private struct Entry {
        var kind: String?
        var queue: String?
        var executor: String?
        var isOptional = false
        let line: Int
        var isOfRun: Bool { kind == nil && queue == nil && executor == nil }
    }

    private typealias Key = (key: String, line: Int, value: BudgetsItem)

    private mutating func addEntry(_ keys: [Key], _ line: Int) throws(BudgetsError) {
        var entry = Entry(line: line)
        var limits: [Key] = []
        for key in keys {
            switch key.key {
            case "kind": entry.kind = try name(key)
            case "queue": entry.queue = try name(key)
            case "executor": entry.executor = try name(key)
            case "optional":
                switch try text(key) {
                case "true", "yes": entry.isOptional = true
                case "false", "no": entry.isOptional = false
                case let other:
                    throw error(key.line, "optional: \(Self.shortened(other)) is neither true nor false")
                }
            default: limits.append(key)
            }
        }
        if limits.isEmpty { throw error(line, "this entry has no limit") }
        if entry.isOptional && entry.isOfRun {
            throw error(line, "optional needs a kind, a queue or an executor")
        }
        if entry.executor != nil && (entry.kind != nil || entry.queue != nil) {
            throw error(line, "an executor is not limited to a kind or a queue; write two entries")
        }
        try add(limits, entry)
    }

    private mutating func add(_ limits: [Key], _ entry: Entry) throws(BudgetsError) {
        for key in limits {
            guard let term = BudgetTerm(key.key) else { throw unknown(key.key, key.line) }
            if term.isOfRunOnly && !entry.isOfRun {
                throw error(
                    key.line,
                    "\(key.key) applies to the whole run; put it into an entry of its own")
            }
            if entry.executor != nil && !term.isOfExecutors {
                throw error(key.line, "\(key.key) does not apply to an executor; concurrency and count do")
            }
            let (quantity, limit) = try meaning(term, key)
            budgets.append(
                Budget(
                    kind: entry.kind, queue: entry.queue, executor: entry.executor, quantity: quantity,
                    relation: limit.relation, limit: limit.amount, isOptional: entry.isOptional,
                    line: key.line))
            if budgets.count > Self.mostBudgets {
                throw error(key.line, "there are more than \(Prose.grouped(Self.mostBudgets)) limits")
            }
        }
    }

    private func unknown(_ key: String, _ line: Int) -> BudgetsError {
        let names = BudgetTerm.all.map(\.name) + ["kind", "queue", "executor", "optional"]
        let hint =
            NearestNames(to: key, among: names).question
            ?? "limits include makespan, critical path, p95 execution, max slot wait, "
            + "concurrency, count, no failures and no hazards"
        return error(line, "no limit named \(NearestNames.quoted(key)); \(hint)")
    }

    private func text(_ key: Key) throws(BudgetsError) -> String {
        guard case .text(let text) = key.value.content else {
            throw error(key.line, "\(Self.shortened(key.key)): needs one value, not several")
        }
        return text
    }

    private func name(_ key: Key) throws(BudgetsError) -> String {
        let name = try text(key)
        if name.isEmpty || name == "~" { throw error(key.line, "\(key.key): has no value") }
        return name
    }

    // MARK: Limits

    private func meaning(_ term: BudgetTerm, _ key: Key) throws(BudgetsError) -> (
        Budget.Quantity, BudgetLimit
    ) {
        switch term {
        case .noHazards: return (.hazards(try hazards(key)), .none)
        case .hazards: return (.hazards(Budget.HazardChoice()), try number(key))
        case .none(let ending):
            if try !["", "~", "true"].contains(text(key)) {
                throw error(
                    key.line,
                    "\(key.key): takes no value; to allow some, write `\(ending.rawValue): 2`")
            }
            return (.ended(ending), .none)
        case .ended(let ending): return (.ended(ending), try number(key))
        case .concurrency: return (.concurrency, try number(key))
        case .count: return (.count, try number(key))
        case .makespan: return (.makespan, try time(key))
        case .criticalPathLength: return (.criticalPathLength, try time(key))
        case .lifetime(let statistic): return (.lifetime(statistic), try time(key))
        case .part(let part, let statistic): return try self.part(part, statistic, key)
        }
    }

    private func part(_ part: LifetimeParts.Part, _ statistic: Budget.Statistic?, _ key: Key)
        throws(BudgetsError)
        -> (Budget.Quantity, BudgetLimit)
    {
        let limit = try limit(key, "a time such as 20ms, or a share such as 10%")
        if case .share(let share) = limit.amount, share > 1 {
            throw error(
                key.line,
                "\(key.key): \(Self.shortened(try text(key))) is more than 100%")
        }
        switch (limit.amount, statistic) {
        case (.time, let statistic?): return (.part(part, statistic), limit)
        case (.share, nil), (.share, .max), (.share, .total): return (.share(part), limit)
        case (.share, _):
            throw error(
                key.line, "\(key.key): a share refers to all lifetimes together; write `\(part.label): …%`")
        case (.time, nil):
            throw error(key.line, "\(key.key): expected a statistic; write max, p95, mean or total before it")
        case (.number, _): throw withoutUnit(key)
        }
    }

    private func time(_ key: Key) throws(BudgetsError) -> BudgetLimit {
        let limit = try limit(key, "a time such as 20ms")
        switch limit.amount {
        case .time: return limit
        case .number: throw withoutUnit(key)
        case .share:
            throw error(
                key.line,
                "\(key.key): expected a time such as 20ms, not a share")
        }
    }

    private func number(_ key: Key) throws(BudgetsError) -> BudgetLimit {
        let limit = try limit(key, "a whole number")
        guard case .number = limit.amount else {
            throw error(key.line, "\(key.key): needs a whole number, not \(Self.shortened(try text(key)))")
        }
        return limit
    }

    private func withoutUnit(_ key: Key) -> BudgetsError {
        error(key.line, "\(key.key): has no unit; use ns, us, ms, s, min or h")
    }

    private func limit(_ key: Key, _ wanted: String) throws(BudgetsError) -> BudgetLimit {
        let text = try text(key)
        if text.isEmpty || text == "~" {
            throw error(key.line, "\(key.key): has no value; it needs \(wanted)")
        }
        guard let limit = BudgetLimit(text) else {
            throw error(key.line, "\(key.key): \(Self.shortened(text)) is not \(wanted)")
        }
        return limit
    }
}
