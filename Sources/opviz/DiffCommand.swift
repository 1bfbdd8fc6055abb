import ArgumentParser
import Foundation
import Inspector

struct DiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two runs, operation by operation: what is new, gone, slower and faster.",
        discussion: """
            opviz diff before.json after.json               on the terminal
            opviz diff before.json after.json -o diff.svg   as a picture
            opviz diff before.json after.json -o diff.md    for a pull request; also .json

            Operations are matched by kind, name and place in the graph. One run against one run is no verdict: two \
            runs of the same program differ too. The exit code is 0 whatever differs.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, markdown, json, svg }

    @Argument(help: "The trace of the earlier run.", completion: .file(extensions: ["json", "optrace"]))
    var before: String

    @Argument(help: "The trace of the later run.", completion: .file(extensions: ["json", "optrace"]))
    var after: String

    @Option(
        name: .shortAndLong,
        help:
            "Where to write it; its ending chooses the format: .txt, .md, .json, .svg. - is standard output.",
        completion: .file())
    var output = "-"

    @Option(
        name: .shortAndLong, help: "text, markdown, json or svg. (default: by the output's name, else text)")
    var format: Format?

    @Option(help: "The colours of the picture: light or dark.")
    var theme = PictureTheme.light

    func run() throws {
        try CommandError.reported {
            let format = try format ?? Format(ofFile: output)
            let file = try OutputFile(output, notOverwriting: before)
            _ = try OutputFile(output, notOverwriting: after)
            let comparison = TraceComparison(before: try analysis(before), after: try analysis(after))
            let report = ComparisonReport(comparison, before: before, after: after)
            switch format {
            case .text:
                try file.write(Array(report.text(width: Console.width ?? 80).utf8))
            case .markdown: try file.write(Array(report.markdown().utf8))
            case .json: try file.write(ComparisonJSON(comparison).bytes)
            case .svg:
                let picture = ComparisonPicture(comparison, before: before, after: after, theme: theme)
                if let omission = picture.omission { Console.complain("note: \(omission)") }
                try file.write(Array(picture.svg.utf8))
            }
        }
    }

    private func analysis(_ path: String) throws -> TraceAnalysis {
        let trace = try Console.read(path)
        return TraceAnalysis(trace)
    }
}

extension DiffCommand.Format {
    init(ofFile name: String) throws {
        switch name == "-" ? "txt" : (name as NSString).pathExtension.lowercased() {
        case "txt", "text": self = .text
        case "md", "markdown": self = .markdown
        case "json": self = .json
        case "svg": self = .svg
        default:
            throw CommandError(
                .usage,
                "\(name): the ending names no format; use .txt, .md, .json or .svg, or say --format")
        }
    }
}
