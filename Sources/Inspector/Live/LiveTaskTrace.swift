import EventLog

extension LiveTasks {
    /// The unfinished tasks as those of a trace: each with its last run, so that the analyses of traces can
    /// be used.
    ///
    /// Cost: linear in unfinished tasks, except for sorting, plus looking up names.
    ///
    /// - Parameters:
    ///   - end: the end of the trace.
    ///   - texts: those of the trace.
    ///   - text: returns the text for a number in the log, and the name for one of
    /// ``LiveTexts/function(_:)``.
    func traced(
        until end: Int64, _ texts: inout InternedTexts, text: (UInt32) -> String
    ) -> TraceTasks {
        var traced = TraceTasks()
        traced.end = end
        var executorIndices: [UInt64: Int32] = [:]
        for (id, executor) in executors.sorted(by: { $0.key < $1.key }) {
            executorIndices[id] = Int32(traced.executors.count)
            traced.executors.append(
                .init(id: QueueID(id), kind: executor.kind, name: text(executor.name), process: 0))
        }
        let sorted = tasks.sorted { $0.key < $1.key }
        var indices: [UInt64: Int32] = [:]
        for (index, task) in sorted.enumerated() { indices[task.key] = Int32(index) }
        var kinds: [UInt32: Int32] = [:]
        for (index, (id, task)) in sorted.enumerated() {
            var entry = TraceTasks.Entry(identifier: id, process: 0)
            if task.kind != 0 {
                let kind = kinds[task.kind] ?? Int32(traced.kinds.count)
                if kinds.updateValue(kind, forKey: task.kind) == nil {
                    traced.kinds.append(text(LiveTexts.function(task.kind)))
                }
                entry.kind = kind
            }
            if task.name != 0 { entry.name = texts.number(of: text(task.name)) }
            (entry.parent, entry.creation, entry.created) = (task.parent, task.creation, task.created)
            let isReady = task.part == .executor || task.part == .actor
            let executor = executorIndices[task.executor] ?? TraceTasks.none
            if let run = task.run {
                let place =
                    run.place == 0 || run.end == nil
                    ? 0 : texts.number(of: text(LiveTexts.function(run.place)))
                var last = TraceTasks.Run(
                    task: Int32(index), executor: executor, thread: run.thread, start: run.start,
                    end: run.end ?? end)
                if run.end != nil {
                    (last.awaits, last.place, last.nextExecutor) = (run.awaits, place, executor)
                    last.awaited = indices[run.awaited] ?? TraceTasks.none
                    if isReady { last.ready = max(task.since, last.end) }
                    if task.isLoop {
                        var before = last
                        (before.end, before.ready) = (last.start, last.start)
                        traced.runs.append(before)
                    }
                }
                traced.runs.append(last)
            } else if isReady {
                entry.enqueued = task.since
                traced.firstExecutors[Int32(index)] = executor
            }
            traced.entries.append(entry)
            traced.firstRuns.append(traced.runs.count)
        }
        traced.texts = texts
        if !searches.isEmpty { traced.take(Array(searches.values)) }
        return traced
    }
}
