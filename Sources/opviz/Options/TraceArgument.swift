import ArgumentParser
import Foundation
import Inspector

/// The trace that a command reads.
struct TraceArgument: ParsableArguments {
    static var help: ArgumentHelp { ArgumentHelp("Trace file.", valueName: "trace") }
    static var completion: CompletionKind { .file(extensions: ["json", "optrace"]) }

    @Argument(help: Self.help, completion: Self.completion)
    var path: String

    /// Reads it, and warns about what is missing.
    ///
    /// - Parameter showsTasks: whether the command shows tasks as well as operations.
    func read(showsTasks: Bool = false) throws -> Trace { try Console.read(path, showsTasks: showsTasks) }

    /// The same for commands that write its events in another form.
    func survey() throws -> SurveyedLog {
        Progress.begin("reading \(path)")
        let log = try TraceReader(path: path).surveyed()
        Console.warn(of: log.log.notes + log.log.losses, in: path)
        if !log.hasOperations, !log.hasTasks { Console.noteEmpty(log.log.header, in: path) }
        return log
    }
}
