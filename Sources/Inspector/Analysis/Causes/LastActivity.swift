import InspectorColumns

extension Trace {
    /// When an operation was last added, started or finished, or a task last created, begun, suspended or
    /// finished, in nanoseconds since the start of the trace. Nil if nothing was added or created.
    ///
    /// Linear in operations and runs of tasks.
    ///
    /// - Parameter end: of the trace; a run that lasts until then may go on.
    package func lastActivity(before end: Int64) -> Int64? {
        let columns = operations.store.columns
        var last: Int64?
        func add(_ time: Int64) { last = max(last ?? time, time) }
        for index in operations.indices where columns.enqueued.has(index) {
            for times in [columns.enqueued, columns.executing, columns.finished] where times.has(index) {
                add(times.notAfter(index))
            }
        }
        for run in tasks.runs {
            add(run.start)
            if run.end < end { add(run.end) }
        }
        for task in tasks.entries {
            for time in [task.created, task.enqueued, task.finished].compactMap(\.self) { add(time) }
        }
        return last
    }
}
