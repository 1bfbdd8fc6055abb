import ArgumentParser
import EventLog
import Foundation
import Inspector

@main
struct Opviz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "opviz",
        abstract: "Shows what the operations of a program did, why it took so long, and what went wrong.",
        usage: """
            opviz <trace> [<options>]
            opviz <command> ...
            """,
        discussion: """
            opviz trace.json               draw the graph as trace.svg, print a summary
            opviz trace.json -o run.png    the same as PNG; also .pdf, .dot, .mmd, .md
            opviz timeline trace.json      what executed when; with -o as SVG
            opviz report trace.json        everything as one web page, trace.html
            opviz lint trace.json          what is stuck or misbehaved, with evidence
            opviz explain trace.json NAME  why that operation took so long
            opviz critical-path trace.json what delayed the run, step by step
            opviz whatif trace.json        what more slots or faster operations would save
            opviz diff before after        what is new, gone, slower and faster
            opviz table trace.json         how long operations took and what they waited for
            opviz export trace.json        for Perfetto, OpenTelemetry, databases
            opviz baseline runs/ -o FILE   save the timings of runs, to compare with later
            opviz check runs/ --baseline B whether they became slower, with confidence
            opviz history show --file FILE where a metric changed from session to session

            opviz merge traces/            merge the logs of several processes

            opviz record -- ./app          run and trace an unmodified program
            opviz watch trace.optrace      what a running program is doing and waiting for

            A program that uses InstrumentedQueue, of the library Ops, records itself if
            OPVIZ_TRACE=trace.json is in its environment.

            opviz help stuck               what to do when a queue is stuck

            Help topics: \(HelpTopic.names)

            Exit codes are in opviz help settings.
            """,
        version: LogHeader.ownRecorder,
        subcommands: [
            GraphCommand.self, TimelineCommand.self, ReportCommand.self, TableCommand.self,
            ExplainCommand.self, CriticalPathCommand.self, WhatIfCommand.self, LintCommand.self,
            DiffCommand.self, BaselineCommand.self, HistoryCommand.self, CheckCommand.self,
            ExportCommand.self, ConvertCommand.self, CompactCommand.self, MergeCommand.self,
            RecordCommand.self, WatchCommand.self, HelpCommand.self,
        ],
        defaultSubcommand: GraphCommand.self)

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
