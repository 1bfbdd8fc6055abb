import InspectorColumns

/// The lanes of queues in a page's timeline, as a picture of the timeline has them. Below the lanes of a
/// queue, operations that still wait have a row, and operations that ended without a start have another.
struct PageLanes {
    /// For each queue its place in the page's table, how many lanes it has, and for each row below them what
    /// it contains.
    let sections: [JSONObject]
    /// For each operation of the page its row within the queue, plus one; 0 for tasks, and for operations
    /// that were never added.
    let rows: [Int64]

    /// Cost: O(n log n) in operations.
    ///
    /// - Parameter analysis: with the tasks as operations.
    init(_ analysis: TraceAnalysis, _ selection: PageSelection) {
        let columns = analysis.trace.operations.store.columns
        let transitions = analysis.timings.transitions
        let operations = selection.operations.filter {
            transitions[$0] != nil && analysis.trace.task($0) == nil
        }
        var rows = [Int64](repeating: 0, count: selection.operations.count)
        func set(_ operation: Int32, _ row: Int) {
            if let position = selection.position(of: Int(operation)) { rows[position] = Int64(row) + 1 }
        }
        let layout = TimelineLayout(
            analysis, operations.map(Int32.init), TimelineLayout.Limits(rows: 0, lanes: .max, mergedQueues: 0)
        )
        sections = layout.sections.map { section in
            for bar in section.bars { set(bar.operation, Int(bar.lane)) }
            var (waiting, next) = ([JSONObject](), section.lanes)
            for isOpen in [true, false] {
                let members = section.operations.filter {
                    !columns.executing.has(Int($0)) && columns.finished.has(Int($0)) != isOpen
                }
                guard let end = members.compactMap({ transitions.end(of: Int($0)) }).max() else { continue }
                for operation in members { set(operation, next) }
                next += 1
                var row = JSONObject()
                row.add("isOpen", isOpen ? 1 : 0)
                row.add("end", end)
                waiting.append(row)
            }
            var object = JSONObject()
            object.add("queue", section.queue.map { $0 + 1 } ?? 0)
            object.add("lanes", section.lanes)
            object.add("waiting", waiting)
            return object
        }
        self.rows = rows
    }
}
