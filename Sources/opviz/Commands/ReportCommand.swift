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

    @OptionGroup var trace: TraceArgument

    @Option(
        name: .shortAndLong, help: .output(else: "beside the trace"),
        completion: .file(extensions: ["html"]))
    var output: String?

    func run() throws {
        try CommandError.reported {
            _ = try output.map(ReportPage.outputFormat)
            let name = output ?? (trace.path as NSString).deletingPathExtension + ".html"
            let file = try OutputFile(name, notOverwriting: trace.path)
            let page = ReportPage(TraceAnalysis(try trace.read(showsTasks: true)))
            Progress.begin("writing \(name)")
            try file.write(page, as: .html)
            guard !file.isStandardOutput else { return }
            try Console.announce(name)
        }
    }
}
