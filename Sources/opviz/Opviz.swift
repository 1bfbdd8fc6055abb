import ArgumentParser
import EventLog
import Foundation
import Inspector

@main
struct Opviz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "opviz",
        abstract: "Shows what the operations of a program did, why it took so long, and what went wrong.",
        usage: "opviz <trace> [<options>]\nopviz <command> ...",
        discussion: overview,
        version: LogHeader.ownRecorder,
        groupedSubcommands: [
            CommandGroup(
                name: "Recording and viewing",
                subcommands: [
                    RecordCommand.self, DoctorCommand.self, GraphCommand.self, TimelineCommand.self,
                    ReportCommand.self, TableCommand.self, WatchCommand.self, DemoCommand.self,
                ]),
            CommandGroup(
                name: "Explaining",
                subcommands: [
                    WhyCommand.self, LintCommand.self, ExplainCommand.self, CriticalPathCommand.self,
                    FlameCommand.self,
                    WhatIfCommand.self,
                ]),
            CommandGroup(
                name: "Comparing",
                subcommands: [
                    DiffCommand.self, BaselineCommand.self, CheckCommand.self, HistoryCommand.self,
                ]),
            CommandGroup(
                name: "Converting",
                subcommands: [
                    ExportCommand.self, ConvertCommand.self, CompactCommand.self, MergeCommand.self,
                    AnonymizeCommand.self,
                ]),
            CommandGroup(name: "Help", subcommands: [HelpCommand.self]),
        ],
        defaultSubcommand: GraphCommand.self)

    /// What you can do with opviz; also the answer to no arguments.
    private static let overview = """
        Trace a program, and view the run:
        OPVIZ_TRACE=trace.json ./app   trace a program that uses InstrumentedQueue
        opviz record -- ./app          run and trace an unmodified program
        opviz doctor ./app             what can be recorded of it, and what to do
        opviz trace.json               draw the graph as trace.svg, print a summary

        View more of it:
        opviz graph trace.json -o a.md as Markdown; also .png, .pdf, .dot, .mmd, .json
        opviz timeline trace.json      what executed when; with -o as SVG
        opviz report trace.json        everything as one web page, trace.html
        opviz table trace.json         how long operations took and waited
        opviz watch trace.optrace      what a running program is doing and waiting for

        Find out why it was slow or stuck:
        opviz why trace.json           the answer in a dozen lines
        opviz lint trace.json          what is stuck or misbehaved, with evidence
        opviz explain trace.json NAME  why that operation took so long
        opviz critical-path trace.json what delayed the run, step by step
        opviz flame trace.json         which code operations spend their time in
        opviz whatif trace.json        what more slots or faster operations would save

        Compare runs:
        opviz diff before after        what is new, gone, slower and faster
        opviz baseline runs/ -o FILE   save the timings of runs, to compare with later
        opviz check runs/ --baseline B whether they became slower, with confidence
        opviz history show --file FILE where a metric changed from session to session

        Convert traces:
        opviz export trace.json        for Perfetto, OpenTelemetry, databases
        opviz convert trace.optrace    binary to JSON, and back
        opviz compact trace.optrace    compress a trace
        opviz merge traces/            merge the logs of several processes
        opviz anonymize trace.json     replace all names, for a bug report

        Try it:
        opviz demo                     record and explain a run of opviz's own

        Read on:
        opviz help start               a first trace, with examples
        opviz help stuck               what to do when a queue is stuck
        opviz help check               a command and its options

        Help topics:
        \(HelpTopic.names)

        Exit codes are in opviz help settings.
        """

    static func main() {
        StandardStreams.secure()
        do {
            var command = try parse(Array(CommandLine.arguments.dropFirst()))
            try command.run()
        } catch {
            end(with: error)
        }
    }

    /// - Throws: the error in the arguments, safe for a terminal whatever they contain.
    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        if arguments.isEmpty {
            let usage = usageString().replacing("\n", with: "\n       ")
            StandardError.write("\(configuration.abstract)\n\n\(overview)\n\nUsage: \(usage)\n")
            throw ExitStatus.usage.code
        }
        if let sentence = UnknownCommand.sentence(arguments) {
            try CommandError.reported { throw CommandError(.usage, sentence) }
        }
        do {
            return try parseAsRoot(arguments)
        } catch  where !exitCode(for: error).isSuccess {
            // The parser's messages quote arguments and have several lines, which escaping would join. So the
            // messages are created again from escaped arguments.
            _ = try parseAsRoot(arguments.map { TerminalText.escaped($0) })
            throw ValidationError(TerminalText.escaped(message(for: error)))
        }
    }

    /// Prints help, or the error, and exits. The parser's own printing is killed if the reader has gone away.
    private static func end(with error: any Error) -> Never {
        let text = fullMessage(for: error)
        var status = exitCode(for: error)
        if status.isSuccess {
            do {
                try CommandError.reported { try Console.print(text + "\n") }
            } catch {
                status = exitCode(for: error)
            }
        } else if !text.isEmpty {
            StandardError.write(OptionValues.likened(text) + "\n")
        }
        Foundation.exit(status.rawValue)
    }
}
