/// The makespans of some scenarios, a row each.
struct WhatIfTable {
    private(set) var table: TextTable
    /// Whether some makespans are known only as ranges.
    private(set) var hasRanges = false

    /// - Parameter basis: what changes are relative to.
    init(_ scenarios: [ReplayScenario], _ replay: Replay, basis: ReplayResult, queues: [TracedQueue]) {
        let hasProcessors = scenarios.contains { $0.processors != .recorded }
        var columns: [TextTable.Column] = [
            .word("slots"), .number("makespan"), .number("change"), .number(""), .word(""),
        ]
        if hasProcessors { columns.insert(.word("CPUs"), at: 1) }
        table = TextTable(title: Self.title(scenarios, queues), columns: columns)
        for scenario in scenarios {
            let range = replay.range(scenario)
            let slots = Self.name(of: scenario.slots)
            var cells = hasProcessors ? [slots, Self.name(of: scenario.processors)] : [slots]
            let stuck = max(range.shortest.stuckOperations, range.longest.stuckOperations)
            if stuck > 0 {
                let count = Prose.counted(stuck, "operation never finishes", "operations never finish")
                cells += ["-", "", "", "a deadlock: \(count)"]
            } else {
                let results = [range.shortest, range.longest]
                let makespans = results.map { DurationFormat.text(nanoseconds: $0.makespan) }
                if makespans[0] != makespans[1] { hasRanges = true }
                cells += [
                    Self.range(makespans),
                    Self.range(results.map { Self.change($0.makespan - basis.makespan) }),
                    Self.range(results.map { Self.share(replay.difference($0, from: basis)) }), "",
                ]
            }
            table.rows.append(cells)
        }
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
