import ArgumentParser
import Foundation
import Inspector

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a binary trace to JSON, for viewers, and JSON to binary.")

    @OptionGroup var log: RewrittenLog

    @Option(
        name: .shortAndLong,
        help: "Output file: .json or .optrace. (default: beside the trace)",
        completion: .file(extensions: ["optrace", "json"]))
    var output: String?

    func run() throws {
        try CommandError.reported {
            if let output { try TraceBytes.expectForm(ofFile: output) }
            let contents = try log.read()
            let otherForm = TraceReader(path: log.trace).isBinary() ? ".json" : ".optrace"
            let name = output ?? (log.trace as NSString).deletingPathExtension + otherForm
            let file = try OutputFile(name, notOverwriting: log.trace)
            try TraceBytes.write(contents, named: name, to: file)
            if !file.isStandardOutput && output == nil { try Console.announce(name) }
        }
    }
}
