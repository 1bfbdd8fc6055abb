import ArgumentParser
import Foundation
import Inspector

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Writes a trace in its other form: binary as JSON, for viewers, and JSON as binary.")

    @Argument(help: "The trace.", completion: .file(extensions: ["optrace", "json"]))
    var trace: String

    @Option(
        name: .shortAndLong,
        help: "The name of the result: .json or .optrace. (default: beside the trace, in the other form)",
        completion: .file(extensions: ["optrace", "json"]))
    var output: String?

    func run() throws {
        try CommandError.reported {
            let contents = try TraceReader(path: trace).events()
            Console.warn(of: contents.losses, in: trace)
            let otherForm = TraceReader(path: trace).isBinary() ? ".json" : ".optrace"
            let name = output ?? (trace as NSString).deletingPathExtension + otherForm
            let file = try OutputFile(name, notOverwriting: trace)
            try file.write(isBinary(name) ? binary(contents) : json(contents))
            if !file.isStandardOutput && output == nil { try Console.print(name + "\n") }
        }
    }

    private func isBinary(_ name: String) -> Bool { (name as NSString).pathExtension == "optrace" }

    private func json(_ contents: EventLogContents) -> [UInt8] {
        var encoder = JSONLogEncoder(header: contents.header)
        for event in contents.events { encoder.encode(event) }
        return contents.header.jsonPrologue() + encoder.takeBytes() + JSONLogEncoder.epilogue
    }

    private func binary(_ contents: EventLogContents) -> [UInt8] {
        var encoder = BinaryLogEncoder(header: contents.header)
        for event in contents.events { encoder.encode(event) }
        if encoder.unencodableEvents > 0 {
            Console.complain(
                "warning: \(trace): \(encoder.unencodableEvents) events have identifiers that the binary form cannot "
                    + "hold, and were left out")
        }
        return encoder.finish()
    }
}
