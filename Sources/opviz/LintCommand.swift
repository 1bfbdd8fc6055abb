import ArgumentParser
import Inspector

struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Finds operations and queues that misbehaved, and says what proves it and what to change.",
        discussion: """
            Rules:

            \(HazardReport.allRules.map { "\($0.name): \($0.meaning)" }.joined(separator: "\n"))

            With --strict it exits with 1 where something was found at --severity or above, warning where that is not given.
            """)

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, github }

    enum Severity: String, CaseIterable, ExpressibleByArgument {
        case note, warning, error

        var least: HazardSeverity { HazardSeverity(rawValue: rawValue) ?? .note }
    }

    @Argument(
        help: "The trace, as the recorder wrote it.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(name: .shortAndLong, help: "text, json, or github for annotations of a workflow's run.")
    var format = Format.text

    @Option(help: "Leave out what is less: note, warning or error. (default: note)")
    var severity: Severity?

    @Flag(help: "Exit with 1 where something was found at --severity or above. (default: warning or above)")
    var strict = false

    @Option(
        name: .customLong("rule"), help: "Ask only this rule; may be given again. (default: all)",
        completion: .list(HazardReport.allRules.map(\.name)))
    var rules: [String] = []

    @Option(name: .shortAndLong, help: "Where to write it. - is standard output.", completion: .file())
    var output = "-"

    func run() throws {
        var hasFound = false
        try CommandError.reported {
            try checkRules()
            let file = try OutputFile(output, notOverwriting: trace)
            let trace = try Console.read(trace)
            let report = HazardReport(
                trace, rules: rules.isEmpty ? nil : Set(rules), atLeast: severity?.least ?? .note)
            let text =
                switch format {
                case .text: HazardText(report).text(width: Console.width ?? 80)
                case .json: HazardJSON(report).text
                case .github: HazardAnnotations(report).text
                }
            try file.write(Array(text.utf8))
            let least = severity?.least ?? .warning
            hasFound = report.groups.contains { $0.severity >= least }
        }
        if strict && hasFound { throw ExitStatus.found.code }
    }

    private func checkRules() throws {
        let known = HazardReport.allRules.map(\.name)
        guard let unknown = rules.first(where: { !known.contains($0) }) else { return }
        throw CommandError(.usage, "\(unknown): is no rule; there are \(known.joined(separator: ", "))")
    }
}
