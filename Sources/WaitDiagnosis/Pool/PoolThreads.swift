package import EventLog

/// The threads that Swift tasks run on, from look to look: whether they are blocked, and so keep the pool's
/// threads from tasks that are ready.
package struct PoolThreads {
    /// How many threads are looked at.
    private static let most = 128
    /// A task that is ready for less may be about to begin. Nanoseconds; 500 ms.
    private static let leastWait: Int64 = 500_000_000

    /// At the last look, by thread.
    private var readings: [UInt64: ThreadReading] = [:]
    /// Threads that were blocked at the last two looks, and not on a processor between them; with the
    /// function of the kernel, or an empty text.
    package private(set) var blocked: [UInt64: String] = [:]

    package init() {}

    /// Looks at the threads of running tasks.
    package mutating func look(at tasks: LiveTasks, of process: Int32, _ system: LiveSystem) {
        let threads = Set(
            tasks.tasks.values.lazy.filter { $0.part == .running }.compactMap { $0.run?.thread })
        let last = readings
        readings = [:]
        blocked = [:]
        for thread in threads.sorted().prefix(Self.most) {
            guard let reading = ThreadReading(process: process, thread: thread, system) else { continue }
            readings[thread] = reading
            guard let before = last[thread], !before.isRunnable, !reading.isRunnable,
                before.switches == reading.switches
            else { continue }
            blocked[thread] = reading.blockedIn
        }
    }

    /// Time until the next look is unknown.
    package mutating func pause() { (readings, blocked) = ([:], [:]) }

    /// Nil unless every thread of the pool is blocked in a task while other tasks are ready. The pool has
    /// about one thread for each processor.
    ///
    /// - Parameters:
    ///   - processors: that the program may use.
    ///   - time: nanoseconds since the start of the log.
    ///   - text: returns the text for a number in the log.
    ///   - function: returns the name of a task's function, for the number of its kind in the log.
    package func standstill(
        of tasks: LiveTasks, processors: Int?, at time: Int64, text: (UInt32) -> String,
        function: (UInt32) -> String
    ) -> PoolStandstill? {
        func isPooled(_ task: LiveTasks.Task) -> Bool {
            let kind = tasks.executors[task.executor]?.kind ?? .pool
            return kind == .pool || kind == .actor
        }
        let running = tasks.tasks.filter { $0.value.part == .running && isPooled($0.value) }
        let holders = running.compactMap { id, task in
            task.run.flatMap { run in
                blocked[run.thread].map { (id: id, task: task, thread: run.thread, function: $0) }
            }
        }
        guard let processors, running.count >= processors, holders.count == running.count else { return nil }
        let waiting = tasks.tasks.values.filter { task in
            // A task that waits for an actor needs a thread only if no other task has the actor.
            task.part == .executor && isPooled(task)
                || task.part == .actor && tasks.executors[task.executor]?.running ?? 0 == 0
        }
        guard let first = waiting.lazy.map(\.since).min(), time - first >= Self.leastWait else { return nil }
        return PoolStandstill(
            holders: holders.sorted { ($0.task.since, $0.id) < ($1.task.since, $1.id) }.map { holder in
                PoolStandstill.Holder(
                    task: OperationID(holder.id), name: holder.task.name(text: text, function: function),
                    thread: holder.thread,
                    function: holder.function, time: max(0, time - holder.task.since))
            },
            readyCount: waiting.count, longestWait: time - first)
    }
}
