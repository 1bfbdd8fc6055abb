import ArgumentParser
import Inspector

struct CriticalPathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "critical-path",
        abstract: "Prints what delayed the run, operation by operation, with their waits.",
        discussion: """
            Prints two chains. The first goes through everything that delayed the run: dependencies, slots, \
            threads and parents. The second goes through dependencies only: more slots cannot shorten it.

            With --operation, --kind or --queue, it prints only the steps of these operations.
            """)

    @OptionGroup var trace: TraceArgument

    @OptionGroup var selected: SelectedOperations

    @OptionGroup var length: LengthOption

    @OptionGroup var destination: Destination<CriticalPathReport>

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace.path)
            let analysis = TraceAnalysis(try trace.read(showsTasks: true).withTasks())
            let report = CriticalPathReport(
                analysis, only: try selected.selection(in: analysis, path: trace.path))
            try output.write(report, isWhole: length.all)
        }
    }
}
