import EventLog

/// Writes the rows of a table, cell by cell, in the order of its columns.
struct TableWriter {
    private let form: TraceTable.Form
    /// What stands before each cell.
    private let heads: [[UInt8]]
    private var column = 0
    private(set) var bytes: [UInt8] = []

    /// With the headings, where the form has any.
    init(_ form: TraceTable.Form, columns: [String]) {
        self.form = form
        switch form {
        case .csv:
            heads = columns.indices.map { $0 == 0 ? [] : Array(",".utf8) }
            bytes += columns.joined(separator: ",").utf8
            bytes += "\r\n".utf8
        case .jsonLines:
            heads = columns.enumerated().map { Array("\($0 == 0 ? "{" : ",")\"\($1)\":".utf8) }
        }
    }

    /// A text of the trace.
    mutating func add(_ text: String?) {
        begin()
        switch form {
        case .csv: bytes += CSVText.cell(CSVText.inert(text ?? "")).utf8
        case .jsonLines:
            if let text { JSONText.append(text, to: &bytes) } else { bytes += "null".utf8 }
        }
    }

    mutating func add(_ number: (some FixedWidthInteger)?) {
        begin()
        if let number {
            bytes += String(number).utf8
        } else if form == .jsonLines {
            bytes += "null".utf8
        }
    }

    mutating func add(_ value: Bool) {
        begin()
        bytes += (value ? "true" : "false").utf8
    }

    mutating func endRow(_ emit: ([UInt8]) -> Void) {
        bytes += (form == .csv ? "\r\n" : "}\n").utf8
        column = 0
        bytes.emitPiece(emit)
    }

    private mutating func begin() {
        bytes += heads[column]
        column += 1
    }
}
