import EventLog

/// The threads that Swift tasks run on, from look to look: whether they are blocked, and so keep the pool's
/// threads from tasks that are ready.
struct LivePool {
    /// How many threads are looked at.
    private static let most = 128
    /// A task that is ready for less may be about to begin. Nanoseconds; 500 ms.
    private static let leastWait: Int64 = 500_000_000

    /// At the last look, by thread.
    private var readings: [UInt64: ThreadReading] = [:]
    /// Threads that were blocked at the last two looks, and not on a processor between them; with the
    /// function of the kernel, or an empty text.
    private(set) var blocked: [UInt64: String] = [:]

    /// Looks at the threads of running tasks.
    mutating func look(at tasks: LiveTasks, of process: Int32, _ system: LiveSystem) {
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
    mutating func pause() { (readings, blocked) = ([:], [:]) }

    /// Nil unless every thread of the pool is blocked in a task while other tasks are ready. The pool has
    /// about one thread for each processor.
    ///
    /// - Parameters:
    ///   - processors: that the program may use.
    ///   - time: nanoseconds since the start of the log.
    ///   - text: returns the text for a number in the log.
    func hazard(
        _ tasks: LiveTasks, processors: Int?, at time: Int64, text: (UInt32) -> String
    ) -> LiveFindings.Hazard? {
        func isPooled(_ task: LiveTasks.Task) -> Bool {
            let kind = tasks.executors[task.executor]?.kind ?? .pool
            return kind == .pool || kind == .actor
        }
        let holders = tasks.tasks.filter { $0.value.part == .running && isPooled($0.value) }
        guard let processors, holders.count >= processors,
            holders.values.allSatisfy({ task in task.run.map { blocked[$0.thread] != nil } ?? false })
        else { return nil }
        let waiting = tasks.tasks.values.filter { task in
            // A task that waits for an actor needs a thread only if no other task has the actor.
            task.part == .executor && isPooled(task)
                || task.part == .actor && tasks.executors[task.executor]?.running ?? 0 == 0
        }
        guard let first = waiting.lazy.map(\.since).min(), time - first >= Self.leastWait else { return nil }
        let sorted = holders.sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }
        let names = sorted.prefix(4).map { holder in
            let name = name(of: holder.value, text)
            let function = holder.value.run.flatMap { blocked[$0.thread] } ?? ""
            return name + (function.isEmpty ? "" : " (in \(TerminalText.shortened(function, toColumns: 40)))")
        }
        let threads = Prose.threads(holders.count)
        return LiveFindings.Hazard(
            rule: LiveRules.blockedPool, severity: .error,
            summary: "\(threads) of the pool \(holders.count == 1 ? "is" : "are") blocked in tasks: "
                + Prose.list(names, of: sorted.count)
                + "; \(Prose.counted(waiting.count, "task")) \(waiting.count == 1 ? "is" : "are") ready, the "
                + "first for \(DurationFormat.text(nanoseconds: time - first)), and cannot run",
            operation: 0)
    }

    private func name(of task: LiveTasks.Task, _ text: (UInt32) -> String) -> String {
        let name = task.name == 0 ? "" : text(task.name)
        return TerminalText.shortened(
            !name.isEmpty ? name : task.kind == 0 ? "a task" : text(LiveTexts.function(task.kind)),
            toColumns: 40)
    }
}
