public import ArgumentParser
import Foundation
public import Inspector

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes traces for other programs: viewers, tracing back ends, databases.",
        discussion: """
            opviz export trace.json --format chrome -o run.json       for ui.perfetto.dev
            opviz export trace.json --format otlp -o run.otlp.json    for OpenTelemetry
            opviz export trace.json -o run.speedscope.json            for speedscope.app
            opviz export trace.json --format csv -o tables/           five tables
            opviz export trace.json --table edges -o edges.jsonl      one of them
            opviz export trace.json --format jsonl --table operations
            opviz export traces/ --format jsonl -o tables/            of many traces

            Documentation/Export.md says what is in each, Documentation/Fleet.md what databases make of the \
            tables of many traces. Of many, one that cannot be read is named and left out; the tables have \
            the others, and the exit code is not 0.
            """)

    @Argument(
        help:
            """
            The trace, as the recorder wrote it. For csv and jsonl any number of traces, and folders \
            of them.
            """,
        completion: .file(extensions: ["json", "optrace"]))
    var traces: [String]

    @Option(
        name: .shortAndLong,
        help: "How to write it. (default: as the name of the output says)")
    var format: FormatName<ExportedTrace>?

    @Option(
        name: .shortAndLong,
        help: "Where to write it: a file, or for csv and jsonl a folder; - is standard output.",
        completion: .file())
    var output = "-"

    @Option(help: "Of csv and jsonl, this table alone.")
    var table: TraceTable?

    @Option(
        name: .customLong("run"),
        help:
            """
            What the run is called in the export. (default: the name of the trace's file, without \
            its ending)
            """
    )
    var runName: String?

    @Option(
        name: .customLong("label"),
        help: ArgumentHelp(
            "In csv and jsonl, what else is known of the runs: version=1.4.2; may be given again.",
            valueName: "name=value"))
    var labels: [RunLabel] = []

    func run() throws {
        var failed: CommandError?
        try CommandError.reported {
            let format = try format?.format ?? Self.format(ofFile: output)
            if let form = TraceTable.Form(rawValue: format.name) {
                failed = try writeTables(form)
            } else {
                try writeTrace(format)
            }
        }
        if let failed { throw failed.status.code }
    }

    // MARK: One trace

    private func writeTrace(_ format: OutputFormat) throws {
        if table != nil {
            throw CommandError(.usage, "--table is for --format csv and jsonl, not for \(format.name)")
        }
        if !labels.isEmpty {
            throw CommandError(.usage, "--label is for --format csv and jsonl, not for \(format.name)")
        }
        let paths = try traces.flatMap(TimedRuns.files)
        guard paths.count == 1, let trace = paths.first else {
            throw CommandError(.usage, "\(format.name) is of one trace; csv and jsonl are of any number")
        }
        let file = try OutputFile(output, notOverwriting: trace)
        let exported = try read(trace, labels: [:])
        try file.write(exported, as: format, of: trace)
    }

    private func read(_ path: String, labels: [String: String]) throws -> ExportedTrace {
        let trace = try Console.read(path)
        return ExportedTrace(TraceAnalysis(trace), run: runName ?? Self.name(of: path), labels: labels)
    }

    // MARK: Tables of any number

    /// - Returns: what was wrong with the first trace that is not in the tables, after it was said; nil where
    ///   all are.
    private func writeTables(_ form: TraceTable.Form) throws -> CommandError? {
        if table == nil, output == "-" {
            throw CommandError(
                .usage,
                "\(form.rawValue) is five tables: give a folder with -o, or name one of them with --table")
        }
        // A name with the ending of a file is meant to be one.
        if table == nil, format == nil, !OutputFolder.exists(output) {
            throw CommandError(
                .usage,
                "\(form.rawValue) is five tables: give a folder with --format \(form.rawValue), or name one "
                    + "of them with --table"
            )
        }
        let paths = try traces.flatMap(TimedRuns.files)
        if runName != nil, paths.count > 1 {
            throw CommandError(.usage, "--run is the name of one run, and there are \(paths.count) traces")
        }
        let labels = try RunLabel.byName(labels)
        let files = try files(form, notOverwriting: paths)
        var tables: ExportedTables?
        var failures: [CommandError] = []
        for path in paths {
            if tables?.isUnread == true { break }
            do {
                let exported = try read(path, labels: labels)
                if tables == nil {
                    if table == nil { try makeFolder() }
                    tables = try ExportedTables(files, as: form)
                }
                try tables?.add(exported, path: path)
            } catch let error as TraceError {
                failures.append(CommandError(error))
                guard paths.count > 1 else { break }
                Console.complain(failures[failures.count - 1].sentence)
            } catch {
                tables?.discard()
                throw error
            }
        }
        guard let tables else {
            guard paths.count > 1 else { throw failures[0] }
            throw CommandError(
                failures[0].status, "there are no tables, because none of \(paths.count) traces could be read"
            )
        }
        try tables.finish()
        if !failures.isEmpty {
            Console.complain(
                "warning: \(failures.count) of \(paths.count) traces could not be read; the tables have "
                    + "the others"
            )
        }
        return failures.first
    }

    /// One, or a file for each table in a folder.
    private func files(
        _ form: TraceTable.Form, notOverwriting paths: [String]
    ) throws -> [(table: TraceTable, file: OutputFile)] {
        let folder = output as NSString
        let names =
            table.map { [($0, output)] }
            ?? TraceTable.allCases.map { table in
                (table, folder.appendingPathComponent("\(table.rawValue).\(form.rawValue)"))
            }
        return try names.map { table, name in
            for path in paths { _ = try OutputFile(name, notOverwriting: path) }
            return (table, try OutputFile(name, notOverwriting: ""))
        }
    }

    /// The folder of the tables, where it is not there.
    private func makeFolder() throws {
        guard OutputFolder.make(output) else {
            let reason =
                errno == ENOTDIR ? "is no folder, which five tables need" : String(cString: strerror(errno))
            throw CommandError(.cannotCreate, "\(output): cannot be created: \(reason)")
        }
    }

    /// The format that a file's name asks for. Standard output has no name, and JSON may be several.
    private static func format(ofFile name: String) throws -> OutputFormat {
        if name != "-", let format = ExportedTrace.format(ofFile: name) { return format }
        throw CommandError(
            .usage,
            "\(name == "-" ? "standard output" : name): the ending names no format; say --format "
                + FormatName<ExportedTrace>.allValueStrings.joined(separator: ", "))
    }

    private static func name(of path: String) -> String {
        ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    }
}

extension TraceTable: ExpressibleByArgument {}
