import EventLog

/// Writes the rows of a table, cell by cell, in the order of its columns.
struct TableWriter {
    private let form: TraceTable.Form
    /// The bytes before each cell.
    private let heads: [[UInt8]]
    private var column = 0
    private(set) var bytes: [UInt8] = []

    /// The first columns of every table, which identify the run.
    static let runColumns = ["run", "trace", "trace_start_utc_ns"]
    /// Further columns of tables about machines and versions.
    static let programColumns = ["process", "pid", "host", "labels", "is_complete"]

    /// - Parameter hasHeadings: whether to begin with the headings, if the form has any.
    init(_ form: TraceTable.Form, columns: [String], hasHeadings: Bool) {
        self.form = form
        switch form {
        case .csv:
            heads = columns.indices.map { $0 == 0 ? [] : Array(",".utf8) }
            if hasHeadings {
                bytes += columns.joined(separator: ",").utf8
                bytes += "\r\n".utf8
            }
        case .jsonLines:
            heads = columns.enumerated().map { Array("\($0 == 0 ? "{" : ",")\"\($1)\":".utf8) }
        }
    }

    /// The cells of ``runColumns``.
    mutating func addRun(_ exported: ExportedTrace) {
        begin()
        let identifier = exported.identifier
        bytes += (form == .csv ? identifier : "\"\(identifier)\"").utf8
        add(exported.run)
        add(exported.start)
    }

    /// The cells of ``programColumns``.
    ///
    /// - Parameter process: the process of the row.
    mutating func addProgram(_ exported: ExportedTrace, _ process: LogProcess) {
        // Empty and 0 mean unknown.
        add(process.process.isEmpty ? nil : process.process)
        add(process.knownProcessID)
        add(process.host.isEmpty ? nil : process.host)
        add(exported.labels)
        add(exported.isComplete)
    }

    /// A JSON object; in CSV as a text.
    private mutating func add(_ labels: [(name: String, value: String)]) {
        var object = JSONObject()
        for label in labels { object.add(label.name, label.value) }
        begin()
        switch form {
        case .csv: bytes += CSVText.cell(String(decoding: object.closed, as: UTF8.self)).utf8
        case .jsonLines: bytes += object.closed
        }
    }

    /// A text from the trace.
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

    mutating func add(_ value: Bool) { add(Optional(value)) }

    mutating func add(_ value: Bool?) {
        begin()
        if let value {
            bytes += (value ? "true" : "false").utf8
        } else if form == .jsonLines {
            bytes += "null".utf8
        }
    }

    mutating func add<Row>(_ value: TaskColumn<Row>.Value) {
        switch value {
        case .text(let text): add(text)
        case .number(let number): add(number)
        case .flag(let flag): add(flag)
        }
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
