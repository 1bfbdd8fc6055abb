import EventLog
import InspectorColumns

/// What would have happened to Swift tasks with other numbers of threads, or with faster tasks or actors.
struct WhatIfTasks: Sendable {
    private static let ranked = 10
    private static let longestFunction = 60
    private static let usualThreads = [1, 2, 4, 8]

    struct Row: Sendable {
        let threads: ReplayProcessors
        let isRecorded: Bool
        let prediction: TaskReplayResult
    }

    struct Actor: Sendable {
        let name: String
        let runs: Int
        /// Makespans, in nanoseconds, if its tasks ran half as long there, and if it ran several at once.
        let half, split: Int64
    }

    struct Kind: Sendable {
        let name: String
        let count: Int
        /// Makespans, in nanoseconds, if its tasks ran a tenth less and half as long.
        let tenth, half: Int64
    }

    struct Function: Sendable {
        let place: AwaitPlaces.Place
        /// The makespan, in nanoseconds, if each task awaited everything at once there.
        let makespan: Int64
    }

    let predictions: TaskPredictions
    private let trace: Trace
    /// What was asked for; empty for an overview.
    private let scenarios: [TaskReplayScenario]
    var isOverview: Bool { scenarios.isEmpty }

    /// Nil if no task ran. Cost: two replays.
    init?(_ trace: Trace, _ scenarios: [TaskReplayScenario]) {
        guard let predictions = TaskPredictions(trace) else { return nil }
        self.predictions = predictions
        self.trace = trace
        self.scenarios = scenarios
    }

    // MARK: Figures

    /// What was asked for, or the usual numbers of threads and the recorded one.
    var rows: [Row] {
        let recorded = predictions.recordedThreads
        let usual = Set(Self.usualThreads + [recorded]).sorted().map { ReplayProcessors.limited($0) }
        let scenarios =
            isOverview
            ? (usual + [.unlimited]).map { pool in
                var scenario = TaskReplayScenario()
                scenario.pool = pool
                return scenario
            } : self.scenarios
        return scenarios.map { scenario in
            let isRecorded = scenario.pool == .limited(recorded) || scenario.pool == .recorded
            return Row(
                threads: scenario.pool, isRecorded: isRecorded, prediction: predictions.predict(scenario))
        }
    }

    private struct ActorRuns {
        /// By the name of the actor's type.
        var executors: [String: Set<Int>] = [:]
        var counts: [String: Int] = [:]
    }

    private var actorRuns: ActorRuns {
        let tasks = trace.tasks
        var runs = ActorRuns()
        for run in tasks.runs where run.executor >= 0 {
            let executor = tasks.executors[Int(run.executor)]
            guard executor.kind == .actor else { continue }
            runs.executors[executor.name, default: []].insert(Int(run.executor))
            runs.counts[executor.name, default: 0] += 1
        }
        return runs
    }

