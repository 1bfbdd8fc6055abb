import ArgumentParser
import Foundation
import Inspector

/// How a check decides, and what happens to its result. The same for every source of runs.
struct CheckOptions: ParsableArguments {
    @Option(help: "Ignore smaller relative changes.")
    var threshold = "5%"

    @Option(help: "Ignore smaller absolute changes, such as 1ms.")
    var thresholdAbsolute = "0ns"

    @Option(
        help:
            """
            Metric that decides the verdict, such as "execution of Parse" (repeatable). (default: makespan)
            """)
    var primary: [String] = []

    @Option(help: "Probability of a false alarm.")
    var errorRate = "1%"

    @Option(
        help:
            "Number of planned checks; they share the error rate."
    )
    var looks = 1

    @Option(
        help: "Budget file to check every judged run against.",
        completion: .file(extensions: ["yml", "yaml"]))
    var budgets: String?

    @Option(
        help:
            "History file, to estimate how much sessions differ.",
        completion: .file(extensions: ["jsonl"]))
    var history: String?

    @Flag(help: "Exit with 2 if the check is inconclusive.")
    var strict = false

    @Option(
        name: .shortAndLong,
        help: .output(
            ".txt, .md (with a picture beside it), .html, .json or .xml (JUnit)", isRepeatable: true),
        completion: .file())
    var output: [String] = []

    @Option(
        name: .shortAndLong,
        help: "Format of standard output: text, markdown, html, json, junit or github.")
    var format: FormatName<CheckOutput>?

    @OptionGroup var picture: PictureOptions

    /// - Throws: `CommandError` if an option is invalid.
    func policy(isInterleaved: Bool) throws -> CheckPolicy {
        guard let threshold = CheckPolicy.share(threshold) else {
            throw CommandError(.usage, "--threshold: expected a percentage such as 5%, not \(threshold)")
        }
        guard let absolute = CheckPolicy.nanoseconds(thresholdAbsolute) else {
            throw CommandError(
                .usage,
                "--threshold-absolute: expected a time such as 1ms, not \(thresholdAbsolute)")
        }
        guard let rate = CheckPolicy.share(errorRate), rate > 0, rate < 0.5 else {
            throw CommandError(
                .usage, "--error-rate: expected a percentage between 0% and 50%, not \(errorRate)")
        }
        guard (1...100).contains(looks) else {
            throw CommandError(.usage, "--looks: must be between 1 and 100")
        }
        return CheckPolicy(
            relativeThreshold: threshold, absoluteThreshold: absolute, errorRate: rate, looks: looks,
            isInterleaved: isInterleaved)
    }

    /// - Throws: `CommandError` if a name is not a metric, or if no run of either side has a metric for that
    ///   kind.
    func primaryMetrics(of runs: [TimedRun]) throws -> [TimingMetric] {
        if primary.isEmpty { return [.makespan] }
        let kinds = Set(runs.flatMap { $0.timings.kinds.map(\.name) })
        var metrics: [TimingMetric] = []
        for name in primary {
            guard let metric = TimingMetric(named: name) else {
                throw CommandError(.usage, "--primary: \(TimingMetric.unknown(name, kinds: kinds.sorted()))")
            }
            if let kind = metric.kind, !kinds.contains(kind) {
                throw CommandError(.usage, "--primary: \(MissingName.kind(kind, among: kinds.sorted()))")
            }
            if !metrics.contains(metric) { metrics.append(metric) }
        }
        return metrics
    }

    /// Compares the sides.
    ///
    /// - Throws: `CommandError` if an option is invalid, in general or for these runs.
    func check(
        baseline: CheckSide, current: CheckSide, isInterleaved: Bool, orderSeed: UInt64? = nil
    ) throws -> RegressionCheck {
        var policy = try policy(isInterleaved: isInterleaved)
        policy.orderSeed = orderSeed
        let primary = try primaryMetrics(of: baseline.runs + current.runs)
        if let history, !isInterleaved {
            policy.sessionSpread = try HistoryCommand.Show.read(history).sessionSpread(
                baseline: baseline, current: current, primary: primary)
            if policy.sessionSpread == nil {
                Console.report(
                    "note: \(history): no other session of this program on this machine"
                )
            }
        }
        Progress.begin("comparing \(Prose.counted(baseline.runs.count + current.runs.count, "run"))")
        return RegressionCheck(baseline: baseline, current: current, primary: primary, policy: policy)
    }

    /// Files that outputs must not replace.
    var inputs: [String] { [budgets, history].compactMap { $0 } }

    /// - Throws: `CommandError` if a file cannot be written, or is one of the inputs.
    func outputs(notOverwriting inputs: [String]) throws -> CheckOutputs {
        try CheckOutputs(output, format?.format, picture.theme, notOverwriting: inputs, isStrict: strict)
    }

    /// Nil if no budgets are requested.
    ///
    /// - Throws: `BudgetsError` if the file is not a valid file of budgets.
    func readBudgets() throws -> Budgets? { try budgets.map { path in try Budgets(file: path) } }

    /// Writes the result to all outputs, and ends the program with the exit code of the verdict.
    ///
    /// - Parameters:
    ///   - check: nil if only budgets are checked.
    ///   - budgets: nil if no budgets are checked.
    func finish(_ check: RegressionCheck?, _ budgets: BudgetReport?, _ outputs: CheckOutputs) throws {
        try outputs.write(check, budgets)
        let isBad = check?.verdict == .regressed || budgets?.isBroken ?? false
        var open: [String] = []
        if let check, check.verdict == .inconclusive { open.append(CheckText(check).openQuestion) }
        if budgets?.isInconclusive ?? false {
            open.append("events that the budgets need were not recorded")
        }
        if !open.isEmpty && check?.verdict != .regressed {
            let isExitSaid = strict || isBad
            Console.report(
                "\(isExitSaid ? "" : "warning: ")INCONCLUSIVE: \(open.joined(separator: ", and "))"
                    + (isExitSaid ? "" : "; the exit code is still 0 (2 with --strict)"))
        }
        if isBad { throw ExitStatus.found.code }
        if strict && !open.isEmpty { throw ExitStatus.inconclusive.code }
    }
}

extension Budgets {
    /// Reads the traces, each with its name for messages, and checks each.
    ///
    /// - Throws: `BudgetsError` if a trace has no operation of a kind in the budgets, `CommandError` if a
    ///   file is a baseline, which has no operations, and `TraceError` if it is not a trace.
    func report(of traces: [(name: String, path: String)]) throws -> BudgetReport {
        let runs = try traces.map { name, path in
            if BaselineReader(path: path).isBaseline() {
                throw CommandError(.usage, "\(path): is a baseline; --budgets needs traces")
            }
            return (name, TraceAnalysis(try Console.read(path, as: name, showsTasks: true)))
        }
        return try BudgetReport(self, runs)
    }
}
