import ArgumentParser
import Foundation
import Inspector

struct DemoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows opviz at work: records a program of its own, and says why it took so long.",
        discussion: """
            opviz demo                     a run of a second, its trace and its page
            opviz demo --stuck             a run that never ends, and what it waits for

            Runs 43 operations on three queues. Writes the trace and, beside it, the page of opviz report. \
            Prints what opviz why says about it, and commands to try.

            With --stuck, it stops recording once nothing can go on, and exits with 124, as record \
            --deadline does.
            """)

    @Option(
        name: .shortAndLong,
        help: "Trace file, .json or .optrace, or a folder ending in /.",
        completion: .file())
    var output = "opviz-demo.optrace"

    @Flag(help: "Run operations that wait for each other for ever.")
    var stuck = false

    func run() throws {
        try CommandError.reported {
            guard output != "-" else {
                throw CommandError(
                    .usage, "-: standard output has the text; name a file, such as opviz-demo.optrace")
            }
            let path = output.hasSuffix("/") ? output + "opviz-demo.optrace" : output
            try TraceBytes.expectForm(ofFile: path, or: "with / for a folder")
            let page = (path as NSString).deletingPathExtension + ".html"
            for file in [path, page] { try OutputFile.expectWritable(file) }

            Progress.begin("running the demo")
            let contents = try DemoTrace.record { recorder in
                if stuck { StuckDemoWorkload(recorder).run() } else { DemoWorkload(recorder).run() }
            }
            try TraceBytes.write(contents, named: path, to: OutputFile(replacing: path))
            let analysis = TraceAnalysis(Trace(contents))
            try OutputFile(replacing: page).write(ReportPage(analysis), as: .html)

            try OutputFile.standardOutput.write(
                WhyOutput(WhyReport(analysis), path: path), as: .text, WritingStyle(width: Console.width))
            try Console.print("\n" + next(path) + "\n")
            for file in [path, page] { try Console.announce(file) }
            if stuck { throw ExitStatus.deadline.code }
        }
    }

    /// Commands to try.
    private func next(_ path: String) -> String {
        let file = ShellText.quoted(path)
        let operation = ShellText.quoted(stuck ? "album 1" : "backup photo 2")
        let commands = [
            ("why \(file)", "prints the text above"),
            ("graph \(file)", "draws the graph"),
            ("explain \(file) \(operation)", "says what it waited for"),
        ]
        let width = commands.map { TextWidth.columns(of: $0.0) }.max() ?? 0
        return "Next:\n"
            + commands.map { command, meaning in
                let padding = String(repeating: " ", count: width - TextWidth.columns(of: command))
                return "  opviz \(command)\(padding)  \(meaning)\n"
            }.joined()
    }
}