    /// The actors, by their types, for which tasks waited or that had runs; by what splitting them gains.
    var actors: [Actor] {
        let runs = actorRuns
        let most = runs.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.ranked)
        return most.map { name, count in
            var (half, split) = (TaskReplayScenario(), TaskReplayScenario())
            for executor in runs.executors[name] ?? [] { half.executorScales[executor] = 0.5 }
            split.splitActors = runs.executors[name] ?? []
            return Actor(
                name: name, runs: count, half: predictions.predict(half).makespan,
                split: predictions.predict(split).makespan)
        }.sorted { (min($0.half, $0.split), $0.name) < (min($1.half, $1.split), $1.name) }
    }

    /// How long tasks of each kind ran.
    private var running: [Int32: Int64] {
        var running: [Int32: Int64] = [:]
        for run in trace.tasks.runs {
            let kind = trace.tasks.entries[Int(run.task)].kind
            running[kind] = (running[kind] ?? 0).saturatingAdd(run.end - run.start)
        }
        return running
    }

    /// The kinds that ran longest, by how much time half of that would save.
    var kinds: [Kind] {
        let tasks = trace.tasks
        var counts: [Int32: Int] = [:]
        for entry in tasks.entries { counts[entry.kind, default: 0] += 1 }
        let most = running.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.ranked)
        return most.map { kind, _ in
            let name = tasks.kinds[Int(kind)]
            func makespan(_ factor: Double) -> Int64 {
                var scenario = TaskReplayScenario()
                scenario.scales[name] = factor
                return predictions.predict(scenario).makespan
            }
            return Kind(name: name, count: counts[kind] ?? 0, tenth: makespan(0.9), half: makespan(0.5))
        }.sorted { ($0.half, $0.name) < ($1.half, $1.name) }
    }

    /// The functions in which a task awaited one thing after the other.
    private var places: [AwaitPlaces.Place] { AwaitPlaces(trace.tasks).all.filter(\.isRepeated) }

    /// The same, by what awaiting all at once gains.
    var functions: [Function] {
        places.prefix(Self.ranked).map { place in
            var scenario = TaskReplayScenario()
            scenario.parallelFunctions = [place.texts]
            return Function(place: place, makespan: predictions.predict(scenario).makespan)
        }.sorted { ($0.makespan, $0.place.name) < ($1.makespan, $1.place.name) }
    }

    // MARK: Text

    var text: WhatIfReport.Text {
        func beginning(_ width: Int?) -> String { Prose.wrapped(fidelity, to: width) + "\n" }
        if predictions.obstacle != nil { return { width, _ in beginning(width) } }
        let threads = threadTable
        let rankings = isOverview ? rankings : []
        return { width, ranked in
            beginning(width) + "\n" + threads.text(width: width)
                + rankings.map { ranking in
                    let shown = ranking.table.first(ranked)
                    return "\n" + shown.text(width: width)
                        + WhatIfReport.others(ranking.total - shown.rows.count, ranking.noun, ranking.option)
                }.joined()
        }
    }

    private var rankings: [(table: TextTable, total: Int, noun: String, option: String)] {
        [
            (actorTable, actorRuns.counts.count, "actor", "--scale ACTOR=0.5"),
            (kindTable, running.count, "task kind", "--scale KIND=0.5"),
            (functionTable, places.count, "function", "--parallel FUNCTION"),
        ].filter { !$0.0.rows.isEmpty }
    }

    /// How far the predictions can be trusted, or why there are none.
    var fidelity: String {
        if let obstacle { return obstacle }
        let recorded = DurationFormat.text(nanoseconds: predictions.recorded)
        let threads = Prose.counted(predictions.recordedThreads, "thread")
        return
            "Predictions of tasks are relative to the recorded \(recorded) on up to \(threads) of the pool "
            + "(replay error \(DurationFormat.percent(predictions.drift))). What operations and other "
            + "threads did takes as long as it took."
    }

    var obstacle: String? {
        switch predictions.obstacle {
        case nil: return nil
        case .severalProcesses:
            return "Nothing can be predicted of tasks where several processes have some: look at each "
                + "process's trace."
        case .stuck:
            let stuck = predictions.unchanged.stuckTasks
            return "Nothing can be predicted of the tasks in this trace: "
                + Prose.counted(stuck, "task never finishes", "tasks never finish") + " in the replay."
        case .drift:
            let replayed = DurationFormat.text(nanoseconds: predictions.unchanged.makespan)
            let recorded = DurationFormat.text(nanoseconds: predictions.recorded)
            return "Nothing can be predicted of the tasks in this trace: replayed unchanged, they take "
                + "\(replayed) instead of \(recorded), an error of "
                + "\(DurationFormat.percent(predictions.drift)). Record another run."
        }
    }

    private var threadTable: TextTable {
        let isPlain = scenarios.allSatisfy(\.changesOnlyThreads)
        var table = TextTable(
            title: isPlain
                ? "With other numbers of threads in the pool of tasks"
                : "With these changes, on the threads of the pool",
            columns: [
                .word("threads"), .number("makespan"), .number("change"), .number(""),
                .number("executor wait"),
            ])
        for row in rows {
            let name =
                switch row.threads {
                case .recorded: "as recorded"
                case .limited(let number): Prose.grouped(number) + (row.isRecorded ? " (recorded)" : "")
                case .unlimited: "unlimited"
                }
            table.rows.append(
                [name, DurationFormat.text(nanoseconds: row.prediction.makespan)]
                    + changes(to: row.prediction.makespan)
                    + [DurationFormat.text(nanoseconds: row.prediction.executorWait)])
        }
        return table
    }

    private var actorTable: TextTable {
        var table = TextTable(
            title: "If the tasks of an actor were faster, or did not wait for each other",
            columns: [
                .name("actor"), .number("runs"), .number("50 % faster"), .number(""),
                .number("several at once"), .number(""),
            ])
        for actor in actors {
            table.rows.append(
                [actor.name, Prose.grouped(actor.runs)] + changes(to: actor.half) + changes(to: actor.split))
        }
        return table
    }

    private var kindTable: TextTable {
        var table = TextTable(
            title: "If one kind of task were faster",
            columns: [
                .name("kind"), .number("count"), .number("10 % faster"), .number(""),
                .number("50 % faster"), .number(""),
            ])
        for kind in kinds {
            table.rows.append(
                [kind.name, Prose.grouped(kind.count)] + changes(to: kind.tenth) + changes(to: kind.half))
        }
        return table
    }

    private var functionTable: TextTable {
        var table = TextTable(
            title: "If a task awaited at once what it awaited one after the other in a function",
            columns: [
                .name("function"), .number("awaits"), .number("awaiting"), .number("at most"), .number(""),
            ])
        for function in functions {
            let place = function.place
            table.rows.append(
                [
                    TerminalText.shortened(place.name, toColumns: Self.longestFunction),
                    Prose.grouped(place.awaits), DurationFormat.text(nanoseconds: place.awaiting),
                ] + changes(to: function.makespan))
        }
        return table
    }

    private func changes(to makespan: Int64) -> [String] {
        WhatIfTable.changes(from: predictions.recorded, to: makespan)
    }
}

