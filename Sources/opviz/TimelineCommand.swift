public import ArgumentParser
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
        name: .shortAndLong,
        help: "A file, .svg or .txt; - is the picture on standard output. (default: text for the terminal)",
        completion: .file(extensions: ["svg"]))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Only what lies between these times: 1.2s..3.4s, 250ms.., ..2min.", valueName: "from..to"),
        transform: TimeWindow.init)
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
        let isText = (try? format) == .text
        if let width, isText ? !(20...1000).contains(width) : !(400...10_000).contains(width) {
            throw ValidationError("--width must be 400 to 10000 pixels, or 20 to 1000 columns.")
        }
    }

    func run() throws {
        try CommandError.reported {
            let (file, format) = (try OutputFile(output ?? "-", notOverwriting: trace), try format)
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
            let timeline = TimelineOutput(analysis, options, theme: theme, width: width ?? 1200)
            let style = WritingStyle(
                width: width ?? Console.width, isColored: output == nil && Console.showsColors)
            try file.write(timeline, as: format, style)
        }
    }

    /// Who names standard output wants the picture there: without that the terminal has the text.
    private var format: OutputFormat {
        get throws {
            guard let output else { return .text }
            return output == "-" ? .svg : try Destination<TimelineOutput>.format(nil, ofFile: output)
        }
    }
}

extension PictureTheme: ExpressibleByArgument {}
