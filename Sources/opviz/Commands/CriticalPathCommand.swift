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

    @Argument(
        help: "Trace file.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Flag(help: "Print every step of a long chain.")
    var all = false

    @OptionGroup
    var destination: Destination<CriticalPathReport>

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace)
            let trace = try Console.read(trace)
            try output.write(CriticalPathReport(TraceAnalysis(trace)), isWhole: all)
        }
    }
}