extension TaskReplayScenario {
    fileprivate var changesOnlyThreads: Bool {
        scales.isEmpty && executorScales.isEmpty && splitActors.isEmpty && parallelFunctions.isEmpty
    }
}

extension WhatIfTasks {
    /// See `Documentation/schemas/whatif.schema.json`.
    var object: JSONObject {
        var object = JSONObject()
        object.add("makespanNs", predictions.recorded)
        object.add("recordedThreads", predictions.recordedThreads)
        object.add("replayError", predictions.drift)
        object.add("obstacle", obstacle)
        guard predictions.obstacle == nil else { return object }
        object.add("predictions", rows.map(Self.object))
        guard isOverview else { return object }
        object.add(
            "actors",
            actors.map { actor in
                var object = JSONObject()
                object.add("actor", actor.name)
                object.add("runs", actor.runs)
                object.add("makespanOfHalfNs", actor.half)
                object.add("makespanOfSeveralAtOnceNs", actor.split)
                return object
            })
        object.add(
            "kinds",
            kinds.map { kind in
                var object = JSONObject()
                object.add("kind", kind.name)
                object.add("count", kind.count)
                object.add("makespanOfTenthLessNs", kind.tenth)
                object.add("makespanOfHalfNs", kind.half)
                return object
            })
        object.add(
            "functions",
            functions.map { function in
                var object = JSONObject()
                object.add("function", function.place.name)
                object.add("awaits", function.place.awaits)
                object.add("awaitingNs", function.place.awaiting)
                object.add("makespanOfAllAtOnceNs", function.makespan)
                return object
            })
        return object
    }

    private static func object(_ row: Row) -> JSONObject {
        var object = JSONObject()
        switch row.threads {
        case .recorded: break
        case .limited(let number): object.add("threads", number)
        case .unlimited: object.add("threads", "unlimited")
        }
        object.add("isRecorded", row.isRecorded)
        object.add("makespanNs", row.prediction.makespan)
        object.add("executorWaitNs", row.prediction.executorWait)
        return object
    }
}
