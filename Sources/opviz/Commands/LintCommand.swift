import ArgumentParser
import Inspector

struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Finds operations, queues and tasks that misbehaved, with evidence and what to change.",
        discussion: """
            Rules ("it" is the operation or task):

            \(HazardReport.allRules.map { "\($0.name): \($0.meaning)" }.joined(separator: "\n"))

            opviz lint trace.json finding:3 prints one finding, with its operations.

            With --strict, the exit code is 1 if anything was found at --severity or above (default: warning).
            """)

    enum Severity: String, CaseIterable, ExpressibleByArgument {
        case note, warning, error

        var least: HazardSeverity { HazardSeverity(rawValue: rawValue) ?? .note }
    }

    @OptionGroup var trace: TraceArgument

    @Argument(help: "Print only this finding, such as finding:3. (default: all)")
    var finding: String?

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
            let analysis = TraceAnalysis(try trace.read(showsTasks: true))
            let all = HazardReport(analysis)
            // Alone, a rule also finds what another one explains.
            let report =
                try chosen(of: all)
                ?? (rules.isEmpty ? all : HazardReport(analysis, rules: Set(rules)).numbered(like: all))
                .only(atLeast: severity?.least ?? .note)
            try output.write(report, isWhole: length.all)
            hasFound = report.groups.contains { $0.severity >= severity?.least ?? .warning }
        }
        if strict && hasFound { throw ExitStatus.found.code }
    }

    /// The report of a single finding; nil for all.
    private func chosen(of report: HazardReport) throws -> HazardReport? {
        guard let finding else { return nil }
        guard rules.isEmpty, severity == nil else {
            throw CommandError(.usage, "\(finding) is one finding: leave out --rule and --severity")
        }
        let handle = Handle(finding)
        guard handle.form == .finding else {
            throw CommandError(
                .usage,
                "\(trace.path): \(NearestNames.quoted(finding)) is not a finding, such as finding:1; "
                    + "opviz explain takes operations")
        }
        guard let number = handle.number, report.finding(number) != nil else {
            throw CommandError(.usage, "\(trace.path): \(report.unknown(handle))")
        }
        return report.only(finding: number)
    }

    private func checkRules() throws {
        let known = HazardReport.allRules.map(\.name)
        guard let unknown = rules.first(where: { !known.contains($0) }) else { return }
        throw CommandError(.usage, "--rule: \(HazardReport.unknownRule(unknown))")
    }
}
