import EventLog
import InspectorColumns

/// What would have happened with other numbers of slots, or with faster operations: tables of predictions.
public struct WhatIfReport: Sendable {
    private static let mostRanked = 10
    /// Each row of a ranking takes two or three replays. Of large traces, fewer rows are shown: at most so
    /// many operations are replayed for a ranking, but for three rows in any trace.
    private static let mostReplayed = 6_000_000
    private static let usualSlots = [
        ReplaySlots.limited(1), .limited(2), .limited(4), .limited(8), .unlimited,
    ]

    struct Row: Sendable {
        let scenario: ReplayScenario
        let prediction: Prediction
    }

    let analysis: TraceAnalysis
    let predictions: Predictions
    /// What was asked for; empty for an overview.
    private let scenarios: [ReplayScenario]
    var isOverview: Bool { scenarios.isEmpty }
    /// Why the run did not finish; `nil` if it did.
    private let unfinished: String?
    /// Nil if no Swift task ran, or if only operations were asked for.
    let tasks: WhatIfTasks?
    /// Whether only tasks were asked for, or there is nothing else.
    let isOfTasksOnly: Bool

    /// Cost: two replays, nearly linear in operations and edges.
    ///
    /// - Parameter scenarios: what to predict; none for an overview: the usual numbers of slots, the
    ///   smallest sufficient number, what bounds each queue, and a ranking of kinds.
    public init(_ analysis: TraceAnalysis, _ scenarios: [ReplayScenario] = []) {
        self.init(analysis, scenarios, tasks: [])
    }

    /// - Parameter tasks: what to predict of tasks.
    package init(_ analysis: TraceAnalysis, _ scenarios: [ReplayScenario], tasks: [TaskReplayScenario]) {
        let isOverview = scenarios.isEmpty && tasks.isEmpty
        self.tasks = isOverview || !tasks.isEmpty ? WhatIfTasks(analysis.trace, tasks) : nil
        isOfTasksOnly =
            scenarios.isEmpty && (!tasks.isEmpty || analysis.kinds.isEmpty && self.tasks != nil)
        self.analysis = analysis
        self.scenarios = scenarios
        let report = UnfinishedReport(analysis)
        predictions = Predictions(analysis, report)
        unfinished = report.line
    }

    /// Safe for a terminal with `width` columns; nil for no breaks.
    ///
    /// Cost: two replays a scenario; some forty for an overview, of large traces some twenty.
    public func text(width: Int? = 80) -> String {
        let ofTasks = tasks?.text
        let ofOperations = isOfTasksOnly ? nil : operationsText
        if ofTasks == nil, ofOperations == nil { return "No tasks.\n" }
        return WritingStyle(width: width).fitting(rows: Self.mostRanked) { style, rows in
            [ofOperations, ofTasks].compactMap { $0?(style.width, rows) }.joined(separator: "\n")
        }
    }

    /// A text of that many columns with that many rows in each ranking.
    typealias Text = (_ width: Int?, _ ranked: Int) -> String

    private var operationsText: Text {
        if analysis.kinds.isEmpty { return { _, _ in "No operations.\n" } }
        if predictions.obstacle != nil { return { width, _ in fidelity(width) } }
        let rows = self.rows
        let table = WhatIfTable(rows, predictions, analysis.trace.queues)
        func beginning(_ width: Int?) -> String {
            fidelity(width) + "\n" + table.table.text(width: width)
                + (table.hasRanges ? "\n" + Prose.wrapped(Self.poolNote, to: width) + "\n" : "")
        }
        guard isOverview else { return { width, _ in beginning(width) } }
        let (enough, bounds, ranking) = (enough(rows), boundTable, ranking)
        return { width, ranked in
            beginning(width) + "\n" + (enough.map { $0 + "\n" } ?? "")
                + (bounds.map { text(of: $0, width, ranked) + "\n" } ?? "")
                + ranking.first(ranked).text(width: width)
                + Self.others(
                    analysis.kinds.count - min(ranked, ranking.rows.count), "kind", "--scale KIND=0.5")
        }
    }

    private func text(of bounds: TextTable, _ width: Int?, _ ranked: Int) -> String {
        bounds.first(ranked).text(width: width)
            + Self.others(usedQueues.count - min(ranked, bounds.rows.count), "queue", "--slots QUEUE=NUMBER")
    }

    private static let poolNote = "For another number of threads: --pool."

    /// What was asked for, or the usual numbers of slots and the recorded one.
    var rows: [Row] {
        (isOverview ? usualScenarios : scenarios).map {
            Row(scenario: $0, prediction: predictions.predict($0))
        }
    }

