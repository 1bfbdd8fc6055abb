import ArgumentParser
import Inspector

struct CriticalPathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "critical-path",
        abstract: "Prints what delayed the run, operation by operation, with their waits.",
        discussion: """
            Prints two chains. The first goes through everything that delayed the run: dependencies, slots, \
            threads and parents. The second goes through dependencies only: more slots cannot shorten it.
            """)

    @OptionGroup var trace: TraceArgument

    @OptionGroup var length: LengthOption

    @OptionGroup var destination: Destination<CriticalPathReport>

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace.path)
            let report = CriticalPathReport(TraceAnalysis(try trace.read(showsTasks: true).withTasks()))
            try output.write(report, isWhole: length.all)
        }
    }
}
