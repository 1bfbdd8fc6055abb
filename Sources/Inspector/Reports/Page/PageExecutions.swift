import InspectorColumns

/// The parts of executions for a page: their sums as columns, and for the longer ones their order in time.
struct PageExecutions {
    /// Limits the size of the page, whatever the trace: longer executions are told in more columns of time.
    private static let mostColumns: Int64 = 60_000
    /// An execution with fewer columns than this is drawn by its sums.
    private static let fewestColumns: Int64 = 4

    private let use: ProcessorUse
    private let parts: [ExecutionParts]
    private let selection: PageSelection
    /// Nanoseconds of a column.
    private let width: Int64

    /// Nil if the trace does not say when threads were on processors.
    init?(_ analysis: TraceAnalysis, _ selection: PageSelection) {
        guard let use = ProcessorUse(analysis.timings) else { return nil }
        self.use = use
        self.selection = selection
        let tasks = TaskLifetimes(analysis.trace.tasks, use)
        parts = selection.operations.map { index in
            use.parts(of: index) ?? analysis.trace.task(index).flatMap(tasks.runningParts)
                ?? ExecutionParts()
        }
        let sum = parts.reduce(Int64(0)) { $0.saturatingAdd($1.total) }
        width = max(1, sum / Self.mostColumns)
    }

    /// What follows from the other columns, `data.js` computes.
    var object: JSONObject {
        var object = JSONObject()
        var labels = JSONObject()
        for part in ExecutionParts.Part.allCases { labels.add(part.row.key, part.label) }
        object.add("labels", labels)
        object.add("patterns", ExecutionParts.Part.allCases.map { "\($0.row.pattern)" })
        object.add("areEstimated", ExecutionParts.Part.allCases.filter(\.row.isEstimated).map(\.row.key))
        for part in ExecutionParts.Part.allCases where part != .onCPU {
            object.add(part.row.key, PageColumn.object(parts.map { $0[part] }))
        }
        object.add("isEstimate", PageColumn.object(parts.map { $0.isExact ? 0 : 1 }))
        addStretches(to: &object)
        return object
    }

    /// For each operation how many stretches it has, and for each stretch its part and its columns.
    private func addStretches(to object: inout JSONObject) {
        var (counts, kinds, lengths): ([Int64], [Int64], [Int64]) = ([], [], [])
        for (position, index) in selection.operations.enumerated() {
            let start =
                parts[position].total >= width * Self.fewestColumns ? use.executionStart(of: index) : nil
            let stretches =
                start.map {
                    use.drawnStretches(
                        of: index, within: .min..<Int64.max, TimeColumns(from: $0, width: Double(width)))
                } ?? []
            counts.append(Int64(stretches.count))
            for stretch in stretches {
                kinds.append(Int64(stretch.part.rawValue))
                lengths.append((stretch.end - stretch.start + width - 1) / width)
            }
        }
        object.add("width", width)
        object.add("counts", PageColumn.object(counts))
        object.add("parts", PageColumn.object(kinds))
        object.add("lengths", PageColumn.object(lengths))
        object.add("stretches", kinds.count)
    }
}
