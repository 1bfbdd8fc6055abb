extension TimingTable {
    /// Comma-separated values with a line of headings ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)),
    /// in nanoseconds.
    ///
    /// If a spreadsheet would take a text for a formula, an apostrophe is put before it, as OWASP recommends.
    public func csv() -> [UInt8] { [UInt8](pieces: writeCSV) }

    func writeCSV(_ emit: ([UInt8]) -> Void) {
        var bytes: [UInt8] = []
        func line(_ cells: [String]) {
            bytes.append(contentsOf: cells.map(CSVText.cell).joined(separator: ",").utf8)
            bytes.append(contentsOf: "\r\n".utf8)
            bytes.emitPiece(emit)
        }
        switch content {
        case .groups(let grouping, let groups):
            let times = LifetimeParts.Part.allCases.flatMap { part in
                Distribution([]).statistics.map { "\(part)_\($0.name)_ns" }
            }
            let parts = samples == nil ? [] : ExecutionParts.Part.allCases
            let partTimes = parts.flatMap { part in
                Distribution([]).statistics.map { "\(part.row.column)_\($0.name)_ns" }
            }
            line(
                [grouping.rawValue, "count", "succeeded", "failed", "cancelled", "unfinished"] + times
                    + partTimes)
            for group in groups {
                let counts = [
                    group.count, group.succeeded, group.failed, group.cancelled, group.unfinished,
                ]
                let times = LifetimeParts.Part.allCases.flatMap { part in
                    group[part].statistics.map(\.nanoseconds)
                }
                let partTimes = parts.flatMap { part in
                    samples?.distribution(part, of: group.number).statistics.map(\.nanoseconds) ?? []
                }
                line(
                    [CSVText.inert(group.name)] + counts.map(String.init)
                        + (times + partTimes).map { String($0) })
            }
        case .operations(let operations, _):
            line(
                OperationTableColumn.all.map(\.name)
                    + (processorUse == nil ? [] : ExecutionParts.tableColumns))
            for index in operations { line(row(index)) }
        case .tasks(let tables): tables.forEachLine(line)
        }
        emit(bytes)
    }

    /// Empty cells for an operation that never started.
    private func parts(_ index: Int) -> [String] {
        guard let processorUse else { return [] }
        let parts = processorUse.parts(of: index)
        return ExecutionParts.Part.allCases.map { part in parts.map { String($0[part]) } ?? "" }
            + [parts.map { String(!$0.isExact) } ?? ""]
    }

    private func row(_ index: Int) -> [String] {
        let row = OperationTableRow(timings, index)
        return OperationTableColumn.all.map { column in
            switch column.value(row) {
            case .text(let text): text.map(CSVText.inert) ?? ""
            case .number(let number): number.map { String($0) } ?? ""
            }
        } + parts(index)
    }
}
