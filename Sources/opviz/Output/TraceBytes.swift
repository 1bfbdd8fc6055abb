import Foundation
import Inspector

/// A log in the form that belongs to a file's name.
enum TraceBytes {
    static let binary = OutputFormat("optrace", ["optrace"])

    /// Call this before any work. Standard output and devices have no extension and get JSON.
    ///
    /// - Parameter other: another possible ending, for the message.
    /// - Throws: `CommandError` if the extension is unknown.
    static func expectForm(
        ofFile name: String, of formats: [OutputFormat] = [.json, binary], or other: String? = nil
    ) throws {
        if formats.contains(where: { $0.suffix(of: name) != nil }) { return }
        if name == "-" || OutputFile.isDevice(name) && !OutputFolder.exists(name) { return }
        throw CommandError(.usage, Formats.unknownEnding(of: name, formats, or: other))
    }

    /// - Throws: `CommandError` if the file cannot be written.
    static func write(_ contents: EventLogContents, named name: String, to file: OutputFile) throws {
        try write(contents.header, named: name, to: file) { contents.pass(to: $0) }
    }

    /// The same for events that `give` passes on.
    static func write(
        _ header: LogHeader, named name: String, to file: OutputFile,
        _ give: (any EventConsumer) throws -> Void
    ) throws {
        if binary.suffix(of: name) != nil {
            let events = EncodedEvents(BinaryLogEncoder(header: header))
            try give(events)
            return try write(events.encoder, name, to: file)
        }
        var output = try file.open()
        do {
            let writer = JSONLogWriter(header) { piece in
                output.write(piece)
                return output.error == nil
            }
            try give(writer)
            // The output knows of a failure.
            _ = writer.finish()
        } catch {
            output.discard()
            throw error
        }
        try output.finish()
    }

    private static func write(_ encoder: BinaryLogEncoder, _ name: String, to file: OutputFile) throws {
        warn(ofUnencodable: encoder.unencodableEvents, in: name)
        if encoder.cutTexts > 0 {
            Console.report(
                "warning: \(name): "
                    + Prose.counted(
                        encoder.cutTexts, "text is longer than the binary form can hold, and was cut",
                        "texts are longer than the binary form can hold, and were cut"))
        }
        try file.write(encoder.finish())
    }

    static func warn(ofUnencodable count: Int, in name: String) {
        guard count > 0 else { return }
        Console.report(
            "warning: \(name): "
                + Prose.counted(
                    count, "event has an identifier that the binary form cannot hold, and was left out",
                    "events have identifiers that the binary form cannot hold, and were left out"))
    }
}
