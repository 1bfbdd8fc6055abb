import InspectorColumns

/// What would have happened with other numbers of slots, or with faster operations: tables of replays.
public struct WhatIfReport: Sendable {
    private static let rankedKinds = 10
    /// Less than this part of the run is not mentioned.
    private static let noteworthy = 0.01
    private static let rankedQueues = 10
    private static var usualScenarios: [ReplayScenario] {
        [ReplaySlots.limited(1), .limited(2), .limited(4), .limited(8), .unlimited].map { slots in
            alone(ReplayScenario(slots: slots))
        }
    }

    private let analysis: TraceAnalysis
    private let replay: Replay
    private let unchanged: ReplayResult
    /// Without other threads on the processors. Changes are relative to this.
    private let basis: ReplayResult
    private let drift: Double
    private let isDeadlocked: Bool
    /// Whether the run hung for a noticeable part of it: a replay does not know when it would have ended.
    private let isStandingStill: Bool
    /// Why the run did not finish; `nil` if it did.
    private let unfinished: String?

    /// Cost: two replays, nearly linear in operations and edges.
    public init(_ analysis: TraceAnalysis) {
        self.analysis = analysis
        replay = Replay(analysis)
        unchanged = replay.run()
        basis = replay.recordedProcessors == nil ? unchanged : replay.run(Self.alone(ReplayScenario()))
        drift = replay.drift(of: unchanged)
        let report = UnfinishedReport(analysis)
        (isDeadlocked, unfinished) = (report.isDeadlocked, report.line)
        isStandingStill = report.isStandingStill
    }

    /// The usual numbers of slots, the smallest sufficient number, and a ranking of kinds. Safe for a
    /// terminal with `width` columns.
    ///
    /// Cost: some sixty replays.
    public func overview(width: Int? = 80) -> String {
        if analysis.kinds.isEmpty { return "No operations.\n" }
        guard isMeaningful else { return fidelity(width) }
        let bounds = boundTable(width)
        let table = WhatIfTable(Self.usualScenarios, replay, basis: basis, queues: analysis.trace.queues)
        // Ranges have no single number of slots that is enough.
        let isDecided = analysis.kinds.unfinished == 0 && !table.hasRanges
        return fidelity(width) + "\n" + text(table, width) + "\n"
            + (isDecided ? enough + "\n" : "")
            + (bounds.isEmpty ? "" : bounds + "\n") + ranking.text(width: width)
    }

    /// Replays these scenarios. Safe for a terminal with this many columns.
    public func scenarios(_ scenarios: [ReplayScenario], width: Int? = 80) -> String {
        if analysis.kinds.isEmpty { return "No operations.\n" }
        guard isMeaningful else { return fidelity(width) }
        let table = WhatIfTable(
            scenarios.map(Self.alone), replay, basis: basis, queues: analysis.trace.queues)
        return fidelity(width) + "\n" + text(table, width)
    }

    /// The same without other threads on the processors.
    private static func alone(_ scenario: ReplayScenario) -> ReplayScenario {
        var scenario = scenario
        scenario.isAlone = true
        return scenario
    }

    private func text(_ table: WhatIfTable, _ width: Int?) -> String {
        table.table.text(width: width)
            + (table.hasRanges ? "\n" + Prose.wrapped(Self.poolNote, to: width) + "\n" : "")
    }

    private static let poolNote = "For another number of threads: --pool."

    /// Whether the replay is close enough to the run to predict anything.
    var isMeaningful: Bool { !isDeadlocked && !isStandingStill && drift <= Replay.meaninglessDrift }

