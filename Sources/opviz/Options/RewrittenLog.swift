import ArgumentParser
import Foundation
import Inspector

/// The trace that `convert` and `compact` write in another form.
struct RewrittenLog: ParsableArguments {
    @Argument(help: "The trace.", completion: .file(extensions: ["optrace", "json"]))
    var trace: String

    /// Reads it, and warns about what is missing.
    func read() throws -> EventLogContents {
        Progress.begin("reading \(trace)")
        let contents = try TraceReader(path: trace).events()
        Console.warn(of: contents.notes + contents.losses, in: trace)
        Console.noteIfEmpty(contents, in: trace)
        return contents
    }
}
