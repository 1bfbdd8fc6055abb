extension BudgetReport {
    /// GitHub workflow commands: an annotation for each broken budget, at its line of the file.
    public var annotations: String {
        let broken = cases.filter { $0.failure != nil }
        let losses =
            notes.isEmpty
            ? "" : WorkflowCommand.line("warning", "Budgets: the runs", notes.joined(separator: "\n"))
        if broken.isEmpty {
            return WorkflowCommand.line(
                isBroken ? "error" : isInconclusive ? "warning" : "notice", "Budgets", verdict) + losses
        }
        return broken.map {
            WorkflowCommand.line("error", "Budget: \($0.name)", $0.sentence, at: ($0.file, $0.line))
        }.joined() + losses
    }

    /// For programs; described in Documentation/schemas/budgets.schema.json. One object with a line for
    /// each budget, and a newline at the end. The same runs give the same bytes.
    public var json: [UInt8] {
        var header = JSONObject()
        header.add("format", "opviz-budgets")
        header.add("version", 1)
        header.add("isBroken", isBroken)
        header.add("isInconclusive", isInconclusive)
        header.add("sentence", sentence)
        header.add("runs", runs)
        header.add("notes", notes)
        var bytes = Array(header.closed.dropLast())
        bytes += ",\n \"budgets\": [".utf8
        for (index, row) in rows.enumerated() {
            bytes += (index == 0 ? "\n  " : ",\n  ").utf8
            bytes += row.closed
        }
        bytes += "\n ]}\n".utf8
        return bytes
    }

    /// An object for each budget.
    var rows: [JSONObject] {
        lines.map { line in
            var row = JSONObject()
            row.add("budget", line.budget.label)
            row.add("kind", line.budget.kind)
            row.add("queue", line.budget.queue)
            row.add("executor", line.budget.executor)
            row.add("file", file)
            row.add("line", line.budget.line)
            row.add("verdict", line.verdict.rawValue)
            row.add("relation", line.budget.relation.rawValue)
            row.add("limit", line.budget.limit)
            row.add("measured", line.result.measured)
            row.add("brokenRuns", line.broken)
            row.add("sentence", line.result.sentence)
            return row
        }
    }
}

extension JSONObject {
    /// `limitNs` for a time, `limitShare` for a share, `limitNumber` for a number.
    fileprivate mutating func add(_ name: String, _ amount: Budget.Amount?) {
        switch amount {
        case .time(let nanoseconds): add(name + "Ns", nanoseconds)
        case .share(let share): add(name + "Share", share)
        case .number(let number): add(name + "Number", number)
        case nil: break
        }
    }
}
