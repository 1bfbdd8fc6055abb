import Foundation
import Inspector

/// A log in the form that a file's name asks for.
enum TraceBytes {
    static func isBinary(_ name: String) -> Bool { (name as NSString).pathExtension == "optrace" }

    static func of(_ contents: EventLogContents, named name: String) -> [UInt8] {
        isBinary(name) ? binary(contents, name) : json(contents)
    }

    private static func json(_ contents: EventLogContents) -> [UInt8] {
        var encoder = JSONLogEncoder(header: contents.header)
        for event in contents.events { encoder.encode(event) }
        return contents.header.jsonPrologue() + encoder.takeBytes() + JSONLogEncoder.epilogue
    }

    private static func binary(_ contents: EventLogContents, _ name: String) -> [UInt8] {
        var encoder = BinaryLogEncoder(header: contents.header)
        for event in contents.events { encoder.encode(event) }
        if encoder.unencodableEvents > 0 {
            Console.complain(
                "warning: \(name): \(encoder.unencodableEvents) events have identifiers that the binary form cannot "
                    + "hold, and were left out")
        }
        return encoder.finish()
    }
}
