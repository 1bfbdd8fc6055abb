import ArgumentParser
import Foundation
import Inspector

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a binary trace to JSON, for viewers, and JSON to binary.")

    @OptionGroup var trace: TraceArgument

    @Option(
        name: .shortAndLong,
        help: .output(".json or .optrace", else: "beside the trace"),
        completion: .file(extensions: ["optrace", "json"]))
    var output: String?

    func run() throws {
        try CommandError.reported {
            if let output { try TraceBytes.expectForm(ofFile: output) }
            let log = try trace.survey()
            let otherForm = log.isBinary ? ".json" : ".optrace"
            let name = output ?? (trace.path as NSString).deletingPathExtension + otherForm
            let file = try OutputFile(name, notOverwriting: trace.path)
            try TraceBytes.write(log.log.header, named: name, to: file) { try log.pass(to: $0) }
            if !file.isStandardOutput && output == nil { try Console.announce(name) }
        }
    }
}
