import ArgumentParser
import Foundation
import GraphvizRendering
import Inspector

struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draws the operations of a trace and their dependencies, and prints a summary.",
        discussion: "This is what `opviz trace.json` does.")

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(
        name: .shortAndLong,
        help:
            "The picture's name; its ending chooses the format. - is standard output. (default: beside the trace)",
        completion: .file())
    var output: String?

    @Option(name: .shortAndLong, help: "svg, png, pdf or dot. (default: by the output's name, else svg)")
    var format: PictureFormat?

    func run() throws {
        try CommandError.reported {
            let format = try format ?? PictureFormat(ofFile: output)
            let name = output ?? (trace as NSString).deletingPathExtension + "." + format.rawValue
            let file = try OutputFile(name, notOverwriting: trace)

            let trace = try TraceReader(path: trace).read()
            Console.warn(of: trace.losses, in: self.trace)
            let analysis = TraceAnalysis(trace)
            let graph = DOTGraph(analysis)
            if let omission = graph.omission { Console.complain("note: \(omission)") }

            try file.write(format.render(graph.text))
            guard !file.isStandardOutput else { return }
            try Console.print(
                RunSummary(analysis).text(width: Console.width) + "\n" + TerminalText.escaped(name) + "\n")
        }
    }
}

/// The formats of a picture: Graphviz's text, and what it is rendered to.
enum PictureFormat: String, CaseIterable, ExpressibleByArgument {
    case svg, png, pdf, dot

    /// The format that a file's name asks for; without a name SVG, or DOT in a program without Graphviz.
    init(ofFile name: String?) throws {
        guard let name, name != "-" else {
            self = GraphvizRenderer.isAvailable ? .svg : .dot
            return
        }
        let ending = (name as NSString).pathExtension.lowercased()
        guard let format = PictureFormat(rawValue: ending == "gv" ? "dot" : ending) else {
            throw CommandError(
                .usage, "\(name): the ending names no format; use .svg, .png, .pdf or .dot, or say --format")
        }
        self = format
    }

    func render(_ dot: String) throws -> [UInt8] {
        guard let format = RenderFormat(rawValue: rawValue) else { return Array(dot.utf8) }
        return try GraphvizRenderer.render(dot: dot, format: format)
    }
}
