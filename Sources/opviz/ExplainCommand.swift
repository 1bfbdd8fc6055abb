import ArgumentParser
import Inspector

struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says why one operation took so long: what it waited for, and what waited for it.",
        discussion: """
            opviz explain trace.json "page 7"      by name, or by kind
            opviz explain trace.json 0x1f          by the ID, which traces show
            opviz explain trace.json               the operation of the longest lifetime

            Where several have the name, it takes that of the longest lifetime, and says so.
            """)

    private static let longestName = 40

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Argument(help: "Its name, its kind, or its ID. (default: the one of the longest lifetime)")
    var operation: String?

    @Flag(help: "Every step of a long chain and all that happened, and not only the beginning and the end.")
    var all = false

    @OptionGroup
    var destination: Destination<Explanation>

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace)
            let trace = try Console.read(trace)
            let analysis = TraceAnalysis(trace)
            let search = OperationSearch(operation, in: analysis)
            guard let found = search.matches.first else {
                throw CommandError(.usage, nothingFound(search.similar))
            }
            if let operation, search.matches.count > 1 { Console.complain(others(operation, search, trace)) }
            try output.write(Explanation(of: found, in: analysis), isWhole: all)
        }
    }

    private func nothingFound(_ similar: [String]) -> String {
        guard let operation else { return "\(trace): there is no operation in it" }
        let names = similar.map { TerminalText.shortened($0, toColumns: Self.longestName) }
        let hint = similar.isEmpty ? "" : "; there are " + names.joined(separator: ", ")
        if operation.isEmpty { return "\(trace): the name that is asked for is empty\(hint)" }
        let asked = TerminalText.shortened(operation, toColumns: Self.longestName)
        return "\(trace): no operation has the name, the kind or the ID \(asked)\(hint)"
    }

    private func others(_ name: String, _ search: OperationSearch, _ trace: Trace) -> String {
        let shown = search.matches.dropFirst().prefix(5).map { "\(trace.operations[$0].id)" }
        let more = search.matches.count - 1 - shown.count
        return
            "note: \(search.matches.count) operations are \(name); this is the one of the longest lifetime, "
            + "\(trace.operations[search.matches[0]].id). The others: \(shown.joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "")
    }
}
