import ArgumentParser
import Foundation
import Inspector

struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Compresses a trace. Every command reads the result.")

    @OptionGroup var trace: TraceArgument

    @Option(
        name: .shortAndLong,
        help: .output(".optrace", else: "replaces a complete binary trace"),
        completion: .file(extensions: ["optrace"]))
    var output: String?

    func run() throws {
        try CommandError.reported {
            if let output { try TraceBytes.expectForm(ofFile: output, of: [TraceBytes.binary]) }
            let survey = try trace.survey()
            let file =
                try output.map { try OutputFile($0, notOverwriting: trace.path) } ?? inPlace(survey.log)
            let events = EncodedEvents(CompactLogEncoder(header: survey.log.header))
            try survey.pass(to: events)
            let count = Int(events.encoder.count)
            TraceBytes.warn(ofUnencodable: events.encoder.unencodableEvents, in: output ?? trace.path)
            let bytes = events.encoder.finish()
            try file.write(bytes)
            guard !file.isStandardOutput else { return }
            let each = Double(bytes.count) / Double(max(1, count))
            try Console.print(
                "\(Prose.counted(count, "event")) in "
                    + "\(Prose.counted(bytes.count, "byte")), "
                    + "\(String(format: "%.1f", each)) bytes an event\n"
            )
        }
    }

    /// An incomplete log may still be written to, and must not be replaced.
    private func inPlace(_ log: ReadLog) throws -> OutputFile {
        guard TraceBytes.binary.suffix(of: trace.path) != nil else {
            throw CommandError(.usage, "\(trace.path): is not binary; name the output with -o")
        }
        guard log.header.isClosed, log.losses.isEmpty, log.notes.isEmpty else {
            throw CommandError(
                .usage,
                "\(trace.path): is not complete, so it is not replaced; name the output with -o")
        }
        return OutputFile(replacing: trace.path)
    }
}
