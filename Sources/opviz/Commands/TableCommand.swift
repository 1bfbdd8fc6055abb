public import ArgumentParser
public import Inspector

struct TableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Prints how long operations executed, and what they waited for.")

    enum Rows: String, CaseIterable, ExpressibleByArgument {
        case kind, operation, queue, thread, process, task
        case taskKind = "task-kind"
        case executor

        var isOfTasks: Bool { self == .task || self == .taskKind || self == .executor }
    }

    @OptionGroup var trace: TraceArgument

    @Option(
        help: """
            Group rows by kind, operation, queue, thread or process; Swift's tasks by task, task-kind or \
            executor.
            """)
    var by = Rows.kind

    @Option(help: "Column to sort by.")
    var sort = TableOrder.execution

    @Option(help: "Maximum number of rows. (default: all; as text or Markdown, 10 or, with one table, 40)")
    var top: Int?

    @OptionGroup var selected: SelectedOperations

    @OptionGroup var length: LengthOption

    @OptionGroup var destination: Destination<TimingTable>

    func validate() throws {
        if let top, top < 1 { throw ValidationError("--top must be at least 1.") }
        if by.isOfTasks, !selected.isEmpty {
            throw ValidationError(
                "--operation, --kind and --queue cannot be used with --by \(by.rawValue).")
        }
        if by.isOfTasks, sort == .execution { return }
        guard !by.isOfTasks, by == .operation ? sort.isForOperations : sort.isForGroups else {
            throw ValidationError("--sort \(sort.rawValue) cannot be used with --by \(by.rawValue).")
        }
    }

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace.path)
            let read = try trace.read(showsTasks: true)
            let table: TimingTable
            if selected.isEmpty {
                table = TimingTable(TraceTimings(read), by: by.content, order: sort, limit: top)
            } else {
                let analysis = TraceAnalysis(read)
                table = TimingTable(
                    analysis.timings, by: by.content, order: sort, limit: top,
                    only: try selected.selection(in: analysis, path: trace.path))
            }
            try output.write(table, isWhole: length.all || top != nil)
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
        case .task: .tasks
        case .taskKind: .taskGroups(.kind)
        case .executor: .taskGroups(.executor)
        }
    }
}

extension TableOrder: ExpressibleByArgument {}
