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
        help: "Trace file.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(
        name: .shortAndLong,
        help: "Output file, .svg or .txt; - is standard output. (default: text)",
        completion: .file(extensions: ["svg"]))
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Show only this interval: 1.2s..3.4s, 250ms.., ..2min.", valueName: "from..to"),
        transform: TimeWindow.init)
    var window: TimeWindow?

    @Option(help: "Show only this queue (name or ID).")
    var queue: String?

    @Option(help: "Show only operations of this kind.")
    var kind: String?

    @Option(help: "Theme of the picture: light or dark.")
    var theme = PictureTheme.light

    @Option(
        help:
            "Width in pixels (default: 1,200) or columns (default: the terminal's)."
    )
    var width: Int?

    func validate() throws {
        let isText = (try? format) == .text
        if let width, isText ? !(20...1000).contains(width) : !(400...10_000).contains(width) {
            throw ValidationError("--width must be 400 to 10,000 pixels, or 20 to 1,000 columns.")
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

    /// With `-o -`, standard output gets the picture; without it, the terminal gets the text.
    private var format: OutputFormat {
        get throws {
            guard let output else { return .text }
            return output == "-" ? .svg : try Destination<TimelineOutput>.format(nil, ofFile: output)
        }
    }
}

extension PictureTheme: ExpressibleByArgument {}
