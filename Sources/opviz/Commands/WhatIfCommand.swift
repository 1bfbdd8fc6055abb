import ArgumentParser
import Inspector

struct WhatIfCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whatif",
        abstract: "Replays the run with other slots, threads or CPUs, or with faster operations or tasks.",
        discussion: """
            opviz whatif trace.json                       more slots, or a faster kind
            opviz whatif trace.json --slots 1,2,unlimited this many slots in every queue
            opviz whatif trace.json --slots pixels=4      in the queue 'pixels'
            opviz whatif trace.json --cpus 1,2,4          on this many CPUs
            opviz whatif trace.json --scale Parse=0.5     the kind Parse in half the time
            opviz whatif trace.json --slots pool=1,2,4    Swift tasks on this many threads
            opviz whatif trace.json --parallel 'load(_:)' tasks await at once what load(_:) awaits

            The first line shows how closely the replay repeats the recorded run; the other figures are \
            as exact as that. Nothing is predicted of runs that did not finish, or that the replay repeats \
            badly. A trace that was recorded with opviz record says when threads were on CPUs: then \
            operations share CPUs and threads in the replay.

            Swift tasks are replayed by themselves, on the threads of their pool, the main actor and their \
            actors: --slots pool=NUMBER sets the number of threads, and --scale takes kinds of tasks and \
            actors as well. --parallel predicts what an async let or a task group would do where a function \
            awaits one thing after the other: at most that, as what needs an earlier result is not known.
            """)

    @OptionGroup var trace: TraceArgument

    @Option(
        help: .init(
            "Numbers of slots, separated by commas, or QUEUE=NUMBER, or pool=NUMBERS for tasks; also "
                + "unlimited (repeatable).",
            valueName: "slots"))
    var slots: [String] = []

    @Option(help: "Numbers of CPUs, separated by commas; also unlimited.")
    var cpus: String?

    @Option(help: "Number of threads for operations; also unlimited (default: as libdispatch).")
    var pool: String?

    @Option(help: "Multiply a kind's execution time, or an actor's: Parse=0.5 (repeatable).")
    var scale: [String] = []

    @Option(help: "Let each task await at once what it awaited in this function (repeatable).")
    var parallel: [String] = []

    @OptionGroup var destination: Destination<WhatIfReport>

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace.path)
            let slots = try SlotsOption(slots)
            let cpus = try cpus.map { try Self.processors($0, of: "--cpus") } ?? []
            let pools = try pool.map { try Self.processors($0, of: "--pool") } ?? []
            if pools.count > 1 { throw CommandError(.usage, "--pool: expected a single number") }
            let scales = try Dictionary(scale.map(Self.scale)) { _, last in last }
            let path = trace.path
            let trace = try trace.read(showsTasks: true)
            let analysis = TraceAnalysis(trace)
            let factors = try Factors(scales, analysis, file: path)
            if trace.threadTimes.isEmpty, let option = cpus.isEmpty ? pool.map({ _ in "--pool" }) : "--cpus" {
                throw CommandError(
                    .usage,
                    "\(path): does not say when threads were on CPUs, which \(option) needs; "
                        + "record the program with opviz record")
            }
            var scenario = ReplayScenario()
            scenario.scales = factors.ofOperations
            scenario.slotsOfQueues = try slots.ofQueues(in: trace, file: path)
            if let pool = pools.first { scenario.pool = pool }
            var ofTasks = factors.ofTasks
            ofTasks.parallelFunctions = try Self.functions(parallel, in: trace, file: path)
            let tasks = Self.scenarios(ofTasks, on: try slots.threads(in: trace))
            let isUnchanged = scenario == ReplayScenario() && slots.ofAll.isEmpty && cpus.isEmpty
            let scenarios = (slots.ofAll.isEmpty ? [.recorded] : slots.ofAll).flatMap { slots in
                (cpus.isEmpty ? [.recorded] : cpus).map { processors in
                    var scenario = scenario
                    (scenario.slots, scenario.processors) = (slots, processors)
                    return scenario
                }
            }
            try output.write(WhatIfReport(analysis, isUnchanged ? [] : scenarios, tasks: tasks))
        }
    }

    private static func processors(_ text: String, of option: String) throws -> [ReplayProcessors] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { text in
            try replayNumber(text, of: option).map { .limited($0) } ?? .unlimited
        }
    }

    /// The functions in which tasks await everything at once.
    private static func functions(_ names: [String], in trace: Trace, file: String) throws -> Set<Set<UInt32>>
    {
        if names.isEmpty { return [] }
        let places = AwaitPlaces(trace.tasks).all
        return try Set(
            names.map { name in
                if let place = places.first(where: { $0.name == name }) { return place.texts }
                throw CommandError(
                    .usage, "\(file): \(MissingName.function(name, among: places.map(\.name)))")
            })
    }

    /// Of Swift tasks, for each number of threads; empty if nothing changes.
    private static func scenarios(
        _ changes: TaskReplayScenario, on threads: [ReplayProcessors]
    ) -> [TaskReplayScenario] {
        if threads.isEmpty { return changes == TaskReplayScenario() ? [] : [changes] }
        return threads.map { pool in
            var scenario = changes
            scenario.pool = pool
            return scenario
        }
    }

    private static func scale(_ text: String) throws -> (String, Double) {
        guard let sign = text.lastIndex(of: "="), let factor = Double(text[text.index(after: sign)...]),
            factor >= 0, factor <= 1000
        else {
            throw CommandError(
                .usage,
                "--scale: expected KIND=FACTOR with a factor from 0 to 1,000, such as Parse=0.5; got "
                    + NearestNames.quoted(text))
        }
        return (String(text[..<sign]), factor)
    }
}

