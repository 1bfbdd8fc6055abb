public import ArgumentParser
import Foundation
public import Inspector

struct GraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Draws the operations of a trace and their dependencies, and prints a summary.",
        discussion: """
            `opviz trace.json` does the same. In a large trace, operations are grouped by parent, kind or \
            queue to keep the picture readable; each is drawn or counted.

            opviz trace.json -o run.mmd                     for Markdown on GitHub
            opviz trace.json -o run.md                      a comment on a pull request
            opviz trace.json --focus "page 7" --depth 1     an operation and its neighbours
            opviz trace.json --window 1.2s..3.4s --kind Fetch
            opviz trace.json --layout timeline              a bar for each operation, to scale
            """)

    @Argument(help: TraceArgument.help, completion: TraceArgument.completion)
    var trace: String?

    @OptionGroup var format: FormatOption<GraphOutput>

    @Option(name: .shortAndLong, help: .output(else: "beside the trace"), completion: .file())
    var output: String?

    @OptionGroup(title: "Look")
    var styleOptions: GraphStyleOptions

    @OptionGroup(title: "What is drawn")
    var filterOptions: GraphFilterOptions

    mutating func validate() throws {
        // In `--between A B trace.json`, the option takes all following arguments.
        if trace == nil, filterOptions.between.count == 3 { trace = filterOptions.between.removeLast() }
        if trace == nil { throw ValidationError("Missing expected argument '<trace>'") }
        try filterOptions.check()
    }

    func run() throws {
        try CommandError.reported {
            let path = trace ?? ""
            let format = try format.chosen(forFile: output ?? "-")
            let name =
                output ?? (path as NSString).deletingPathExtension + "." + GraphOutput.suffix(of: format)
            let file = try OutputFile(name, notOverwriting: path)

            let trace = try Console.read(path, showsTasks: true)
            let analysis = TraceAnalysis(trace)
            let whole = analysis.withTasks
            let drawn = try CommandError.naming(path) {
                let options = try styleOptions.options(filterOptions.filter())
                return try GraphOutput(whole, options, for: format)
            }
            for note in drawn.graph.notes { Console.report("note: \(note)") }

            Progress.begin("drawing \(name)")
            try file.write(drawn, as: format)
            if file.isStandardOutput { return }
            // Not beside the drawing, although it takes as long for a large trace: Graphviz orders clusters
            // by addresses, which other threads' memory would change.
            // What came through a pipe cannot be read by the commands again.
            let again = OutputFile.isDevice(path) ? nil : path
            let summary = RunSummary(analysis, whole: whole).text(width: Console.width, path: again)
            try Console.print(summary + "\n")
            try Console.announce(name)
        }
    }
}

/// How to draw the graph.
struct GraphStyleOptions: ParsableArguments {
    @Option(
        help:
            "Group operations: auto, none, or by kind, group or queue."
    )
    var collapse = GraphOptions.Collapse.auto

    @Option(help: "Meaning of a node's colour.")
    var colorBy = GraphOptions.Coloring.outcome

    @Option(help: "Heading of a node.")
    var label = GraphOptions.Label.name

    @Option(help: "Layout direction.")
    var direction = GraphOptions.Direction.right

    @OptionGroup var picture: PictureOptions

    @Option(
        help:
            "Arrange nodes by dependencies or by time. (default: ranks; timeline for thousands)"
    )
    var layout: GraphOptions.Layout?

    func options(_ filter: GraphFilter) -> GraphOptions {
        var options = GraphOptions()
        options.collapse = collapse
        options.coloring = colorBy
        options.label = label
        options.direction = direction
        options.theme = picture.theme
        options.layout = layout
        options.filter = filter
        return options
    }
}

/// Which part of the trace to draw.
struct GraphFilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show only this operation, group or finding, and its neighbours.", valueName: "name"))
    var focus: String?

    @Option(help: "Maximum distance from --focus, in edges. (default: 2)")
    var depth: Int?

    @Flag(help: "Show only the critical path and its neighbours.")
    var critical = false

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Show only the paths between two operations.", valueName: "a> <b")
    )
    var between: [String] = []

    @OptionGroup var shown: ShownOperations

    func check() throws {
        if let depth, depth < 0 { throw ValidationError("--depth must be at least 0.") }
        if depth != nil, focus == nil { throw ValidationError("--depth needs --focus.") }
        if !between.isEmpty, between.count != 2 {
            throw ValidationError("--between takes two operations: --between FIRST LAST.")
        }
    }

    func filter() throws -> GraphFilter {
        var filter = shown.selected.filter
        filter.focus = focus.map { GraphFilter.Focus(name: $0, depth: depth ?? 2) }
        filter.isCritical = critical
        if between.count == 2 { filter.between = GraphFilter.Ends(first: between[0], last: between[1]) }
        filter.window = shown.window?.range
        return filter
    }
}

extension GraphOptions.Collapse: ExpressibleByArgument {}
extension GraphOptions.Coloring: ExpressibleByArgument {}
extension GraphOptions.Label: ExpressibleByArgument {}
extension GraphOptions.Direction: ExpressibleByArgument {}
extension GraphOptions.Layout: ExpressibleByArgument {}
