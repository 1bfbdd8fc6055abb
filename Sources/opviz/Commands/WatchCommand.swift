import ArgumentParser
import Foundation
import Inspector

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract:
            "Follows a running program: its queues, executing and waiting operations, and hazards.",
        discussion: """
            opviz watch trace.optrace      the log that a program writes with OPVIZ_TRACE=trace.optrace
            opviz watch trace.json         the same, with OPVIZ_TRACE=trace.json
            opviz watch traces/            the newest log in the folder
            opviz watch 4711               the log of process 4711, also under opviz record (Linux)
            opviz watch --once 4711        one screen as text; with -f json, for programs
            opviz watch --prove 4711       the same, and which tasks nothing can resume any more

            Of a process that writes no log, it prints what can be seen from outside, and exits: where its \
            threads are, and with --prove also its operation queues and its suspended Swift tasks. Linux only.

            Keys: arrows select, enter opens an operation, tab shows one part in full, s sorts the queues, \
            space pauses, ? shows help, q quits. If standard output is not a terminal, a line is printed at \
            each interval.

            The program is not slowed down, and opviz uses at most 5 % of a core. If the program writes \
            faster than that, opviz skips records and counts them on the screen. When the program ends, a \
            summary of the whole run follows, and opviz exits with 0.
            """)

    @Argument(
        help: "Log, folder of logs, or process ID.",
        completion: .file(extensions: ["optrace", "json"]))
    var log: String

    @Option(help: "Seconds between updates, 0.1 to 3,600. (default: 0.5; for lines, 1)")
    var interval: Double?

    @Flag(help: "Print one screen as text and exit.")
    var once = false

    @Flag(
        help:
            """
            Search the memory of the program for what could still resume each Swift task that awaits its \
            continuation, and print one screen. The program stands still meanwhile. Linux only.
            """)
    var prove = false

    @Option(name: .shortAndLong, help: "Output format. (default: text)")
    var format: Format?

    @Flag(help: "Wait for the log to appear.")
    var wait = false

    @OptionGroup var summary: SummaryOption

    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    func validate() throws {
        if format != nil, !once, !prove { throw ValidationError("--format needs --once.") }
        if let interval, !(0.1...3600).contains(interval) {
            throw ValidationError("--interval must be 0.1 to 3,600 seconds.")
        }
    }

    func run() throws {
        try CommandError.reported {
            do {
                try follow(WatchSource(log, waits: wait))
            } catch let error as WatchTarget.NotRecorded {
                try OutsideLook(error.process, proves: prove).print(asJSON: format == .json)
            }
        }
    }

    private func follow(_ source: WatchSource) throws {
        if once || prove {
            return try WatchLines(source).printScreen(asJSON: format == .json, proves: prove)
        }
        if Terminal.isPossible {
            try WatchScreen(source, interval: interval ?? 0.5, printsSummary: !summary.quiet).run()
        } else {
            try WatchLines(source).follow(interval: interval ?? 1)
        }
    }
}