/// The values of `--scale`: for kinds of operations, kinds of tasks, and actors.
private struct Factors {
    private(set) var ofOperations: [String: Double] = [:]
    private(set) var ofTasks = TaskReplayScenario()

    init(_ scales: [String: Double], _ analysis: TraceAnalysis, file: String) throws {
        let kinds = analysis.kinds.map(\.name)
        let tasks = analysis.trace.tasks
        for (text, factor) in scales.sorted(by: { $0.key < $1.key }) {
            let actor = Handle.bare(text, .executor)
            let executors = tasks.executors.indices.filter {
                tasks.executors[$0].kind != .pool && [text, actor].contains(tasks.executors[$0].name)
            }
            let name = Handle.name(text, .kind, among: kinds + tasks.kinds)
            let isOperation = kinds.contains(name)
            let isTask = tasks.kinds.contains(name)
            guard isOperation || isTask || !executors.isEmpty || kinds.isEmpty && tasks.isEmpty else {
                throw CommandError(
                    .usage, "\(file): \(MissingName.kind(name, among: kinds + tasks.kinds.dropFirst()))")
            }
            if isOperation { ofOperations[name] = factor }
            if isTask { ofTasks.scales[name] = factor }
            for executor in executors { ofTasks.executorScales[executor] = factor }
        }
    }
}

/// The values of `--slots`.
private struct SlotsOption {
    /// For every queue.
    private(set) var ofAll: [ReplaySlots] = []
    private var named: [(queue: String, slots: [ReplaySlots])] = []
    /// The name that the pool of Swift tasks has, unless a queue is called so.
    private static let pool = "pool"

    init(_ values: [String]) throws {
        for value in values {
            if let sign = value.lastIndex(of: "=") {
                let slots = try Self.slots(value[value.index(after: sign)...])
                named.append((String(value[..<sign]), slots))
            } else {
                ofAll += try Self.slots(value[...])
            }
        }
    }

    /// The slots of single queues, by index.
    func ofQueues(in trace: Trace, file: String) throws -> [Int: ReplaySlots] {
        var slots: [Int: ReplaySlots] = [:]
        for (name, numbers) in named {
            let isNamed = Handle.queues(name, in: trace.queues)
            let queues = trace.queues.indices.filter { isNamed[$0] }
            if queues.isEmpty {
                if name == Self.pool, !trace.tasks.isEmpty { continue }
                throw CommandError(
                    .usage, "\(file): \(MissingName.queue(Handle.bare(name, .queue), in: trace))")
            }
            guard numbers.count == 1 else {
                throw CommandError(.usage, "--slots: expected a single number for a queue")
            }
            for queue in queues { slots[queue] = numbers[0] }
        }
        return slots
    }

    /// The numbers of threads for Swift tasks.
    func threads(in trace: Trace) throws -> [ReplayProcessors] {
        if trace.tasks.isEmpty || trace.queues.contains(where: { $0.displayName == Self.pool }) { return [] }
        return named.filter { $0.queue == Self.pool }.flatMap(\.slots).map { slots in
            if case .limited(let number) = slots { .limited(number) } else { .unlimited }
        }
    }

    private static func slots(_ text: Substring) throws -> [ReplaySlots] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { text in
            try replayNumber(text, of: "--slots").map { .limited($0) } ?? .unlimited
        }
    }
}

/// A positive number; nil for `unlimited`.
private func replayNumber(_ text: Substring, of option: String) throws -> Int? {
    if text == "unlimited" { return nil }
    guard let number = Int(text), number > 0 else {
        throw CommandError(
            .usage, "\(option): expected 1 or more, or unlimited; got \(NearestNames.quoted(String(text)))")
    }
    return number
}
