import ArgumentParser
import Inspector

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two runs, operation by operation: what is new, gone, slower and faster.",
        discussion: """
            opviz diff before.json after.json               on the terminal
            opviz diff before.json after.json -o diff.svg   as a picture
            opviz diff before.json after.json -o diff.md    for a pull request; also .json

            Operations are matched by kind, name and place in the graph. Two single runs prove nothing: runs \
            of \
            the same program differ, too. The exit code is always 0.
            """)

    @Argument(help: "Trace of the earlier run.", completion: .file(extensions: ["json", "optrace"]))
    var before: String

    @Argument(help: "Trace of the later run.", completion: .file(extensions: ["json", "optrace"]))
    var after: String

    @OptionGroup
    var destination: Destination<ComparisonOutput>

    @Option(help: "Theme of the picture: light or dark.")
    var theme = PictureTheme.light

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: before, after)
            try output.write(
                ComparisonOutput(
                    TraceComparison(before: try analysis(before), after: try analysis(after)),
                    before: before, after: after, theme: theme))
        }
    }

    private func analysis(_ path: String) throws -> TraceAnalysis {
        let trace = try Console.read(path)
        return TraceAnalysis(trace)
    }
}
