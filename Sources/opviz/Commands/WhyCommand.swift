import ArgumentParser
import Inspector

struct WhyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Says in a dozen lines why the run took so long, or is stuck.",
        discussion: """
            Prints the one to three things that cost most, the worst first, each with the command that shows \
            more: what never ends, what lint finds, what delayed the run, and what more slots would save. \
            It says so if nothing is wrong.
            """)

    @OptionGroup var trace: TraceArgument

    @OptionGroup var destination: Destination<WhyOutput>

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace.path)
            let report = WhyReport(TraceAnalysis(try trace.read(showsTasks: true)))
            try output.write(WhyOutput(report, path: trace.path))
        }
    }
}
