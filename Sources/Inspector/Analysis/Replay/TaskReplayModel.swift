import EventLog
import InspectorColumns
import InspectorTraces

/// What a replay of Swift tasks repeats: for each stay of a run on an executor, how long it took, what had to
/// happen before, and what happened meanwhile.
final class TaskReplayModel: Sendable {
    /// A stay of a run on an executor.
    struct Piece: Sendable {
        let task: Int32
        /// Index into the trace's executors; `TraceTasks.none` for an unknown one.
        let executor: Int32
        let length: Int64
        /// How long its thread took to begin it.
        var latency: Int64 = 0
        /// How long it waited although its executor and a thread of the pool were free: operations have
        /// threads of the same pool. It waits as long in a replay.
        var otherWait: Int64 = 0
        /// From the end of the piece before it until its task was ready; for a task's first piece, when its
        /// task was ready. It does not matter if another piece decides that.
        var delay: Int64 = 0
        /// Whether another piece decides when its task is ready.
        var hasWaker = false
        /// The first one of its task.
        let isFirst: Bool
        /// It belongs to the same run as the piece before it, so the task keeps its thread if it can.
        let isInRun: Bool
        /// A higher number goes first.
        let priority: UInt8
    }

    /// While a piece runs, or after it, a task becomes ready.
    struct Wake: Sendable {
        /// Nanoseconds since the piece began.
        let offset: Int64
        let piece: Int32
    }

    /// What limits how many tasks an executor runs at once.
    enum Limit: Sendable {
        /// The threads of the pool.
        case pool
        /// One task at a time, on a thread of the pool.
        case actor
        /// One task at a time, on a thread of its own.
        case thread
        /// Nothing.
        case none
    }

    /// In a trace with operations, which have threads of the same pool, a thread that is free begins a run
    /// within this time, unless an operation keeps it. Nanoseconds.
    private static let longestLatency: Int64 = 1_000_000

    /// Those of a task follow each other.
    let pieces: [Piece]
    let tasks: Int
    /// Of each executor.
    let limits: [Limit]
    /// The most threads of the pool that had tasks at once.
    let width: Int
    /// For each thread of the pool, how long it took to come when it was first needed, and the shortest of
    /// these times. Nanoseconds.
    private let delays: [Int64]
    private let shortestDelay: Int64
    private let wakes: [Wake]
    private let wakesOfPiece: Grouping
    /// The first piece of each run.
    private let firstPieces: [Int32]
    /// From the begin of the first run to the end of the last one. Nanoseconds.
    let makespan: Int64

    /// Nearly linear in runs.
    ///
    /// - Parameter trace: one that has its tasks as operations.
    init(_ trace: Trace) {
        let tasks = trace.tasks
        self.tasks = tasks.entries.count
        let tenures = ExecutorTenures(tasks)
        let limits = tasks.executors.enumerated().map { index, executor in
            Self.limit(of: executor.kind, isSerial: tenures.isSerial(index))
        }
        self.limits = limits
        var threads = PoolThreads(tasks.runs.count)
        // When the task of each run was ready, and no other one had its executor.
        let free = tasks.runs.indices.map { run in
            max(Self.ready(run, tasks) ?? tasks.runs[run].start, tenures.before(run)?.end ?? .min)
        }
        for run in tasks.runs.indices where Self.isPooled(tasks.runs[run], limits) {
            threads.add(run, tasks.runs[run].start, tasks.runs[run].end, ready: free[run])
        }
        let freed = threads.freed()
        width = max(1, threads.width)
        let hasOperations = tasks.asOperations.map { $0.first > 0 } ?? false
        delays = threads.delays
        shortestDelay = delays.min() ?? 0

        let (first, stays) = Self.stays(tasks)
        var (pieces, source, wakes): ([Piece], [Int], [Wake]) = ([], [], [])
        for run in tasks.runs.indices {
            let ready = Self.ready(run, tasks)
            let isFirst = run == tasks.firstRuns[Int(tasks.runs[run].task)]
            let priority = tasks.entries[Int(tasks.runs[run].task)].priority
            for stay in stays[first[run]..<first[run + 1]] {
                pieces.append(
                    Piece(
                        task: tasks.runs[run].task, executor: stay.executor, length: stay.end - stay.start,
                        isFirst: isFirst && pieces.count == first[run], isInRun: pieces.count > first[run],
                        priority: priority))
            }
            let start = tasks.runs[run].start
            if let ready {
                let free = max(free[run], freed[run])
                let late = max(0, start - free)
                if hasOperations, late > Self.longestLatency, late > free - ready {
                    pieces[first[run]].otherWait = max(0, start - ready)
                } else {
                    pieces[first[run]].latency = late
                }
            }
            if let ready, let cause = Self.cause(of: run, trace, ready) {
                pieces[first[run]].hasWaker = true
                source.append(first[cause])
                wakes.append(Wake(offset: ready - tasks.runs[cause].start, piece: Int32(first[run])))
            } else {
                let from = isFirst ? 0 : tasks.runs[run - 1].end
                pieces[first[run]].delay = isFirst ? ready ?? start : max(0, (ready ?? start) - from)
            }
        }
        self.pieces = pieces
        wakesOfPiece = Grouping(source, groups: pieces.count)
        firstPieces = tasks.runs.indices.map { Int32(first[$0]) }
        self.wakes = wakes
        let start = tasks.runs.lazy.map(\.start).min() ?? 0
        makespan = (tasks.runs.lazy.map(\.end).max() ?? start) - start
    }

