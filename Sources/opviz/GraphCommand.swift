public import ArgumentParser
import Foundation
public import Inspector

struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draws the operations of a trace and their dependencies, and prints a summary.",
        discussion: """
            This is what `opviz trace.json` does. Of a large trace operations are put together, by what \
            they were added in, by kind or by queue, so that the picture can be read; each is drawn or \
            counted.

            opviz trace.json -o run.mmd                     for Markdown on GitHub
            opviz trace.json -o run.md                      a comment on a pull request
            opviz trace.json --focus "page 7" --depth 1     that one and its neighbours
            opviz trace.json --window 1.2s..3.4s --kind Fetch
            opviz trace.json --layout timeline              a bar for each operation, to scale
            """)

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String?

    @Option(
        name: .shortAndLong,
        help:
            """
            The picture's name; its ending chooses the format. - is standard output. (default: beside \
            the trace)
            """,
        completion: .file())
    var output: String?

    @Option(
        name: .shortAndLong,
        help: "How to write it. (default: as the output's name says, else svg)")
    var format: FormatName<GraphOutput>?

    @OptionGroup(title: "Look")
    var look: GraphLook

    @OptionGroup(title: "What is drawn")
    var part: GraphPart

    mutating func validate() throws {
        // `--between A B trace.json`: an option takes all that follows it.
        if trace == nil, part.between.count == 3 { trace = part.between.removeLast() }
        if trace == nil { throw ValidationError("Missing expected argument '<trace>'") }
        try part.check()
    }

    func run() throws {
        try CommandError.reported {
            let path = trace ?? ""
            let format = try Destination<GraphOutput>.format(format, ofFile: output ?? "-")
            let name =
                output ?? (path as NSString).deletingPathExtension + "." + GraphOutput.suffix(of: format)
            let file = try OutputFile(name, notOverwriting: path)

            let trace = try Console.read(path)
            let analysis = TraceAnalysis(trace)
            // For a large trace it takes as long as the picture.
            let summary =
                file.isStandardOutput
                ? nil : BackgroundValue { RunSummary(analysis).text(width: Console.width) }
            let drawn: GraphOutput
            do {
                let options = try look.options(part.filter())
                drawn = try GraphOutput(analysis, options, for: format)
            } catch let error as GraphError {
                throw CommandError(.usage, "\(path): \(error.description)")
            }
            for note in drawn.graph.notes { Console.complain("note: \(note)") }

            Progress.begin("drawing \(name)")
            try file.write(drawn, as: format)
            guard let summary else { return }
            try Console.print(summary.value + "\n")
            try Console.announce(name)
        }
    }
}

/// How the graph is drawn.
struct GraphLook: ParsableArguments {
    @Option(
        help:
            """
            Put operations together: auto, none, or those of a kind, of a group (with all that was added \
            in it) or of a queue.
            """
    )
    var collapse = GraphOptions.Collapse.auto

    @Option(help: "What the colour of a node says.")
    var colorBy = GraphOptions.Coloring.outcome

    @Option(help: "What stands first in a node.")
    var label = GraphOptions.Label.name

    @Option(help: "Where the arrows lead to.")
    var direction = GraphOptions.Direction.right

    @Option(help: "The colours.")
    var theme = PictureTheme.light

    @Option(
        help:
            """
            Lay out by dependencies, or by time to scale. (default: ranks, or timeline for thousands \
            of nodes)
            """
    )
    var layout: GraphOptions.Layout?

    func options(_ filter: GraphFilter) -> GraphOptions {
        var options = GraphOptions()
        options.collapse = collapse
        options.coloring = colorBy
        options.label = label
        options.direction = direction
        options.theme = theme
        options.layout = layout
        options.filter = filter
        return options
    }
}

/// What of the trace is drawn.
struct GraphPart: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only the operation of that name, kind or ID, and its neighbours.", valueName: "name"))
    var focus: String?

    @Option(help: "How many edges away from --focus, in either direction. (default: 2)")
    var depth: Int?

    @Flag(help: "Only the critical path, and what is next to it.")
    var critical = false

    @Option(help: ArgumentHelp("Only operations in the queue of that name or ID.", valueName: "name"))
    var queue: String?

    @Option(help: ArgumentHelp("Only operations of that kind.", valueName: "name"))
    var kind: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Only what lies on paths from the one operation to the other.", valueName: "a> <b")
    )
    var between: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only operations alive in that time of the trace, such as 1.2s..3.4s or 20ms.. .",
            valueName: "from..to"), transform: TimeWindow.init)
    var window: TimeWindow?

    func check() throws {
        if let depth, depth < 0 { throw ValidationError("--depth must be at least 0.") }
        if depth != nil, focus == nil { throw ValidationError("--depth makes sense with --focus only.") }
        if !between.isEmpty, between.count != 2 {
            throw ValidationError("--between takes two operations: --between FIRST LAST.")
        }
    }

    func filter() throws -> GraphFilter {
        var filter = GraphFilter()
        filter.focus = focus.map { GraphFilter.Focus(name: $0, depth: depth ?? 2) }
        filter.isCritical = critical
        filter.queue = queue
        filter.kind = kind
        if between.count == 2 { filter.between = GraphFilter.Ends(first: between[0], last: between[1]) }
        filter.window = window?.range
        return filter
    }
}

extension GraphOptions.Collapse: ExpressibleByArgument {}
extension GraphOptions.Coloring: ExpressibleByArgument {}
extension GraphOptions.Label: ExpressibleByArgument {}
extension GraphOptions.Direction: ExpressibleByArgument {}
extension GraphOptions.Layout: ExpressibleByArgument {}
