public import ArgumentParser
import Foundation
public import Inspector

struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Shows what executed when, and what waited for what, by queue.",
        discussion: """
            opviz timeline trace.json                            on the terminal
            opviz timeline trace.json -o timeline.svg            as a picture
            opviz timeline trace.json --window 1.2s..3.4s        since the trace's start
            opviz timeline trace.json --queue images --kind Decode
            """)

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(
        name: .shortAndLong, help: "An SVG file; - is standard output. (default: text for the terminal)",
        completion: .file(extensions: ["svg"]))
    var output: String?

    @Option(help: "Only what lies between these times: 1.2s..3.4s, 250ms.., ..2min.")
    var window: TimeWindow?

    @Option(help: "Only the queue of this name or ID.")
    var queue: String?

    @Option(help: "Only operations of this kind.")
    var kind: String?

    @Option(help: "The colours of the picture: light or dark.")
    var theme = PictureTheme.light

    @Option(
        help:
            "Of the picture, in pixels (default: 1200), or of the text, in columns (default: the terminal's)."
    )
    var width: Int?

    func validate() throws {
        if let output, output != "-", (output as NSString).pathExtension.lowercased() != "svg" {
            throw ValidationError("\(output): the timeline is drawn as .svg.")
        }
        if let width, output == nil ? !(20...1000).contains(width) : !(400...10_000).contains(width) {
            throw ValidationError("--width must be 400 to 10000 pixels, or 20 to 1000 columns.")
        }
    }

    func run() throws {
        try CommandError.reported {
            let file = try output.map { try OutputFile($0, notOverwriting: self.trace) }
            let trace = try Console.read(trace)
            let options = TimelineOptions(
                window: window.map {
                    $0.range.lowerBound..<max($0.range.upperBound, $0.range.lowerBound &+ 1)
                }, queue: queue, kind: kind)
            let analysis = TraceAnalysis(trace)
            do {
                try options.check(analysis)
            } catch let error as GraphError {
                throw CommandError(.usage, "\(self.trace): \(error.description)")
            }
            guard let file else {
                let text = TimelineText(analysis, options).text(
                    width: width ?? Console.width ?? 80, isColored: Console.showsColors)
                return try Console.print(text)
            }
            let picture = TimelinePicture(analysis, options, theme: theme, width: width ?? 1200)
            if let omission = picture.omission { Console.complain("note: \(omission)") }
            try file.write(Array(picture.svg.utf8))
        }
    }
}

extension PictureTheme: ExpressibleByArgument {}
