import ArgumentParser
import Inspector

/// `--queue`, `--kind` and `--operation`: which operations a command is about.
struct SelectedOperations: ParsableArguments {
    @Option(help: "Show only operations of this queue (name or ID).")
    var queue: String?

    @OptionGroup var ofKind: KindOption

    @OptionGroup var named: OperationOption

    var isEmpty: Bool { queue == nil && ofKind.kind == nil && named.operation == nil }

    var filter: GraphFilter {
        var filter = GraphFilter()
        filter.queue = queue
        filter.kind = ofKind.kind
        filter.operation = named.operation
        return filter
    }

    /// Whether each operation is selected; nil if all are.
    ///
    /// - Throws: `CommandError` if nothing in the trace of that path is.
    func selection(in analysis: TraceAnalysis, path: String) throws
        -> (@Sendable (Int) -> Bool)?
    {
        try CommandError.naming(path) { try filter.selection(in: analysis) }
    }
}

/// The same and `--window`: which operations a picture shows.
struct ShownOperations: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show only this interval: 1.2s..3.4s, 250ms.., ..2min.", valueName: "from..to"),
        transform: TimeWindow.init)
    var window: TimeWindow?

    @OptionGroup var selected: SelectedOperations
}
