import ArgumentParser
import Inspector

struct TableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Prints how long operations executed, and how long they waited for what.")

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, markdown }

    enum Grouping: String, CaseIterable, ExpressibleByArgument { case kind, operation }

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(help: "A row for each of these: kind or operation.")
    var by = Grouping.kind

    @Option(name: .shortAndLong, help: "text or markdown.")
    var format = Format.text

    @Option(name: .shortAndLong, help: "Where to write it. - is standard output.", completion: .file())
    var output = "-"

    func run() throws {
        try CommandError.reported {
            let file = try OutputFile(output, notOverwriting: trace)
            let trace = try TraceReader(path: trace).read()
            Console.warn(of: trace.losses, in: self.trace)
            let table = TimingTable(TraceAnalysis(trace), by: by == .kind ? .kind : .operation)
            let text =
                switch format {
                case .text: table.text(width: Console.width ?? 80)
                case .markdown: table.markdown()
                }
            try file.write(Array(text.utf8))
        }
    }
}
