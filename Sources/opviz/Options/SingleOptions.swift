public import ArgumentParser
public import Inspector

// Options that several commands have, and that belong to no larger group.

/// `--theme`.
struct PictureOptions: ParsableArguments {
    @Option(help: "Theme of the picture: light or dark.")
    var theme = PictureTheme.light
}

extension PictureTheme: ExpressibleByArgument {}

/// `--kind`.
struct KindOption: ParsableArguments {
    @Option(help: "Show only operations of this kind.")
    var kind: String?
}

/// `--operation`.
struct OperationOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Show only this operation, or this group or finding (opviz help names).", valueName: "name"))
    var operation: String?
}

extension HandleSearch {
    /// - Throws: `CommandError` if the text names nothing in the trace of that path.
    static func of(_ text: String, in analysis: TraceAnalysis, path: String) throws -> HandleSearch {
        do throws(UnknownHandle) {
            return try HandleSearch(text, in: analysis)
        } catch {
            throw CommandError(.usage, "\(path): \(error.description)")
        }
    }
}

/// `--all`.
struct LengthOption: ParsableArguments {
    @Flag(help: "Print everything, however long it is.")
    var all = false
}

/// `--quiet`.
struct SummaryOption: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not print the summary.")
    var quiet = false
}

/// `--file` of the commands of `opviz history`.
struct HistoryFileOption: ParsableArguments {
    @Option(help: "History file.", completion: .file(extensions: ["jsonl"]))
    var file: String
}