    /// How far the replay can be trusted, stated before its predictions.
    func fidelity(_ width: Int?) -> String {
        let recorded = DurationFormat.text(nanoseconds: replay.recordedMakespan)
        let replayed = DurationFormat.text(nanoseconds: unchanged.makespan)
        let times = replayed == recorded ? "the recorded \(recorded)" : "\(replayed) instead of \(recorded)"
        var lines: [String] = []
        if let cause = unfinished { lines.append("The run did not finish: \(cause).") }
        if isStandingStill || isDeadlocked {
            lines.append(
                "It is not known when it would have, so nothing can be predicted of more slots or faster "
                    + "operations.")
            return lines.map { Prose.wrapped($0, to: width) + "\n" }.joined()
        }
        let place = replay.recordedProcessors.map { " on \(Prose.counted($0, "CPU"))" } ?? ""
        let error = DurationFormat.percent(drift)
        guard isMeaningful else {
            lines.append(
                "Replayed unchanged\(place), the run takes \(times): a replay error of \(error), too large "
                    + "to predict the effect of more slots or faster operations.")
            return lines.map { Prose.wrapped($0, to: width) + "\n" }.joined()
        }
        let basisTime = DurationFormat.text(nanoseconds: basis.makespan)
        let reference =
            if replay.difference(basis, from: unchanged) < -Self.noteworthy {
                "\(basisTime): the run\(place) without other load (recorded: \(recorded), replay error "
                    + "\(error))"
            } else if replayed == recorded {
                "the recorded \(recorded)\(place) (replay error \(error))"
            } else {
                "\(replayed): the replayed run\(place) (recorded: \(recorded), replay error \(error))"
            }
        lines.append("Predictions are relative to \(reference).")
        if drift > Replay.tolerableDrift {
            lines.append("Smaller differences than the replay error prove nothing.")
        }
        if let share = replay.unmeasuredShare, share > Self.noteworthy {
            lines.append(
                "\(DurationFormat.percent(share)) of the execution time is unmeasured. "
                    + "It takes as long in a replay, and no CPU.")
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

    /// The rows of the usual numbers of slots; empty if a replay means nothing.
    var usualRows: [[String]] {
        isMeaningful ? WhatIfTable.rows(Self.usualScenarios, replay, basis: basis) : []
    }

    private func boundTable(_ width: Int?) -> String {
        let queues = analysis.trace.queues
        let bounds = replay.bounds(of: busiestQueues)
        if bounds.isEmpty { return "" }
        var table = TextTable(
            title: "Which limit to raise first, and how much sooner the queue would then be done",
            columns: [
                .name("queue"), .word("bound by"), .number("threads"), .number("slots"), .number("CPUs"),
                .number("blocking"),
            ])
        for bound in bounds {
            table.rows.append(
                [queues[bound.queue].displayName, Self.name(of: bound.cause)]
                    + [bound.threads, bound.slots, bound.processors, bound.blocking].map {
                        WhatIfTable.share(-$0)
                    })
        }
        return table.text(width: width)
    }

    /// By total execution time.
    private var busiestQueues: [Int] {
        let timings = analysis.timings
        var totals = [Int64](repeating: 0, count: analysis.trace.queues.count)
        let queues = analysis.trace.operations.store.columns.queues
        for index in timings.lifelines.indices where totals.indices.contains(Int(queues[index])) {
            let execution = timings.waits[index]?.execution ?? 0
            totals[Int(queues[index])] = totals[Int(queues[index])].saturatingAdd(execution)
        }
        return totals.indices.filter { totals[$0] > 0 }.sorted { (totals[$1], $0) < (totals[$0], $1) }
            .prefix(Self.rankedQueues).map { $0 }
    }

    private static func name(of cause: QueueBound.Cause) -> String {
        switch cause {
        case .slots: "slots"
        case .threads: "threads"
        case .processors: "CPUs"
        case .slotsAndProcessors: "slots and CPUs"
        case .blocking: "blocking"
        case .work: "its own work"
        }
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
        func result(_ kind: String, _ factor: Double) -> ReplayResult {
            replay.run(Self.alone(ReplayScenario(scales: [kind: factor])))
        }
        let rows = analysis.kinds.prefix(Self.rankedKinds).enumerated().map { position, kind in
            (position: position, kind: kind, tenth: result(kind.name, 0.9), half: result(kind.name, 0.5))
        }
        for row in rows.sorted(by: { ($0.half.makespan, $0.position) < ($1.half.makespan, $1.position) }) {
            let kind = [row.kind.name, Prose.grouped(row.kind.count)]
            table.rows.append(
                kind
                    + [row.tenth, row.half].flatMap { result in
                        [
                            WhatIfTable.change(result.makespan - basis.makespan),
                            WhatIfTable.share(replay.difference(result, from: basis)),
                        ]
                    })
        }
        return table
    }
}
