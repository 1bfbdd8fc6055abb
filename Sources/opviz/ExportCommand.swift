public import ArgumentParser
import Foundation
public import Inspector

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes a trace for other programs: viewers, tracing back ends, databases.",
        discussion: """
            opviz export trace.json --format chrome -o run.json           for ui.perfetto.dev
            opviz export trace.json --format otlp -o run.otlp.json        for OpenTelemetry
            opviz export trace.json -o run.speedscope.json                for speedscope.app
            opviz export trace.json --format csv -o tables/               operations.csv, edges.csv, events.csv
            opviz export trace.json --table edges -o edges.jsonl          one of the tables
            opviz export trace.json --format jsonl --table operations     the same on standard output

            Documentation/Export.md says what is in each.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument { case chrome, otlp, csv, jsonl, speedscope }

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(
        name: .shortAndLong,
        help: "How to write it. (default: as the name of the output says)")
    var format: Format?

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
            "What the run is called in the export. (default: the name of the trace's file, without its ending)"
    )
    var runName: String?

    func run() throws {
        try CommandError.reported {
            let format = try format ?? Self.format(ofFile: output)
            try check(format)
            let files = try files(format)
            let trace = try Console.read(trace)
            let exported = ExportedTrace(TraceAnalysis(trace), run: runName ?? Self.name(of: self.trace))
            switch format {
            case .chrome:
                let export = ChromeExport(exported)
                note(export.notes)
                try files[0].file.write(export.write)
            case .otlp:
                let export = OTLPExport(exported)
                note(export.notes)
                try files[0].file.write(export.write)
            case .speedscope:
                let export = SpeedscopeExport(exported)
                note(export.notes)
                try files[0].file.write(export.write)
            case .csv, .jsonl:
                note(TraceTable.notes(exported))
                if table == nil { try makeFolder() }
                for (table, file) in files {
                    try file.write { emit in
                        table.write(exported, as: format == .csv ? .csv : .jsonLines, emit)
                    }
                }
            }
        }
    }

    private func note(_ notes: [String]) {
        for note in notes { Console.complain("note: \(trace): \(note)") }
    }

    private func check(_ format: Format) throws {
        if table != nil, format != .csv, format != .jsonl {
            throw CommandError(.usage, "--table is for --format csv and jsonl, not for \(format.rawValue)")
        }
        if table == nil, format == .csv || format == .jsonl, output == "-" {
            throw CommandError(
                .usage,
                "\(format.rawValue) is three tables: give a folder with -o, or name one of them with --table")
        }
    }

    /// One, or a file for each table in a folder.
    private func files(_ format: Format) throws -> [(table: TraceTable, file: OutputFile)] {
        guard format == .csv || format == .jsonl, table == nil else {
            return [(table ?? .operations, try OutputFile(output, notOverwriting: trace))]
        }
        return try TraceTable.allCases.map { table in
            let name = (output as NSString).appendingPathComponent("\(table.rawValue).\(format.rawValue)")
            return (table, try OutputFile(name, notOverwriting: trace))
        }
    }

    /// The folder of the tables, where it is not there.
    private func makeFolder() throws {
        if mkdir(output, 0o777) != 0 {
            var status = stat()
            guard errno == EEXIST, stat(output, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                let reason =
                    errno == EEXIST
                    ? "is no folder, which three tables need" : String(cString: strerror(errno))
                throw CommandError(.cannotCreate, "\(output): cannot be created: \(reason)")
            }
        }
    }

    /// The format that a file's name asks for, where only one has that ending.
    private static func format(ofFile name: String) throws -> Format {
        let lowercased = name.lowercased()
        if lowercased.hasSuffix(".csv") { return .csv }
        if lowercased.hasSuffix(".jsonl") || lowercased.hasSuffix(".ndjson") { return .jsonl }
        if lowercased.hasSuffix(".speedscope.json") { return .speedscope }
        if lowercased.hasSuffix(".otlp.json") { return .otlp }
        throw CommandError(
            .usage,
            "\(name == "-" ? "standard output" : name): the ending names no format; say --format "
                + Format.allCases.map(\.rawValue).joined(separator: ", "))
    }

    private static func name(of path: String) -> String {
        ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    }
}

extension TraceTable: ExpressibleByArgument {}
