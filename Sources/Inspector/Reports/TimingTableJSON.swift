import EventLog

extension TimingTable {
    /// The version of `json`: raised when a member is removed or changes its meaning, not when one is added.
    static let jsonVersion = 4

    /// One object, with a line for each row: `Documentation/schemas/table.schema.json` describes it. Texts
    /// are as they are in the trace.
    ///
    /// Times are whole nanoseconds, written as numbers. Not every program can read numbers from 2⁵³ (104
    /// days) on exactly.
    public func json() -> [UInt8] { [UInt8](pieces: writeJSON) }

    func writeJSON(_ emit: ([UInt8]) -> Void) {
        var header = JSONObject()
        header.add("format", "opviz-table")
        header.add("version", Self.jsonVersion)
        header.add("process", timings.trace.header.process)
        header.add("makespanNs", timings.makespan)
        // Lazy: all objects of a million operations would need 1 GB.
        let rows: AnySequence<JSONObject>
        switch content {
        case .groups(let grouping, let groups):
            header.add("by", grouping.rawValue)
            rows = AnySequence(groups.lazy.map { row($0, grouping) })
        case .operations(let operations, _):
            header.add("by", "operation")
            rows = AnySequence(operations.lazy.map(row))
        case .tasks(let tables):
            header.add("by", tables.word)
            rows = tables.rows
        }
        header.add("total", total)
        var bytes = Array(header.closed.dropLast())
        bytes.append(contentsOf: ",\n \"rows\": [".utf8)
        for (index, row) in rows.enumerated() {
            bytes.append(contentsOf: (index == 0 ? "\n  " : ",\n  ").utf8)
            bytes.append(contentsOf: row.closed)
            bytes.emitPiece(emit)
        }
        bytes.append(contentsOf: "\n]}\n".utf8)
        emit(bytes)
    }

    private func row(_ group: GroupTiming, _ grouping: OperationGrouping) -> JSONObject {
        var row = JSONObject()
        row.add(grouping.rawValue, group.name)
        row.add("count", group.count)
        row.add("succeeded", group.succeeded)
        row.add("failed", group.failed)
        row.add("cancelled", group.cancelled)
        row.add("unfinished", group.unfinished)
        for part in LifetimeParts.Part.allCases {
            let distribution = group[part]
            var times = JSONObject()
            times.add("count", distribution.count)
            for (name, nanoseconds) in distribution.statistics { times.add(name + "Ns", nanoseconds) }
            row.add(part.name, times)
        }
        guard let samples else { return row }
        var parts = JSONObject()
        for part in ExecutionParts.Part.allCases {
            var times = JSONObject()
            for (name, nanoseconds) in samples.distribution(part, of: group.number).statistics {
                times.add(name + "Ns", nanoseconds)
            }
            parts.add(part.row.key, times)
        }
        parts.add("isEstimated", !samples.isExact(group.number))
        row.add("executionParts", parts)
        return row
    }

    private func row(_ index: Int) -> JSONObject {
        var row = JSONObject()
        let values = OperationTableRow(timings, index)
        for column in OperationTableColumn.all {
            switch column.value(values) {
            case .text(let text): row.add(column.key, text)
            case .number(let number): row.add(column.key, number)
            }
        }
        row.add("executionParts", processorUse?.parts(of: index)?.json)
        return row
    }
}

extension ExecutionParts {
    /// Each part in nanoseconds.
    var json: JSONObject {
        var object = JSONObject()
        for part in Part.allCases { object.add("\(part.row.key)Ns", self[part]) }
        object.add("isEstimated", !isExact)
        return object
    }
}
