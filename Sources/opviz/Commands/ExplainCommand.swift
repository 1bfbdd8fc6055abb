import ArgumentParser
import Inspector

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains why an operation took so long: what it waited for, and what waited for it.",
        discussion: """
            opviz explain trace.json "page 7"      by name, or by kind
            opviz explain trace.json 0x1f          by ID, as other commands print it
            opviz explain trace.json               the operation with the longest lifetime

            If several operations match, it explains the one with the longest lifetime.
            """)

    @OptionGroup var trace: TraceArgument

    @Argument(help: "Name, kind or ID. (default: the longest lifetime)")
    var operation: String?

    @OptionGroup var length: LengthOption

    @OptionGroup var destination: Destination<Explanation>

    func run() throws {
        try CommandError.reported {
            try checkOrder()
            let output = try destination.open(notOverwriting: trace.path)
            let path = trace.path
            let trace = try trace.read(showsTasks: true).withTasks()
            let analysis = TraceAnalysis(trace)
            let search = OperationSearch(operation, in: analysis)
            guard let found = search.matches.first else {
                // An empty trace was reported already.
                guard let operation, !trace.operations.isEmpty else { throw ExitStatus.usage.code }
                throw CommandError(.usage, "\(path): \(MissingName.operation(operation, in: trace))")
            }
            if let operation, search.matches.count > 1 { Console.report(others(operation, search, trace)) }
            try output.write(Explanation(of: found, in: analysis), isWhole: length.all)
        }
    }

    /// Detects swapped arguments: an operation's name for the trace and a trace for the operation.
    private func checkOrder() throws {
        guard let operation, !UnknownCommand.isTrace(trace.path), UnknownCommand.isTrace(operation) else {
            return
        }
        throw CommandError(
            .usage,
            "the trace comes before the operation: opviz explain \(ShellText.quoted(operation)) "
                + ShellText.quoted(trace.path))
    }

    private func others(_ name: String, _ search: OperationSearch, _ trace: Trace) -> String {
        let shown = search.matches.dropFirst().prefix(5).map { "\(trace.operations[$0].id)" }
        let more = search.matches.count - 1 - shown.count
        return
            "note: \(Prose.grouped(search.matches.count)) operations match "
            + "\(NearestNames.quoted(name)); this is the one with the longest lifetime, "
            + "\(trace.operations[search.matches[0]].id). The others: \(shown.joined(separator: ", "))"
            + (more > 0 ? " and \(Prose.grouped(more)) more" : "")
    }
}
