import InspectorColumns

/// A trace as tables for databases: its operations, its edges, its events, the run itself, and the hazards in
/// it. `Documentation/Export.md` describes them.
///
/// Every row has the identifier of its run, so that the tables of a thousand traces are one: an operation is
/// identified by run and identifier together.
public enum TraceTable: String, CaseIterable, Sendable {
    /// One table each. `runs` has a single row a trace.
    case operations, edges, events, runs, hazards

    /// How rows are written.
    public enum Form: String, CaseIterable, Sendable {
        /// With a line of headings ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)). What is not known is
        /// empty; a text that a spreadsheet would take for a formula has an apostrophe before it.
        case csv
        /// An object on a line ([JSON Lines](https://jsonlines.org)). What is not known is `null`; texts are
        /// as they are.
        case jsonLines = "jsonl"
    }

    /// Writes the rows of a trace in pieces of about a megabyte, the same bytes each time. Linear in the
    /// rows; of operations also in edges, for their slack; of hazards n log n in operations and edges.
    ///
    /// - Parameter hasHeadings: with the line of headings, where the form has one; in a table of many traces
    ///   the first only.
    public func write(
        _ exported: ExportedTrace, as form: Form, hasHeadings: Bool = true, _ emit: ([UInt8]) -> Void
    ) {
        func writer(_ columns: [String]) -> TableWriter {
            TableWriter(form, columns: columns, hasHeadings: hasHeadings)
        }
        switch self {
        case .operations: OperationsTable(exported).write(writer(OperationsTable.columns), emit)
        case .edges: EdgesTable(exported: exported).write(writer(EdgesTable.columns), emit)
        case .events: EventsTable(exported: exported).write(writer(EventsTable.columns), emit)
        case .runs: RunsTable(exported: exported).write(writer(RunsTable.columns), emit)
        case .hazards: HazardsTable(exported: exported).write(writer(HazardsTable.columns), emit)
        }
    }

    /// What is not in the tables as it is in the trace, one sentence each.
    public static func notes(_ exported: ExportedTrace) -> [String] { exported.notes }
}
