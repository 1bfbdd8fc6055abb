import ArgumentParser
import Foundation
import Inspector

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract:
            "Makes one web page of a trace: findings, graph, timeline, and the story of every operation.",
        discussion: """
            The page is one file. It opens from disk, loads nothing, and can be sent to somebody as it is.
            """)

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(
        name: .shortAndLong, help: "The page's name. - is standard output. (default: beside the trace)",
        completion: .file(extensions: ["html"]))
    var output: String?

    func run() throws {
        try CommandError.reported {
            _ = try output.map { try Destination<ReportPage>.format(nil, ofFile: $0) }
            let name = output ?? (trace as NSString).deletingPathExtension + ".html"
            let file = try OutputFile(name, notOverwriting: trace)
            let trace = try Console.read(trace)
            let page = ReportPage(TraceAnalysis(trace))
            Progress.begin("writing \(name)")
            try file.write(page, as: .html)
            guard !file.isStandardOutput else { return }
            try Console.announce(name)
        }
    }
}
