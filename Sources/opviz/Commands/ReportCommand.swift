import ArgumentParser
import Foundation
import Inspector

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract:
            "Makes a web page of a trace: findings, graph, timeline, and every operation.",
        discussion: """
            The page is one self-contained file that loads nothing, so you can send it to others.
            """)

    @Argument(
        help: "Trace file.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(
        name: .shortAndLong, help: "Output file; - is standard output. (default: beside the trace)",
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
