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
            let times = LifetimeParts.Part.allCases.map { "\($0.name)_ns" }
            line(
                [
                    "id", "kind", "name", "queue", "thread", "outcome", "enqueued_ns", "started_ns",
                    "finished_ns",
                ]
                    + times + ["lifetime_ns"]
                    + (processorUse == nil ? [] : ExecutionParts.Part.allCases.map { "\($0.row.column)_ns" }))
            for index in operations { line(row(index)) }
        }
        emit(bytes)
    }

    /// Empty cells for an operation that never started.
    private func parts(_ index: Int) -> [String] {
        guard let processorUse else { return [] }
        let parts = processorUse.parts(of: index)
        return ExecutionParts.Part.allCases.map { part in parts.map { String($0[part]) } ?? "" }
    }

    private func row(_ index: Int) -> [String] {
        let operation = timings.trace.operations[index]
        let waits = timings.waits[index] ?? LifetimeParts()
        let moments = moments(of: index)
        let times = [moments.enqueued, moments.started, moments.finished].map { $0.map { String($0) } ?? "" }
        let texts = [
            operation.kind, operation.name ?? "",
            operation.queue.map { timings.trace.queues[$0].name } ?? "",
        ]
        return [operation.id.description] + texts.map(CSVText.inert)
            + [operation.thread.map { String($0) } ?? "", Self.outcome(operation)] + times
            + LifetimeParts.Part.allCases.map { String(waits[$0]) } + [String(waits.total)] + parts(index)
    }
}
