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
            opviz diff before.json after.json -o diff.html  the page of opviz report, with both runs

            opviz diff before.json after.json --flame -o flame.svg   which code takes longer

            Operations are matched by kind, name and place in the graph. Two single runs prove nothing: runs \
            of \
            the same program differ, too. The exit code is always 0.
            """)

    @Argument(help: "Trace of the earlier run.", completion: TraceArgument.completion)
    var before: String

    @Argument(help: "Trace of the later run.", completion: TraceArgument.completion)
    var after: String

    @OptionGroup var length: LengthOption

    @OptionGroup var destination: Destination<ComparisonOutput>

    @Flag(help: "Compare the code that operations spend their time in.")
    var flame = false

    @OptionGroup var picture: PictureOptions

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: before, after)
            if flame { return try writeFlames(output) }
            try output.write(
                ComparisonOutput(
                    (before: try analysis(before), after: try analysis(after)),
                    (before: before, after: after), theme: picture.theme), isWhole: length.all)
        }
    }

    private func writeFlames(_ output: OpenedDestination<ComparisonOutput>) throws {
        guard FlameComparisonOutput.renderers.contains(where: { $0.format == output.format }) else {
            throw CommandError(.usage, "--flame writes text or svg, not \(output.format.name)")
        }
        let profiles = try [before, after].map { path in
            try FlameCommand.profile(TraceTimings(try Console.read(path)), of: path)
        }
        try output.file.write(
            FlameComparisonOutput(
                before: profiles[0], after: profiles[1], names: (before, after), theme: picture.theme),
            as: output.format, WritingStyle(width: Console.width, isWhole: length.all))
    }

    private func analysis(_ path: String) throws -> TraceAnalysis {
        let trace = try Console.read(path, showsTasks: true)
        return TraceAnalysis(trace)
    }
}
