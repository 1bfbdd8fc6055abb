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

    static func write(_ contents: EventLogContents, named name: String, to file: OutputFile) throws {
        if binary.suffix(of: name) != nil {
            try file.write(binaryBytes(contents, name))
        } else {
            try file.write { emit in json(contents, emit) }
        }
    }

    /// Written in pieces, because one text may occur in many events.
    private static func json(_ contents: EventLogContents, _ emit: ([UInt8]) -> Void) {
        var encoder = JSONLogEncoder(header: contents.header)
        emit(contents.header.jsonPrologue())
        for event in contents.events {
            encoder.encode(event)
            if encoder.byteCount > 1 << 20 { emit(encoder.takeBytes()) }
        }
        emit(encoder.takeBytes() + JSONLogEncoder.epilogue)
    }

    private static func binaryBytes(_ contents: EventLogContents, _ name: String) -> [UInt8] {
        var encoder = BinaryLogEncoder(header: contents.header)
        for event in contents.events { encoder.encode(event) }
        if encoder.unencodableEvents > 0 {
            Console.report(
                "warning: \(name): "
                    + Prose.counted(
                        encoder.unencodableEvents,
                        "event has an identifier that the binary form cannot hold, and was left out",
                        "events have identifiers that the binary form cannot hold, and were left out"))
        }
        return encoder.finish()
    }
}
