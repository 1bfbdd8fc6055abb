import ArgumentParser
import Inspector

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains why an operation took so long: what it waited for, and what waited for it.",
        discussion: """
            opviz explain trace.json "page 7"      by name, or by kind
            opviz explain trace.json 0x1f          by ID, as other commands print it
            opviz explain trace.json finding:3     what lint found; also step:2, queue:images
            opviz explain trace.json               the operation with the longest lifetime

            If several operations match, it explains the one with the longest lifetime, and of a finding the \
            first. opviz help names has all forms.
            """)

    @OptionGroup var trace: TraceArgument

    @Argument(help: "Name, ID, group, finding or step. (default: the longest lifetime)")
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
            // An empty trace was reported already.
            if trace.operations.isEmpty { throw ExitStatus.usage.code }
            var found = 0
            if let operation {
                let search = try HandleSearch.of(operation, in: analysis, path: path)
                if search.matches.count > 1 { Console.report(others(search, trace)) }
                found = search.matches[0]
            } else {
                found = OperationSearch(nil, in: analysis).matches[0]
            }
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

    private func others(_ search: HandleSearch, _ trace: Trace) -> String {
        let shown = search.matches.dropFirst().prefix(5).map { "\(trace.operations[$0].id)" }
        let more = search.matches.count - 1 - shown.count
        let (name, count) = (NearestNames.quoted(search.handle.text), Prose.grouped(search.matches.count))
        let choice =
            search.handle.form == .finding
            ? "\(name) lists \(count) operations; this is the first"
            : "\(count) operations match \(name); this is the one with the longest lifetime"
        return "note: \(choice), "
            + "\(trace.operations[search.matches[0]].id). The others: \(shown.joined(separator: ", "))"
            + (more > 0 ? " and \(Prose.grouped(more)) more" : "")
    }
}
