import ArgumentParser
import Foundation
import Inspector

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts a binary trace to JSON, for viewers, and JSON to binary.")

    @Argument(help: "The trace.", completion: .file(extensions: ["optrace", "json"]))
    var trace: String

    @Option(
        name: .shortAndLong,
        help: "Output file: .json or .optrace. (default: beside the trace)",
        completion: .file(extensions: ["optrace", "json"]))
    var output: String?

    func run() throws {
        try CommandError.reported {
            Progress.begin("reading \(trace)")
            let contents = try TraceReader(path: trace).events()
            Console.warn(of: contents.notes + contents.losses, in: trace)
            Console.noteIfEmpty(contents, in: trace)
            let otherForm = TraceReader(path: trace).isBinary() ? ".json" : ".optrace"
            let name = output ?? (trace as NSString).deletingPathExtension + otherForm
            let file = try OutputFile(name, notOverwriting: trace)
            try TraceBytes.write(contents, named: name, to: file)
            if !file.isStandardOutput && output == nil { try Console.announce(name) }
        }
    }
}
