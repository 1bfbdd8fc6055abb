import InspectorColumns

extension Trace {
    /// When an operation was first and last added, started or finished, or a task first and last created,
    /// begun, suspended or finished, in nanoseconds since the start of the trace. Nil if nothing was added or
    /// created.
    ///
    /// Linear in operations and runs of tasks.
    ///
    /// - Parameter end: of the trace; a run that lasts until then may go on.
    package func activity(before end: Int64) -> ClosedRange<Int64>? {
        let columns = operations.store.columns
        var (first, last) = (Int64.max, Int64.min)
        func add(_ time: Int64) { (first, last) = (min(first, time), max(last, time)) }
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
        return first <= last ? first...last : nil
    }
}
