/// The makespans of some scenarios, a row each.
struct WhatIfTable {
    private(set) var table: TextTable
    /// Whether some makespans are known only as ranges: from a thread for each slot to a pool of as many
    /// threads as CPUs. A column shows each end.
    private(set) var hasRanges = false

    /// - Parameter basis: what changes are relative to.
    init(_ scenarios: [ReplayScenario], _ replay: Replay, basis: ReplayResult, queues: [TracedQueue]) {
        let ranges = scenarios.map { replay.range($0) }
        let hasRanges = ranges.contains { Self.isRange($0) }
        self.init(scenarios, ranges, hasColumns: hasRanges, replay, basis, queues)
    }

    /// A row for each scenario, with a range in one cell.
    static func rows(
        _ scenarios: [ReplayScenario], _ replay: Replay, basis: ReplayResult
    ) -> [[String]] {
        let ranges = scenarios.map { replay.range($0) }
        return Self(scenarios, ranges, hasColumns: false, replay, basis, []).table.rows
    }

    private init(
        _ scenarios: [ReplayScenario], _ ranges: [ReplayRange], hasColumns: Bool, _ replay: Replay,
        _ basis: ReplayResult, _ queues: [TracedQueue]
    ) {
        hasRanges = hasColumns
        let hasProcessors = scenarios.contains { $0.processors != .recorded }
        let pool = Self.pool(scenarios, replay)
        var columns: [TextTable.Column] =
            hasColumns
            ? [
                .word("slots"), .number("with \(pool)"), .number(""), .number("with a thread for each slot"),
                .number(""), .word(""),
            ] : [.word("slots"), .number("makespan"), .number("change"), .number(""), .word("")]
        if hasProcessors { columns.insert(.word("CPUs"), at: 1) }
        table = TextTable(title: Self.title(scenarios, queues), columns: columns)
        for (scenario, range) in zip(scenarios, ranges) {
            let slots = Self.name(of: scenario.slots)
            var cells = hasProcessors ? [slots, Self.name(of: scenario.processors)] : [slots]
            let stuck = max(range.shortest.stuckOperations, range.longest.stuckOperations)
            if stuck > 0 {
                let count = Prose.counted(stuck, "operation never finishes", "operations never finish")
                cells += ["-", "", ""] + (hasColumns ? [""] : []) + ["a deadlock: \(count)"]
            } else if hasColumns {
                for end in [range.pool, range.threads] {
                    cells += [
                        DurationFormat.text(nanoseconds: end.makespan),
                        Self.share(replay.difference(end, from: basis)),
                    ]
                }
                cells.append("")
            } else {
                let results = [range.shortest, range.longest]
                let makespans = results.map { DurationFormat.text(nanoseconds: $0.makespan) }
                cells += [
                    Self.range(makespans),
                    Self.range(results.map { Self.change($0.makespan - basis.makespan) }),
                    Self.range(results.map { Self.share(replay.difference($0, from: basis)) }), "",
                ]
            }
            table.rows.append(cells)
        }
    }

    private static func isRange(_ range: ReplayRange) -> Bool {
        DurationFormat.text(nanoseconds: range.shortest.makespan)
            != DurationFormat.text(nanoseconds: range.longest.makespan)
    }

    private static func pool(_ scenarios: [ReplayScenario], _ replay: Replay) -> String {
        guard scenarios.allSatisfy({ $0.processors == .recorded }), let count = replay.recordedProcessors
        else { return "a thread for each CPU" }
        return Prose.counted(count, "thread")
    }

    static func change(_ difference: Int64) -> String {
        (difference > 0 ? "+" : "") + DurationFormat.text(nanoseconds: difference)
    }

    static func share(_ share: Double) -> String {
        (share > 0 ? "+" : "") + DurationFormat.percent(share == 0 ? 0 : share)
    }

    private static func range(_ ends: [String]) -> String {
        ends[0] == ends[1] ? ends[0] : "\(ends[0]) to \(ends[1])"
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
