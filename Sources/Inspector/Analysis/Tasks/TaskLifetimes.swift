import EventLog
package import InspectorTraces

/// What the lifetimes of Swift tasks consist of: waits for executors, runs, what was awaited between them,
/// and what is not known. Linear in runs.
package struct TaskLifetimes: Sendable {
    package let tasks: TraceTasks
    /// Nil if nobody recorded when threads were on processors.
    private let histories: [ProcessThread: ThreadHistory]?

    /// Constant time.
    ///
    /// - Parameter use: what threads did; nil if that is not known, or not asked for.
    package init(_ tasks: TraceTasks, _ use: ProcessorUse? = nil) {
        self.tasks = tasks
        histories = use.flatMap { $0.histories.isEmpty ? nil : $0.histories }
    }

    /// When the lifetime began, and when it ended. It ends with the trace for a task that did not finish.
    package func range(of task: Int) -> Range<Int64> {
        let lower = tasks.start(of: task) ?? tasks.end
        return lower..<max(lower, tasks.entries[task].finished ?? tasks.end)
    }

    /// The parts of a lifetime between two moments, which sum up to the time that it has there. Linear in the
    /// runs between them.
    package func parts(of task: Int, from start: Int64, to end: Int64) -> TaskParts {
        var parts = TaskParts()
        forEach(of: task, from: start, to: end) { part, range, _ in
            parts[part] += range.upperBound - range.lowerBound
        }
        return parts
    }

    /// The parts of a lifetime, which sum up to ``range(of:)``.
    package func parts(of task: Int) -> TaskParts {
        var parts = TaskParts()
        forEach(of: task) { part, range, _ in parts[part] += range.upperBound - range.lowerBound }
        return parts
    }

    /// What the threads of a task did while it was running: the parts of ``TaskPart/running``. Nil if that
    /// was not recorded. Linear in runs, and logarithmic in the switches of their threads.
    package func runningParts(of task: Int) -> ExecutionParts? {
        guard let histories else { return nil }
        let process = tasks.entries[task].process
        var sum = ExecutionParts()
        forEach(of: task) { part, range, run in
            guard part == .running, let run else { return }
            let thread = ProcessThread(process: process, number: tasks.runs[run].thread)
            let parts = histories[thread]?.parts(from: range.lowerBound, to: range.upperBound)
            sum = sum + (parts ?? [.unmeasured: range.upperBound - range.lowerBound])
        }
        return sum
    }

    /// What the thread of a run did meanwhile, in order and without gaps. Empty if that was not recorded.
    /// Logarithmic in the switches of the thread, and linear in those during the run.
    package func runningStretches(ofRun run: Int) -> [ExecutionStretch] {
        let run = tasks.runs[run]
        let process = tasks.entries[Int(run.task)].process
        return histories?[ProcessThread(process: process, number: run.thread)]?
            .stretches(from: run.start, to: run.end) ?? []
    }

    /// Of all tasks. Nil if it was not recorded.
    package var totalOfRunning: ExecutionParts? {
        guard histories != nil else { return nil }
        return tasks.entries.indices.lazy.compactMap(runningParts).reduce(ExecutionParts(), +)
    }

    /// Of all tasks.
    package var total: TaskParts {
        var sum = TaskParts()
        for task in tasks.entries.indices { sum += parts(of: task) }
        return sum
    }

    /// Calls `body` with each stretch of a lifetime, in order, without gaps; and with the run that it belongs
    /// to or follows, as an index.
    ///
    /// - Parameters:
    ///   - from: Stretches before this are left out, and one around it is cut.
    ///   - to: The same for what comes after this.
    package func forEach(
        of task: Int, from start: Int64 = .min, to end: Int64 = .max,
        _ body: (TaskPart, Range<Int64>, _ run: Int?) -> Void
    ) {
        let range = range(of: task).clamped(to: start..<max(start, end))
        if range.isEmpty { return }
        var cursor = range.lowerBound
        func add(_ part: TaskPart, until end: Int64, _ run: Int? = nil) {
            let end = min(max(end, cursor), range.upperBound)
            guard end > cursor else { return }
            body(part, cursor..<end, run)
            cursor = end
        }
        let (first, next) = (tasks.firstRuns[task], tasks.firstRuns[task + 1])
        if let before = tasks.run(of: task, at: cursor) {
            addRuns(before..<next)
            return
        }
        if let enqueued = tasks.entries[task].enqueued { add(.unknown, until: enqueued) }
        let isQueued = tasks.entries[task].enqueued != nil
        if first == next {
            add(isQueued ? .executor : .unknown, until: range.upperBound)
            return
        }
        add(isQueued ? wait(for: tasks.runs[first].executor) : .unknown, until: tasks.runs[first].start)
        addRuns(first..<next)

        func addRuns(_ runs: Range<Int>) {
            for index in runs {
                addRun(index)
                if cursor >= range.upperBound { return }
            }
            add(.unknown, until: range.upperBound)
        }

        /// A run, and the time until the next one.
        func addRun(_ index: Int) {
            let run = tasks.runs[index]
            add(.running, until: run.end, index)
            let following = index + 1 < next ? tasks.runs[index + 1] : nil
            let end = following?.start ?? range.upperBound
            let executor = following?.executor ?? run.nextExecutor
            guard let awaits = run.awaits else {
                add(.unknown, until: end, index)
                return
            }
            if let part = TaskPart(awaits) {
                // Without a moment at which it was enqueued again, nobody knows how long it still waited
                // after that.
                add(following == nil || run.ready != nil ? part : .unknown, until: run.ready ?? end, index)
            }
            add(wait(for: executor == TraceTasks.none ? run.nextExecutor : executor), until: end, index)
        }
    }

    private func wait(for executor: Int32) -> TaskPart {
        executor != TraceTasks.none && tasks.executors[Int(executor)].kind == .actor ? .actor : .executor
    }
}
