import ArgumentParser
import Foundation
import Inspector
import ProgramRecording

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Runs an unmodified program, and records its operation queues. Linux only.",
        usage: "opviz record [--output NAME] [--open FORMAT] -- COMMAND [ARG ...]",
        discussion: """
            opviz record -- ./app                      into trace.json, and a summary
            opviz record -o run.json --open svg -- ./app --verbose
            opviz record -o traces/ -- swift build     a trace for each process
            opviz record --profile -- ./app            and its hottest functions
            opviz record --tasks --deadline 10min -- swift test
                                                       ends a hung test, and says what it waits for

            The program's input, output, signals and exit status are its own. The summary goes to standard \
            error.
            If several processes use operations, each gets a trace, named after its program and \
            process ID. For each process that cannot be recorded, and each trace that cannot be written, \
            opviz prints the reason.

            Once the program runs, opviz exits with its exit status.
            """)

    @Option(
        name: .shortAndLong,
        help: "Trace file, .json or .optrace, or a folder ending in /.",
        completion: .file())
    var output = "trace.json"

    @Option(help: "Draw the graph in this format, and open it.")
    var open: FormatName<GraphOutput>?

    @Option(
        help:
            """
            Memory for each trace, at least 1M, such as 64M; later events are dropped and counted; \
            \"64M latest\" keeps the latest. From 64M on, also for what the kernel records of threads.
            """
    )
    var limit: String?

    @Option(help: "How to split executions into CPU time and waiting. (default: auto)")
    var cpu: ProcessorSource?

    @Option(
        defaultAsFlag: SampleRate.usual, parsing: .next,
        help: "Sample stacks, so often a second on each CPU; alone, as often as the default.")
    var profile: SampleRate?

    @Flag(help: "Record Swift's tasks too: their runs, and what they await. (default: as OPVIZ_TASKS says)")
    var tasks = false

    @Flag(help: "Record in which functions each task waits, not only in the innermost; with --tasks.")
    var awaitStacks = false

    @Option(
        help: "End the program after this time, such as 60s, say what it waits for, and exit with 124.")
    var deadline: String?

    @Option(help: "The same, once it and its child processes have not used a CPU for this long.")
    var idle: String?

    @OptionGroup var summary: SummaryOption

    @Argument(
        parsing: .captureForPassthrough, help: "Program and its arguments.", completion: .file())
    var command: [String] = []

    /// As the help lists them. A misspelled one is passed through as if it were the program.
    private static var options: [String] {
        Opviz.helpMessage(for: Self.self).matches(of: /(?m)^  (?:-\w, )?(--[a-z-]+)/).map { String($0.1) }
    }

    func run() throws {
        // Arguments that are passed through are not parsed; so check for a call for help here.
        if let first = command.first, first == "--help" || first == "-h" { throw CleanExit.helpRequest(self) }
        if command.first == "--version" { throw CleanExit.message(Opviz.configuration.version) }
        try CommandError.reported {
            let command = command.first == "--" ? Array(command.dropFirst()) : command
            guard !command.isEmpty else {
                throw CommandError(.usage, "no command to record: opviz record -- ./app")
            }
            if let word = self.command.first, word.hasPrefix("-"), word != "--" {
                let question = NearestNames(to: word, among: Self.options).question
                throw CommandError(
                    .usage,
                    "record has no option \(NearestNames.quoted(word)); "
                        + (question ?? "opviz help record lists the options"))
            }
            guard ProcessInfo.processInfo.environment["OPVIZ_OBSERVE"] != "passive" else {
                throw CommandError(.usage, "record cannot observe passively; unset OPVIZ_OBSERVE")
            }
            let sampleRate = try SampleRate.chosen(profile)
            var deadline = try Deadline(deadline, idle: idle)
            let program = try RecordableProgram(passedThrough: command)
            guard !OutputFile.isSame(output, program.path) else {
                throw CommandError(
                    .usage,
                    "\(output): is the program to record; give the trace another name, such as trace.json")
            }
            guard output != "-" else {
                throw CommandError(
                    .usage, "-: standard output is the program's; name a file, such as trace.json")
            }
            if !output.hasSuffix("/") {
                try TraceBytes.expectForm(ofFile: output, or: "with / for a folder")
            }
            let host = try RecordHost(
                limit: limit, processorTimes: ProcessorSource.chosen(cpu),
                sampleRate: sampleRate, tasks: tasks,
                // A program that hangs has the time.
                awaitStacks: awaitStacks || deadline.isSet, report: Console.report)
            let obstacle = program.obstacle
            if let obstacle { Console.report("\(program.path): \(obstacle.reason); it runs unrecorded") }
            let ending = Result {
                try program.run(environment: host.environment()) {
                    host.serve(until: $0, &deadline, named: program.path)
                }
            }
            deadline.waitForTheRest()
            let processes = host.finish(try? ending.get())
            let followed = try ending.get()
            RecordedTraces(
                processes, output: output, picture: open?.format, isQuiet: summary.quiet,
                isExplained: obstacle != nil
            ).write()
            if deadline.reason != nil { throw ExitStatus.deadline.code }
            followed.follow()
        }
    }
}
