import ArgumentParser
import Inspector

struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Finds operations, queues and tasks that misbehaved, with evidence and what to change.",
        discussion: """
            Rules ("it" is the operation or task):

            \(HazardReport.allRules.map { "\($0.name): \($0.meaning)" }.joined(separator: "\n"))

            With --strict, the exit code is 1 if anything was found at --severity or above (default: warning).
            """)

    enum Severity: String, CaseIterable, ExpressibleByArgument {
        case note, warning, error

        var least: HazardSeverity { HazardSeverity(rawValue: rawValue) ?? .note }
    }

    @OptionGroup var trace: TraceArgument

    @Option(help: "Minimum severity to report: note, warning or error. (default: note)")
    var severity: Severity?

    @Flag(help: "Exit with 1 if anything was found at --severity or above.")
    var strict = false

    @Option(
        name: .customLong("rule"), help: "Check only this rule (repeatable). (default: all)",
        completion: .list(HazardReport.allRules.map(\.name)))
    var rules: [String] = []

    @OptionGroup var length: LengthOption

    @OptionGroup var destination: Destination<HazardReport>

    func run() throws {
        var hasFound = false
        try CommandError.reported {
            try checkRules()
            let output = try destination.open(notOverwriting: trace.path)
            let report = HazardReport(
                try trace.read(showsTasks: true), rules: rules.isEmpty ? nil : Set(rules),
                atLeast: severity?.least ?? .note)
            try output.write(report, isWhole: length.all)
            let least = severity?.least ?? .warning
            hasFound = report.groups.contains { $0.severity >= least }
        }
        if strict && hasFound { throw ExitStatus.found.code }
    }

    private func checkRules() throws {
        let known = HazardReport.allRules.map(\.name)
        guard let unknown = rules.first(where: { !known.contains($0) }) else { return }
        throw CommandError(.usage, "--rule: \(HazardReport.unknownRule(unknown))")
    }
}
