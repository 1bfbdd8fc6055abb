import ArgumentParser
import Inspector

struct CriticalPathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "critical-path",
        abstract: "Prints what delayed the run, operation by operation, with their waits.",
        discussion: """
            In two readings: through everything that really delayed it, which is what happened, and through
            dependencies only, which is what would remain with any number of slots.
            """)

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Flag(help: "Every step of a long chain, and not only its beginning and its end.")
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