    private var usualScenarios: [ReplayScenario] {
        var slots = Self.usualSlots
        let recorded = predictions.recordedSlots
        if !slots.contains(recorded) {
            func number(_ slots: ReplaySlots) -> Int {
                switch slots {
                case .recorded: 0
                case .limited(let limit): limit
                case .unlimited: .max
                }
            }
            slots.insert(recorded, at: slots.firstIndex { number($0) > number(recorded) } ?? slots.count)
        }
        return slots.map { ReplayScenario(slots: $0) }
    }

    /// Nil if nothing is concluded: operations had not finished, or the number of threads or a quota decides.
    func sufficientSlots(_ rows: [Row]) -> Int? {
        let isDecided = rows.allSatisfy {
            $0.prediction.pool == $0.prediction.threads && !$0.prediction.isBoundByQuota
        }
        guard analysis.kinds.unfinished == 0, isDecided else { return nil }
        var known: [ReplaySlots: Prediction] = [:]
        for row in rows { known[row.scenario.slots] = row.prediction }
        return predictions.sufficientSlots(known: known)
    }

    private func enough(_ rows: [Row]) -> String? {
        sufficientSlots(rows).map {
            "Beyond \(Prose.counted($0, "slot")) in every queue, more slots gain at most 1 %.\n"
        }
    }

    // MARK: How far it can be trusted

    /// How far the predictions can be trusted, stated before them.
    func fidelity(_ width: Int?) -> String {
        sentences.map { Prose.wrapped($0, to: width) + "\n" }.joined()
    }

    private var sentences: [String] {
        var sentences = unfinished.map { ["The run did not finish: \($0)."] } ?? []
        if let obstacle { return sentences + [obstacle] }
        var place = predictions.processors.map { " on \(Prose.counted($0, "CPU"))" } ?? ""
        if !place.isEmpty, let quota { place += " with a quota of \(quota)" }
        let recorded = DurationFormat.text(nanoseconds: predictions.recorded)
        sentences.append(
            "Predictions are relative to the recorded \(recorded)\(place) (replay error "
                + "\(DurationFormat.percent(predictions.drift))).")
        if let alone = predictions.withoutOtherLoad {
            sentences.append(
                "Without other load, the run would have taken \(DurationFormat.text(nanoseconds: alone)); "
                    + "predictions assume the same share of it.")
        }
        if predictions.drift > Replay.tolerableDrift {
            sentences.append("Smaller differences than the replay error prove nothing.")
        }
        if let share = predictions.unmeasuredShare, share > Predictions.noteworthy {
            sentences.append(
                "\(DurationFormat.percent(share)) of the execution time is unmeasured. "
                    + "It takes as long in a replay, and no CPU.")
        }
        let count = analysis.kinds.unfinished
        if count > 0 {
            sentences.append(
                "\(Prose.counted(count, "operation")) had not finished when the trace ended; "
                    + (count == 1
                        ? "if it executed, it is assumed to have finished then."
                        : "those that executed are assumed to have finished then."))
        }
        if predictions.unchanged.stuckOperations > 0 {
            let stuck = predictions.unchanged.stuckOperations
            sentences.append(
                Prose.counted(stuck, "operation never finishes", "operations never finish")
                    + " in the replay.")
        }
        return sentences
    }

    private var quota: String? { predictions.quotaInThousandths.map(ProcessorCount.text) }

    /// Why nothing can be predicted, and what to record instead; nil if something can.
    var obstacle: String? {
        let unknown =
            "It is not known when it would have, so nothing can be predicted of more slots or faster "
            + "operations."
        switch predictions.obstacle {
        case nil: return nil
        case .standstill: return unknown
        case .unfinished: return unknown + " Record it until every operation has finished."
        case .changedProcessors:
            let changes = analysis.trace.processes.compactMap(\.processors).compactMap { processors in
                processors.usableLater.map { (processors.usable, $0) }
            }
            let (first, later) = changes.first ?? (0, 0)
            return
                "Nothing can be predicted from this trace: the program could use "
                + "\(Prose.counted(first, "CPU")) at first and \(Prose.grouped(later)) later. Record it "
                + "again without a change of its CPU affinity."
        case .quota:
            return
                "Nothing can be predicted from this trace: a quota of \(quota ?? "") limited the program, "
                + "and a replay cannot tell how much longer the run took. Record it again without the quota."
        case .otherLoad:
            let recorded = DurationFormat.text(nanoseconds: predictions.recorded)
            let alone = DurationFormat.text(nanoseconds: predictions.withoutOtherLoad ?? 0)
            return
                "Nothing can be predicted from this trace: other programs had the CPUs; without them, the "
                + "run would have taken \(alone) instead of \(recorded). Record it again on an idle machine."
        case .drift:
            let replayed = DurationFormat.text(nanoseconds: predictions.unchanged.makespan)
            let recorded = DurationFormat.text(nanoseconds: predictions.recorded)
            let error = DurationFormat.percent(predictions.drift)
            return "Nothing can be predicted from this trace: replayed unchanged, the run takes \(replayed) "
                + "instead of \(recorded), an error of \(error). \(advice)"
        }
    }

