import InspectorColumns

/// The makespans of some scenarios, a row each.
struct WhatIfTable {
    private(set) var table: TextTable
    /// Whether some makespans depend on how many threads there would be. A column shows each case.
    let hasRanges: Bool

    init(_ rows: [WhatIfReport.Row], _ predictions: Predictions, _ queues: [TracedQueue]) {
        hasRanges = rows.contains { $0.prediction.isKnown && Self.isRange($0.prediction) }
        let hasProcessors = rows.contains { $0.scenario.processors != .recorded }
        let pool = Self.pool(rows, predictions)
        let times: [TextTable.Column] =
            hasRanges
            ? [
                .number("with \(pool)"), .number(""), .number("with a thread for each slot"), .number(""),
            ] : [.number("makespan"), .number("change"), .number("")]
        table = TextTable(
            title: Self.title(rows.map(\.scenario), queues),
            columns: [.word("slots")] + (hasProcessors ? [.word("CPUs")] : []) + times + [.word("")])
        for row in rows {
            let slots = Self.name(of: row, predictions)
            let names = hasProcessors ? [slots, Self.name(of: row.scenario.processors)] : [slots]
            var cells = Self.cells(row.prediction, predictions, hasColumns: hasRanges)
            if cells.count < times.count + 1 {
                cells = ["-"] + times.dropFirst().map { _ in "" } + cells
            }
            table.rows.append(names + cells)
        }
    }

    /// A row for each scenario, with a range in one cell.
    static func cells(of rows: [WhatIfReport.Row], _ predictions: Predictions) -> [[String]] {
        rows.map { row in
            let cells = cells(row.prediction, predictions, hasColumns: false)
            return [name(of: row, predictions)] + (cells.count == 1 ? ["-", "", ""] + cells : cells)
        }
    }

    /// The makespans and a note; or the note alone.
    private static func cells(
        _ prediction: Prediction, _ predictions: Predictions, hasColumns: Bool
    ) -> [String] {
        if let note = note(prediction) { return [note] }
        func cells(_ makespan: Int64) -> [String] {
            [DurationFormat.text(nanoseconds: makespan)]
                + changes(from: predictions.recorded, to: makespan)
        }
        if hasColumns {
            return [prediction.pool, prediction.threads].map(cells).flatMap { [$0[0], $0[2]] } + [""]
        }
        let ends = [prediction.range.lowerBound, prediction.range.upperBound].map(cells)
        return zip(ends[0], ends[1]).map { $0 == $1 ? $0 : "\($0) to \($1)" } + [""]
    }

    /// Why the makespan is unknown; nil if it is known.
    static func note(_ prediction: Prediction) -> String? {
        let stuck = prediction.stuckOperations
        if stuck > 0 {
            let count = Prose.counted(stuck, "operation never finishes", "operations never finish")
            return "a deadlock: \(count)"
        }
        if prediction.isKnown { return nil }
        if prediction.isBoundByQuota { return "not known: limited by the quota of CPU time" }
        let ends = [prediction.range.lowerBound, prediction.range.upperBound]
            .map { DurationFormat.text(nanoseconds: $0) }
        return "not known: \(ends[0]) to \(ends[1]), by the number of threads"
    }

    private static func isRange(_ prediction: Prediction) -> Bool {
        DurationFormat.text(nanoseconds: prediction.pool)
            != DurationFormat.text(nanoseconds: prediction.threads)
    }

    private static func pool(_ rows: [WhatIfReport.Row], _ predictions: Predictions) -> String {
        guard rows.allSatisfy({ $0.scenario.processors == .recorded }), let count = predictions.processors
        else { return "a thread for each CPU" }
        return Prose.counted(count, "thread")
    }

    /// How much longer a makespan is than the recorded one: the time, and the share of that.
    static func changes(from recorded: Int64, to makespan: Int64) -> [String] {
        let difference = makespan - recorded
        return [
            (difference > 0 ? "+" : "") + DurationFormat.text(nanoseconds: difference),
            share(Makespans.change(from: recorded, to: makespan)),
        ]
    }

    static func share(_ share: Double) -> String {
        (share > 0 ? "+" : "") + DurationFormat.percent(share == 0 ? 0 : share)
    }

    private static func title(_ scenarios: [ReplayScenario], _ queues: [TracedQueue]) -> String {
        guard let first = scenarios.first else { return "" }
        let isRecorded = scenarios.allSatisfy { $0.slots == .recorded }
        var changes = first.slotsOfQueues.sorted { $0.key < $1.key }.map { queue, slots in
            let name = queues.indices.contains(queue) ? queues[queue].displayName : ""
            return "\(name): \(Self.slots(slots))"
        }
        switch first.pool {
        case .recorded: break
        case .limited(let limit): changes.append("a pool of \(Prose.counted(limit, "thread"))")
        case .unlimited: changes.append("a thread for each slot")
        }
        changes += first.scales.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
        return
            (isRecorded
            ? "With the slots that were recorded" : "With other numbers of slots in every queue")
            + (changes.isEmpty
                ? "" : ", \(TerminalText.shortened(changes.joined(separator: ", "), toColumns: 60))")
    }

    private static func slots(_ slots: ReplaySlots) -> String {
        if case .limited(let limit) = slots { return Prose.counted(limit, "slot") }
        return "\(name(of: slots)) slots"
    }

    private static func name(of row: WhatIfReport.Row, _ predictions: Predictions) -> String {
        let name = name(of: row.scenario.slots)
        return row.prediction.isRecorded && row.scenario.slots != .recorded ? "\(name) (recorded)" : name
    }

    private static func name(of slots: ReplaySlots) -> String {
        switch slots {
        case .recorded: "as recorded"
        case .limited(let limit): Prose.grouped(limit)
        case .unlimited: "unlimited"
        }
    }

    private static func name(of processors: ReplayProcessors) -> String {
        switch processors {
        case .recorded: "as recorded"
        case .limited(let limit): Prose.grouped(limit)
        case .unlimited: "unlimited"
        }
    }
}
