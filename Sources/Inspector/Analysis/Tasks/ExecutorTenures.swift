import InspectorColumns
package import InspectorTraces

/// Which run had an executor when, for executors that have one run at a time: actors, the main actor, and
/// serial ones of the program.
package struct ExecutorTenures {
    /// A run's stay on an executor. A run may go on on another one without leaving its thread.
    package struct Tenure: Sendable {
        /// Index into the tasks' runs.
        package let run: Int
        /// Index into the tasks' executors; `TraceTasks.none` for an unknown one.
        package let executor: Int32
        /// Nanoseconds since the start of the trace.
        package let start: Int64
        package let end: Int64
    }

    private let tasks: TraceTasks
    private let all: [Tenure]
    /// The positions in `all` of each serial executor's tenures, ordered by time.
    private let ofExecutor: Grouping

    /// Linear in runs and moves, except for sorting.
    init(_ tasks: TraceTasks) {
        self.tasks = tasks
        let isPool = tasks.executors.map { $0.kind == .pool }
        let all = Self.stays(tasks) { _, executor in executor >= 0 && !isPool[Int(executor)] }

        // An executor of the program's own may run several tasks at once.
        var ends = [Int64](repeating: .min, count: tasks.executors.count)
        var isSerial = [Bool](repeating: true, count: tasks.executors.count)
        for tenure in all {
            let executor = Int(tenure.executor)
            let isOwn = tasks.executors[executor].kind == .custom
            if isOwn, tenure.start < ends[executor] { isSerial[executor] = false }
            ends[executor] = max(ends[executor], tenure.end)
        }
        ofExecutor = Grouping(
            all.lazy.map { isSerial[Int($0.executor)] ? Int($0.executor) : -1 },
            groups: tasks.executors.count)
        self.all = all
    }

    /// Every stay of a run on an executor, ordered by time. Linear in runs and moves, except for sorting.
    ///
    /// - Parameter isWanted: whether to include that run on that executor.
    package static func stays(
        _ tasks: TraceTasks, _ isWanted: (_ run: Int, _ executor: Int32) -> Bool
    ) -> [Tenure] {
        let moves = Grouping(
            tasks.moves.lazy.map { Int($0.run) }, groups: tasks.moves.isEmpty ? 0 : tasks.runs.count)
        var all: [Tenure] = []
        func add(_ run: Int, _ executor: Int32, from start: Int64, to end: Int64) {
            guard isWanted(run, executor) else { return }
            all.append(Tenure(run: run, executor: executor, start: start, end: max(start, end)))
        }
        for (index, run) in tasks.runs.enumerated() {
            var (executor, start) = (run.executor, run.start)
            for move in moves.count == 0 ? [] : moves[index] {
                let move = tasks.moves[Int(move)]
                add(index, executor, from: start, to: move.time)
                (executor, start) = (move.executor, max(start, move.time))
            }
            add(index, executor, from: start, to: run.end)
        }
        return all.sortedByDigits(\.start)
    }

    /// Whether an executor has one run at a time, as an index. Of the pool, false.
    func isSerial(_ executor: Int) -> Bool { !ofExecutor[executor].isEmpty }

    /// The last stay before a run on the executor that the run begins on. Nil if there is none, and if the
    /// executor has several runs at once. Logarithmic.
    func before(_ run: Int) -> Tenure? {
        let executor = Int(tasks.runs[run].executor)
        guard executor >= 0 else { return nil }
        let members = ofExecutor[executor]
        let start = tasks.runs[run].start
        // Of stays of no length, the run's own may be among those at its start.
        let place = members.partitioningIndex { all[Int($0)].start >= start }
        return place == members.startIndex ? nil : all[Int(members[place - 1])]
    }
}