    private var advice: String {
        guard let unmeasured = predictions.unmeasuredShare else {
            return "Record it with opviz record, which keeps when threads were on CPUs."
        }
        if unmeasured > Predictions.mostDrift {
            return
                "\(DurationFormat.percent(unmeasured)) of its execution time is unmeasured: record it where "
                + "the kernel says when threads were on CPUs."
        }
        return predictions.withoutOtherLoad == nil
            ? "Record another run of it." : "Other programs had the CPUs: record it again on an idle machine."
    }

    // MARK: Queues and kinds

    private var boundTable: TextTable? {
        let queues = analysis.trace.queues
        let bounds = self.bounds
        if bounds.isEmpty { return nil }
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
        return table
    }

    /// How many rows a ranking has, each of which takes some replays.
    private func ranked(_ replays: Int) -> Int {
        let most = Self.mostReplayed / (replays * max(1, analysis.trace.operations.count))
        return min(Self.mostRanked, max(3, most))
    }

    /// Says how many a ranking leaves out, and which option predicts one of them.
    static func others(_ count: Int, _ noun: String, _ option: String) -> String {
        count > 0 ? "\n\(Prose.counted(count, "more \(noun)")): \(option)\n" : ""
    }

    var bounds: [QueueBound] { predictions.bounds(of: usedQueues.prefix(ranked(3))) }

    /// Also of traces that do not say when threads were on processors.
    var causesOfBounds: [Int: QueueBound.Cause] {
        predictions.causesOfBounds(of: usedQueues.prefix(ranked(3)))
    }

    /// By total execution time.
    private var usedQueues: [Int] {
        let timings = analysis.timings
        var totals = [Int64](repeating: 0, count: analysis.trace.queues.count)
        let queues = analysis.trace.operations.store.columns.queues
        for index in timings.transitions.indices where totals.indices.contains(Int(queues[index])) {
            let execution = timings.waits[index]?.execution ?? 0
            totals[Int(queues[index])] = totals[Int(queues[index])].saturatingAdd(execution)
        }
        return totals.indices.filter { totals[$0] > 0 }.sorted { (totals[$1], $0) < (totals[$0], $1) }
    }

    static func name(of cause: QueueBound.Cause) -> String {
        switch cause {
        case .slots: "slots"
        case .threads: "threads"
        case .processors: "CPUs"
        case .slotsAndProcessors: "slots and CPUs"
        case .blocking: "blocking"
        case .work: "its own work"
        }
    }

    struct Kind {
        let kind: GroupTiming
        /// Makespans, in nanoseconds, if its executions took a tenth less and half as long.
        let tenth, half: Int64
    }

    /// How many kinds are not among ``kinds``.
    var otherKinds: Int { max(0, analysis.kinds.count - ranked(2)) }

    /// The kinds with the longest executions, by how much time half of these would save.
    var kinds: [Kind] {
        let kinds = analysis.kinds.prefix(ranked(2)).map { kind in
            Kind(
                kind: kind, tenth: predictions.makespan(scaling: kind.name, by: 0.9),
                half: predictions.makespan(scaling: kind.name, by: 0.5))
        }
        return kinds.enumerated().sorted {
            ($0.element.half, $0.offset) < ($1.element.half, $1.offset)
        }.map(\.element)
    }

    private var ranking: TextTable {
        var table = TextTable(
            title: "If one kind of operation were faster, with the slots that were recorded",
            columns: [
                .name("kind"), .number("count"), .number("10 % faster"), .number(""), .number("50 % faster"),
                .number(""),
            ])
        for row in kinds {
            let kind = [row.kind.name, Prose.grouped(row.kind.count)]
            table.rows.append(
                kind
                    + [row.tenth, row.half].flatMap {
                        WhatIfTable.changes(from: predictions.recorded, to: $0)
                    })
        }
        return table
    }
}

extension WhatIfReport: Writable {
    package static var renderers: [Renderer<WhatIfReport>] {
        [
            Renderer(.text, text: { $0.text(width: $1.width) }),
            Renderer(.json, bytes: { report, _ in report.json }),
        ]
    }
}
