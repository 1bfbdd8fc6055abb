import ArgumentParser
import Foundation
import Inspector

struct AnonymizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "anonymize",
        abstract: "Replaces all names in a trace, before you attach it to a bug report.",
        discussion: """
            opviz anonymize trace.json              into anonymous.json
            opviz anonymize trace.optrace -o a.json

            Names, kinds, queues, messages, marks, functions, files, programs and hosts become \
            made-up ones: Kind 3, operation 12, queue 2. The same text becomes the same one \
            everywhere. The date becomes \(AnonymousLog.date).

            Times, numbers, and who waits for whom stay, and so do process and thread numbers. \
            Names that are the same in everybody's traces stay, such as BlockOperation; the \
            command lists them.

            Logs of several processes: merge them first. Anonymized logs cannot be aligned.
            """)

    @OptionGroup var trace: TraceArgument

    @Option(
        name: .shortAndLong,
        help: .output(".json or .optrace", else: "anonymous.json or .optrace, like the trace"),
        completion: .file(extensions: ["json", "optrace"]))
    var output: String?

    func run() throws {
        try CommandError.reported {
            if let output { try TraceBytes.expectForm(ofFile: output) }
            let survey = try trace.survey()
            // Not named after the trace, whose name may say what it is about.
            let name = output ?? (survey.isBinary ? "anonymous.optrace" : "anonymous.json")
            let file = try OutputFile(name, notOverwriting: trace.path)
            let log = try AnonymousLog(survey)
            try TraceBytes.write(log.header, named: name, to: file) { try log.pass(to: $0) }
            for line in summary(log, name) {
                if file.isStandardOutput { Console.report(line) } else { try Console.print(line + "\n") }
            }
        }
    }

    /// Everything that was kept is named, so that its reader can decide.
    private func summary(_ log: AnonymousLog, _ name: String) -> [String] {
        let lines = [
            "\(name): \(Prose.counted(log.replacedCount, "text")) replaced; the date is \(AnonymousLog.date)",
            "kept: times, numbers, who waits for whom",
            log.kept.isEmpty ? nil : "kept: \(log.kept.joined(separator: ", "))",
            log.keptFunctionCount == 0
                ? nil
                : "kept: \(Prose.counted(log.keptFunctionCount, "function")) of Swift, the system and opviz",
        ]
        return lines.compactMap(\.self).map { TerminalText.escaped($0) }
    }
}
