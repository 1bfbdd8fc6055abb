public import ArgumentParser
import Foundation
public import Inspector

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Converts traces for other programs: viewers, tracing backends, databases.",
        discussion: """
            opviz export trace.json --format chrome -o run.json       for ui.perfetto.dev
            opviz export trace.json --format otlp -o run.otlp.json    for OpenTelemetry
            opviz export trace.json -o run.speedscope.json            for speedscope.app
            opviz export trace.json --format csv -o tables/           seven tables
            opviz export trace.json --table edges -o edges.jsonl      one of them
            opviz export trace.json --format jsonl --table operations
            opviz export traces/ --format jsonl -o tables/            of many traces

            Documentation/Export.md describes the formats, Documentation/Fleet.md how to query the tables of \
            many traces. If a trace cannot be read, opviz leaves it out, names it, and does not exit with 0.
            """)

    @Argument(
        help:
            """
            Trace file. For csv and jsonl any number of traces, and folders \
            of them.
            """,
        completion: TraceArgument.completion)
    var traces: [String]

    @Option(
        name: .shortAndLong,
        help: .format())
    var format: FormatName<ExportedTrace>?

    @Option(
        name: .shortAndLong,
        help: .output("or folder for csv and jsonl"),
        completion: .file())
    var output = "-"

    @Option(help: "Write only this table (csv and jsonl).")
    var table: TraceTable?

    @Option(
        name: .customLong("run"),
        help:
            "Name of the run in the export. (default: the trace's file name)"
    )
    var runName: String?

    @Option(
        name: .customLong("label"),
        help: ArgumentHelp(
            "Add a label to the runs, such as version=1.4.2 (csv and jsonl; repeatable).",
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
            throw CommandError(.usage, "--table needs --format csv or jsonl, not \(format.name)")
        }
        if !labels.isEmpty {
            throw CommandError(.usage, "--label needs --format csv or jsonl, not \(format.name)")
        }
        let paths = try traces.flatMap(TimedRuns.files)
        guard paths.count == 1, let trace = paths.first else {
            throw CommandError(.usage, "\(format.name) takes one trace; csv and jsonl take any number")
        }
        let file = try OutputFile(output, notOverwriting: trace)
        let exported = try read(trace, labels: [:])
        try file.write(exported, as: format, of: trace)
    }

    private func read(_ path: String, labels: [String: String]) throws -> ExportedTrace {
        let trace = try Console.read(path)
        return ExportedTrace(TraceAnalysis(trace), run: runName ?? Self.name(of: path), labels: labels)
    }

    // MARK: Tables of any number of traces

    /// - Returns: the error of the first trace that is not in the tables, after it was reported; nil if all
    ///   are.
    private func writeTables(_ form: TraceTable.Form) throws -> CommandError? {
        if table == nil, output == "-" {
            throw CommandError(
                .usage,
                "\(form.rawValue) writes seven tables: "
                    + "give a folder with -o, or name one of them with --table")
        }
        // A name with a file's extension is meant to be a file.
        if table == nil, format == nil, !OutputFolder.exists(output) {
            throw CommandError(
                .usage,
                "\(form.rawValue) writes seven tables: "
                    + "give a folder with --format \(form.rawValue), or name one of them with --table"
            )
        }
        let paths = try traces.flatMap(TimedRuns.files)
        if runName != nil, paths.count > 1 {
            throw CommandError(
                .usage, "--run names one run, but there are \(Prose.grouped(paths.count)) traces")
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
                Console.report(failures[failures.count - 1].sentence)
            } catch {
                tables?.discard()
                throw error
            }
        }
        guard let tables else {
            guard paths.count > 1 else { throw failures[0] }
            throw CommandError(
                failures[0].status,
                "no tables were written, because none "
                    + "of the \(Prose.grouped(paths.count)) traces could be read"
            )
        }
        try tables.finish()
        if !failures.isEmpty {
            Console.report(
                "warning: \(Prose.grouped(failures.count)) of "
                    + "\(Prose.grouped(paths.count)) traces could not be read; the tables contain the others"
            )
        }
        return failures.first
    }

    /// One file, or a file for each table in a folder.
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

    /// Creates the folder for the tables if needed.
    private func makeFolder() throws {
        guard OutputFolder.make(output) else {
            let reason =
                errno == ENOTDIR
                ? "is not a folder, and seven tables need one" : String(cString: strerror(errno))
            throw CommandError(.cannotCreate, "\(output): cannot be created: \(reason)")
        }
    }

    /// The format for a file's name. Standard output has no name, and JSON may be one of several formats.
    private static func format(ofFile name: String) throws -> OutputFormat {
        if name != "-", let format = ExportedTrace.format(ofFile: name) { return format }
        throw CommandError(
            .usage,
            "\(name == "-" ? "standard output" : name): unknown format; give --format "
                + FormatName<ExportedTrace>.allValueStrings.joined(separator: ", "))
    }

    private static func name(of path: String) -> String {
        ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    }
}

extension TraceTable: ExpressibleByArgument {}
