import ArgumentParser
import Foundation
import Inspector

struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Runs a program that nobody changed, and traces the operation queues in it. Linux only.",
        usage: "opviz record [--output NAME] [--open FORMAT] -- COMMAND [ARG ...]",
        discussion: """
            opviz record -- ./app                      into trace.json, and a summary
            opviz record -o run.json --open svg -- ./app --verbose
            opviz record -o traces/ -- swift build     a trace for each process

            The program's input, output, signals and exit status are its own. The summary goes to standard \
            error.
            Where several processes use operations, each has a trace, named by its program and its number.
            A process that could not be recorded is named with the reason, and so is a trace that could
            not be written.

            opviz ends as the program does, once that runs.
            """)

    @Option(
        name: .shortAndLong,
        help: "The trace's name, .json or .optrace; or a folder, with a / at the end.",
        completion: .file())
    var output = "trace.json"

    @Option(help: "Draw the picture as well, beside the trace, and open it: svg, png, pdf or dot.")
    var open: FormatName<GraphOutput>?

    @Option(
        help:
            """
            How large each trace may become in memory: 64M, 2G. What comes after that is counted and left \
            out; with \"64M latest\" the latest events are kept instead.
            """
    )
    var limit: String?

    @Flag(name: .shortAndLong, help: "Print no summary.")
    var quiet = false

    @Argument(
        parsing: .captureForPassthrough, help: "The program and its arguments.", completion: .file())
    var command: [String] = []

    func run() throws {
        // What is passed through is not parsed, a call for help neither.
        if let first = command.first, first == "--help" || first == "-h" { throw CleanExit.helpRequest(self) }
        try CommandError.reported {
            let command = command.first == "--" ? Array(command.dropFirst()) : command
            guard !command.isEmpty else {
                throw CommandError(.usage, "there is no command to record: opviz record -- ./app")
            }
            guard ProcessInfo.processInfo.environment["OPVIZ_OBSERVE"] != "passive" else {
                throw CommandError(.usage, "OPVIZ_OBSERVE=passive forbids all that record does")
            }
            let program = try RecordableProgram(passedThrough: command)
            let host = try RecordHost(limit: limit ?? RecordHost.environmentLimit)
            if let obstacle = program.obstacle { Console.complain("\(program.path): \(obstacle)") }
            let ending = Result {
                try program.run(environment: host.environment()) { host.serve(until: $0) }
            }
            let processes = host.finish(try? ending.get())
            let followed = try ending.get()
            RecordedTraces(processes, output: output, picture: open?.format, isQuiet: quiet).write()
            followed.follow()
        }
    }
}
