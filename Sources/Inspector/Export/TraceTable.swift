/// A trace as tables for databases: its operations, its edges, and its events. `Documentation/Export.md` describes them.
///
/// Every row has the name of its run, so that the tables of a thousand traces are one: an operation is identified by run and
/// identifier together.
public enum TraceTable: String, CaseIterable, Sendable {
    case operations, edges, events

    /// How rows are written.
    public enum Form: String, CaseIterable, Sendable {
        /// With a line of headings ([RFC 4180](https://www.rfc-editor.org/rfc/rfc4180)). What is not known is empty; a text that
        /// a spreadsheet would take for a formula has an apostrophe before it.
        case csv
        /// An object on a line ([JSON Lines](https://jsonlines.org)). What is not known is `null`; texts are as they are.
        case jsonLines = "jsonl"
    }

    /// Writes the table in pieces of about a megabyte, the same bytes each time. Linear in its rows; of operations also in
    /// edges, for their slack.
    public func write(_ exported: ExportedTrace, as form: Form, _ emit: ([UInt8]) -> Void) {
        switch self {
        case .operations: OperationsTable(exported).write(form, emit)
        case .edges: EdgesTable(exported: exported).write(form, emit)
        case .events: EventsTable(exported: exported).write(form, emit)
        }
    }

    /// What is not in the tables as it is in the trace, one sentence each.
    public static func notes(_ exported: ExportedTrace) -> [String] { exported.notes }
}
