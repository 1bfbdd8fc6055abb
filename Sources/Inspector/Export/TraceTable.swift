/// A trace as tables for databases: its operations, its edges, its events, the run itself, its hazards, its
/// Swift tasks and their runs.
/// `Documentation/Export.md` describes them.
///
/// Every row has the identifier of its run, so that the tables of many traces can be combined: run and
/// identifier together identify an operation.
public enum TraceTable: String, CaseIterable, Sendable {
    /// One table each. `runs` has a single row per trace.
    case operations, edges, events, runs, hazards, tasks
    /// A row for each stretch of a task on a thread.
    case taskRuns = "task_runs"

    /// How rows are written.
    public enum Form: String, CaseIterable, Sendable {
        /// With a line of headings ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)). Unknown values are
        /// empty. If a spreadsheet would take a text for a formula, an apostrophe is put before it.
        case csv
        /// An object per line ([JSON Lines](https://jsonlines.org)). Unknown values are `null`; texts are
        /// unchanged.
        case jsonLines = "jsonl"
    }

    /// Writes the rows of a trace in pieces of about a megabyte, always with the same bytes. Linear in the
    /// rows; for operations also in edges, for their slack; for hazards n log n in operations and edges.
    ///
    /// - Parameters:
    ///   - hasHeadings: whether to write the line of headings, if the form has one. In a table of many
    ///     traces, only for the first.
    ///   - hasParts: whether operations have columns for the parts of their executions; nil if the trace has
    ///     these. In a CSV table of many traces, the same for all.
    public func write(
        _ exported: ExportedTrace, as form: Form, hasHeadings: Bool = true, hasParts: Bool? = nil,
        _ emit: ([UInt8]) -> Void
    ) {
        func writer(_ columns: [String]) -> TableWriter {
            TableWriter(form, columns: columns, hasHeadings: hasHeadings)
        }
        switch self {
        case .operations:
            let table = OperationsTable(exported, hasParts: hasParts ?? exported.hasParts)
            table.write(writer(table.columns), emit)
        case .edges: EdgesTable(exported: exported).write(writer(EdgesTable.columns), emit)
        case .events: EventsTable(exported: exported).write(writer(EventsTable.columns), emit)
        case .runs: RunsTable(exported: exported).write(writer(RunsTable.columns), emit)
        case .tasks: TasksTable(exported: exported).write(writer(TasksTable.columns), emit)
        case .taskRuns: TaskRunsTable(exported: exported).write(writer(TaskRunsTable.columns), emit)
        case .hazards: HazardsTable(exported: exported).write(writer(HazardsTable.columns), emit)
        }
    }

    /// What is not in the tables exactly as in the trace, one sentence each.
    public static func notes(_ exported: ExportedTrace) -> [String] { exported.notes }
}
