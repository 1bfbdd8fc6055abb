public import ArgumentParser
public import Inspector

struct TableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Prints how long operations executed, and how long they waited for what.")

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

    @OptionGroup
    var destination: Destination<TimingTable>

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top must be at least 1.") }
        guard by == .operation ? sort.isForOperations : sort.isForGroups else {
            throw ValidationError("--sort \(sort) makes no sense with --by \(by).")
        }
    }

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace)
            let trace = try Console.read(trace)
            try output.write(TimingTable(TraceTimings(trace), by: by.content, order: sort, limit: top))
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