    /// How long the pool's thread with that number takes to come when it is needed. Nanoseconds; one that
    /// the recorded run did not need comes as soon as any.
    func delay(ofThread number: Int) -> Int64 {
        delays.indices.contains(number) ? delays[number] : shortestDelay
    }

    /// The tasks that become ready because of a piece.
    func forEachWake(of piece: Int, _ body: (Wake) -> Void) {
        for wake in wakesOfPiece[piece] { body(wakes[Int(wake)]) }
    }

    /// For each piece before which its task no longer waits, the piece before which it waits instead; other
    /// pieces are their own. Empty if no task would wait less.
    ///
    /// - Parameter functions: each with the texts of its code, in which tasks await everything at once: each
    ///   task where it awaited something there for the last time.
    func joins(_ tasks: TraceTasks, of functions: Set<Set<UInt32>>) -> [Int32] {
        if functions.isEmpty { return [] }
        var functionOfPlace: [UInt32: Int] = [:]
        for (function, places) in functions.enumerated() {
            for place in places { functionOfPlace[place] = function }
        }
        var joins: [Int32] = []
        for task in tasks.entries.indices {
            let runs = tasks.firstRuns[task]..<tasks.firstRuns[task + 1]
            var last: [Int: Int] = [:]
            for run in runs.dropLast().reversed() {
                guard let function = functionOfPlace[tasks.runs[run].place],
                    let awaits = tasks.runs[run].awaits, TaskPart(awaits) != nil
                else { continue }
                guard let join = last[function] else {
                    last[function] = run
                    continue
                }
                if joins.isEmpty { joins = pieces.indices.map { Int32($0) } }
                joins[Int(firstPieces[run + 1])] = firstPieces[join + 1]
            }
        }
        return joins
    }

    private static func limit(of kind: LogEvent.ExecutorKind, isSerial: Bool) -> Limit {
        switch kind {
        case .pool: .pool
        case .actor: .actor
        case .main: .thread
        case .custom: isSerial ? .thread : .none
        }
    }

    private static func isPooled(_ run: TraceTasks.Run, _ limits: [Limit]) -> Bool {
        switch run.executor < 0 ? .pool : limits[Int(run.executor)] {
        case .pool, .actor: true
        case .thread, .none: false
        }
    }

    /// All stays, run by run; and for each run, where its stays begin.
    private static func stays(_ tasks: TraceTasks) -> (first: [Int], [ExecutorTenures.Tenure]) {
        let all = ExecutorTenures.stays(tasks) { _, _ in true }
        let ofRun = Grouping(all.map(\.run), groups: tasks.runs.count)
        let first = tasks.runs.indices.map { ofRun.range(of: $0).lowerBound } + [all.count]
        return (first, ofRun.members.map { all[Int($0)] })
    }

    /// When the task of a run was ready for it; nil if that is not known.
    private static func ready(_ run: Int, _ tasks: TraceTasks) -> Int64? {
        let task = Int(tasks.runs[run].task)
        if run == tasks.firstRuns[task] { return tasks.entries[task].enqueued ?? tasks.entries[task].created }
        let before = tasks.runs[run - 1]
        return before.ready
    }

    /// The run in which the task of a run was made ready, or after which. Nil if it was not another task that
    /// did it.
    private static func cause(of run: Int, _ trace: Trace, _ ready: Int64) -> Int? {
        let tasks = trace.tasks
        let task = Int(tasks.runs[run].task)
        let waker: Int?
        if run == tasks.firstRuns[task] {
            waker = trace.operations[tasks.operation(of: task)].parent.flatMap { trace.task($0) }
        } else {
            let before = tasks.runs[run - 1]
            let known = tasks.asOperations.map { Int($0.wakers[run - 1]) } ?? -1
            waker =
                known >= 0
                ? trace.task(known)
                : before.awaited == TraceTasks.none ? nil : Int(before.awaited)
        }
        guard let waker, waker != task else { return nil }
        return tasks.run(of: waker, at: ready)
    }
}
