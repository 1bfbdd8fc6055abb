import ArgumentParser
import Foundation
import Inspector

/// Explains the first arguments if they name neither a command nor a file.
///
/// The parser takes an unknown word for the trace of `opviz graph`, and then complains about what follows. It
/// suggests similar names only for options.
enum UnknownCommand {
    /// One sentence; nil if the arguments begin with a command, an option or a file.
    static func sentence(_ arguments: [String]) -> String? {
        guard let word = arguments.first, !word.hasPrefix("-") else { return nil }
        var parent: any ParsableCommand.Type = Opviz.self
        var path: [String] = []
        for argument in arguments {
            let known = parent.configuration.subcommands
            if let next = known.first(where: { $0._commandName == argument }) {
                parent = next
                path.append(argument)
                continue
            }
            if known.isEmpty || argument.hasPrefix("-") { return nil }
            return path.isEmpty
                ? sentence(argument, arguments, names(of: known))
                : "no command '\(TerminalText.escaped((path + [argument]).joined(separator: " ")))'"
                    + NearestNames.hint(to: argument, among: names(of: known), "command", "commands")
        }
        return nil
    }

    /// The sentence for the first word.
    private static func sentence(_ word: String, _ arguments: [String], _ known: [String]) -> String? {
        if isTrace(word) {
            guard arguments.count > 1, known.contains(arguments[1]) else { return nil }
            return "the command comes before the trace: opviz \(arguments[1]) \(ShellText.quoted(word))"
        }
        // A name with an extension or a folder is meant to be a file.
        guard !word.contains("/"), !word.contains(".") else { return nil }
        let question = NearestNames(to: word, among: known).question
        // A single word may also be a file's name.
        guard arguments.count > 1 || question != nil else { return nil }
        return "no command \(NearestNames.quoted(word)); \(question ?? "opviz help lists the commands")"
    }

    static func isTrace(_ name: String) -> Bool {
        access(name, F_OK) == 0 || access(name + ".optrace", F_OK) == 0
    }

    private static func names(of commands: [any ParsableCommand.Type]) -> [String] {
        commands.map { $0._commandName }
    }
}
