/// What would have happened with other numbers of slots, or with faster operations: tables of replays.
public struct WhatIfReport: Sendable {
    private static let rankedKinds = 10
    static let usualSlots: [ReplaySlots] = [
        .limited(1), .limited(2), .limited(4), .limited(8), .unlimited,
    ]

    private let analysis: TraceAnalysis
    private let replay: Replay
    private let unchanged: ReplayResult
    private let drift: Double
    private let isDeadlocked: Bool
    /// Why the run did not finish; `nil` if it did.
    private let unfinished: String?

    /// Cost: one replay, nearly linear in operations and edges.
    public init(_ analysis: TraceAnalysis) {
        self.analysis = analysis
        replay = Replay(analysis)
        unchanged = replay.run()
        drift = replay.drift(of: unchanged)
        let report = UnfinishedReport(analysis)
        (isDeadlocked, unfinished) = (report.isDeadlocked, report.line)
    }

    /// The usual numbers of slots, the smallest sufficient number, and a ranking of kinds. Safe for a
    /// terminal with `width` columns.
    ///
    /// Cost: some thirty replays.
    public func overview(width: Int? = 80) -> String {
        if analysis.kinds.isEmpty { return "No operations.\n" }
        guard isMeaningful else { return fidelity(width) }
        return fidelity(width) + "\n" + slotTable(Self.usualSlots, scales: [:]).text(width: width) + "\n"
            + (analysis.kinds.unfinished == 0 ? enough + "\n" : "")
            + ranking.text(width: width)
    }

    /// Replays with these numbers of slots, and with scaled kinds. Safe for a terminal with this many
    /// columns.
    ///
    /// - Parameters:
    ///   - slots: empty for the recorded numbers.
    ///   - scales: for each kind, the factor for the execution times of its operations.
    public func scenarios(slots: [ReplaySlots], scales: [String: Double], width: Int? = 80) -> String {
        if analysis.kinds.isEmpty { return "No operations.\n" }
        guard isMeaningful else { return fidelity(width) }
        return fidelity(width) + "\n"
            + slotTable(slots.isEmpty ? [.recorded] : slots, scales: scales).text(width: width)
    }

    /// Whether the replay is close enough to the run to predict anything.
    var isMeaningful: Bool { !isDeadlocked && drift <= Replay.meaninglessDrift }

    /// How far the replay can be trusted, stated before its predictions.
    func fidelity(_ width: Int?) -> String {
        let recorded = DurationFormat.text(nanoseconds: replay.recordedMakespan)
        let replayed = DurationFormat.text(nanoseconds: unchanged.makespan)
        let times = replayed == recorded ? "the recorded \(recorded)" : "\(replayed) instead of \(recorded)"
        var lines: [String] = []
        if let cause = unfinished { lines.append("The run did not finish: \(cause).") }
        lines.append(
            "Replayed unchanged, the run takes \(times): a drift of \(DurationFormat.percent(drift)).")
        guard isMeaningful else {
            lines.append(
                (isDeadlocked
                    ? "A replay does not repeat a deadlock, so it cannot predict"
                    : "The drift is too large to predict")
                    + " the effect of more slots or faster operations.")
            return lines.map { Prose.wrapped($0, to: width) + "\n" }.joined()
        }
        if drift > Replay.tolerableDrift {
            lines.append("The drift is large; the figures below are only as exact as that.")
        }
        let count = analysis.kinds.unfinished
        if count > 0 {
            lines.append(
                "\(Prose.counted(count, "operation")) had not finished when the trace ended; "
                    + (count == 1
                        ? "if it executed, it is assumed to have finished then."
                        : "those that executed are assumed to have finished then."))
        }
        if unchanged.stuckOperations > 0 {
            let stuck = unchanged.stuckOperations
            lines.append(
                Prose.counted(stuck, "operation never finishes", "operations never finish")
                    + " in the replay.")
        }
        return lines.map { Prose.wrapped($0, to: width) + "\n" }.joined()
    }

    func slotTable(_ slots: [ReplaySlots], scales: [String: Double]) -> TextTable {
        let scaled = scales.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
        var table = TextTable(
            title: (slots == [.recorded]
                ? "With the slots that were recorded" : "With other numbers of slots in every queue")
                + (scaled.isEmpty
                    ? "" : ", \(TerminalText.shortened(scaled.joined(separator: ", "), toColumns: 60))"),
            columns: [
                .word("slots"), .number("makespan"), .number("change"), .number(""), .word(""),
            ])
        for slots in slots {
            let result = replay.run(slots: slots, scales: scales)
            let isStuck = result.stuckOperations > 0
            table.rows.append([
                Self.name(of: slots), isStuck ? "-" : DurationFormat.text(nanoseconds: result.makespan),
                isStuck ? "" : difference(result), isStuck ? "" : share(result),
                isStuck
                    ? "a deadlock: "
                        + Prose.counted(
                            result.stuckOperations, "operation never finishes", "operations never finish")
                    : "",
            ])
        }
        return table
    }

    private var enough: String {
        guard let slots = replay.sufficientSlots() else {
            return "The replayed run never ends, with any number of slots.\n"
        }
        return
            "Beyond \(Prose.counted(slots, "slot")) in every queue, more slots gain at most 1 %.\n"
    }

    /// The kinds, ranked by how much time half their execution time would save.
    private var ranking: TextTable {
        var table = TextTable(
            title: "If one kind of operation were faster, with the slots that were recorded",
            columns: [
                .name("kind"), .number("count"), .number("10 % faster"), .number(""), .number("50 % faster"),
                .number(""),
            ])
        let rows = analysis.kinds.prefix(Self.rankedKinds).enumerated().map { position, kind in
            (
                position: position, kind: kind, tenth: replay.run(scales: [kind.name: 0.9]),
                half: replay.run(scales: [kind.name: 0.5])
            )
        }
        for row in rows.sorted(by: { ($0.half.makespan, $0.position) < ($1.half.makespan, $1.position) }) {
            table.rows.append([
                row.kind.name, Prose.grouped(row.kind.count), difference(row.tenth), share(row.tenth),
                difference(row.half), share(row.half),
            ])
        }
        return table
    }

    /// Compared with the unchanged replay, so that the replay's drift cancels out.
    private func difference(_ result: ReplayResult) -> String {
        let difference = result.makespan - unchanged.makespan
        return (difference > 0 ? "+" : "") + DurationFormat.text(nanoseconds: difference)
    }

    private func share(_ result: ReplayResult) -> String {
        guard unchanged.makespan > 0 else { return "" }
        let share = Double(result.makespan - unchanged.makespan) / Double(unchanged.makespan)
        return (share > 0 ? "+" : "") + DurationFormat.percent(share)
    }

    private static func name(of slots: ReplaySlots) -> String {
        switch slots {
        case .recorded: "as recorded"
        case .limited(let limit): Prose.grouped(limit)
        case .unlimited: "unlimited"
        }
    }
}
