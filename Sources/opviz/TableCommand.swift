public import ArgumentParser
public import Inspector

struct TableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Prints how long operations executed, and how long they waited for what.")

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, markdown, csv, json }

    enum Rows: String, CaseIterable, ExpressibleByArgument { case kind, operation, queue, thread, process }

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(help: "A row for each of these.")
    var by = Rows.kind

    @Option(help: "What comes first: the longest, or the most; for name and start the least.")
    var sort = TableOrder.execution

    @Option(help: "Print only so many rows.")
    var top: Int?

    @Option(name: .shortAndLong, help: "How to write it. CSV and JSON have all there is, in nanoseconds.")
    var format = Format.text

    @Option(name: .shortAndLong, help: "Where to write it. - is standard output.", completion: .file())
    var output = "-"

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top must be at least 1.") }
        guard by == .operation ? sort.isForOperations : sort.isForGroups else {
            throw ValidationError("--sort \(sort) makes no sense with --by \(by).")
        }
    }

    func run() throws {
        try CommandError.reported {
            let file = try OutputFile(output, notOverwriting: trace)
            let trace = try Console.read(trace)
            let table = TimingTable(TraceTimings(trace), by: by.content, order: sort, limit: top)
            let bytes =
                switch format {
                case .text: Array(table.text(width: Console.width ?? 80).utf8)
                case .markdown: Array(table.markdown().utf8)
                case .csv: table.csv()
                case .json: table.json()
                }
            try file.write(bytes)
        }
    }
}

extension TableCommand.Rows {
    fileprivate var content: TimingTable.Rows {
        switch self {
        case .kind: .groups(.kind)
        case .queue: .groups(.queue)
        case .thread: .groups(.thread)
        case .process: .groups(.process)
        case .operation: .operations
        }
    }
}

extension TableOrder: ExpressibleByArgument {}
