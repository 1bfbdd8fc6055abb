import ArgumentParser
import Inspector

struct TimelineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Shows what executed when, and what waited for what, by queue.",
        discussion: """
            opviz timeline trace.json                            on the terminal
            opviz timeline trace.json -o timeline.svg            as a picture; also .png, .pdf
            opviz timeline trace.json --window 1.2s..3.4s        since the trace's start
            opviz timeline trace.json --queue images --kind Decode
            opviz timeline trace.json --all -o timeline.svg      a bar for each operation, in many lines
            """)

    @OptionGroup var trace: TraceArgument

    @OptionGroup var shown: ShownOperations

    @OptionGroup var length: LengthOption

    @OptionGroup var destination: PictureDestination<TimelineOutput>

    @Option(
        help:
            "Width in pixels (default: 1,200) or columns (default: the terminal's)."
    )
    var width: Int?

    func validate() throws {
        let isText = (try? destination.format) == .text
        if let width, isText ? !(20...1000).contains(width) : !(400...10_000).contains(width) {
            throw ValidationError("--width must be 400 to 10,000 pixels, or 20 to 1,000 columns.")
        }
    }

    func run() throws {
        try CommandError.reported {
            let output = try destination.open(notOverwriting: trace.path)
            let options = TimelineOptions(
                window: shown.window.map {
                    $0.range.lowerBound..<max($0.range.upperBound, $0.range.lowerBound &+ 1)
                }, queue: shown.selected.queue, kind: shown.selected.ofKind.kind,
                operation: shown.selected.named.operation)
            let analysis = TraceAnalysis(try trace.read(showsTasks: true))
            try CommandError.naming(trace.path) { try options.check(analysis.withTasks) }
            let theme = destination.picture.theme
            let timeline = TimelineOutput(
                analysis, options, theme: theme, width: width ?? 1200, isWhole: length.all)
            let style = WritingStyle(
                width: width ?? Console.width, isColored: destination.isTerminal && Console.showsColors,
                isWhole: length.all)
            try output.file.write(RenderedPicture(report: timeline), as: output.format, style)
        }
    }
}
