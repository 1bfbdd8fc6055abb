import InspectorColumns

/// A part of the lifetime of a Swift task that lies in one piece.
package struct TaskStretch: Hashable, Sendable {
    package var part: TaskPart
    /// Nanoseconds since the start of the trace.
    package var start: Int64
    package var end: Int64
}

extension TaskLifetimes {
    /// The parts of a lifetime in the order of time, as narrow as a picture can show: each column shows one
    /// part, and what a column does not show counts in the next ones, as in
    /// `ProcessorUse.drawnStretches(of:within:_:)`.
    ///
    /// Cost: columns of the lifetime × log of the task's runs, and linear in its runs.
    package func drawnStretches(
        of task: Int, within window: Range<Int64>, _ columns: TimeColumns
    ) -> [TaskStretch] {
        let shown = range(of: task).clamped(to: window)
        var stretches: [TaskStretch] = []
        var unshown = TaskParts()
        var from = shown.lowerBound
        while from < shown.upperBound {
            let to = min(columns.end(of: from), shown.upperBound)
            unshown += parts(of: task, from: from, to: to)
            let most = unshown.longest
            unshown[most] -= to - from
            if let last = stretches.last, last.part == most {
                stretches[stretches.count - 1].end = to
            } else {
                stretches.append(TaskStretch(part: most, start: from, end: to))
            }
            from = to
        }
        return stretches
    }
}
