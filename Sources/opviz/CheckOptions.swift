import ArgumentParser
import Foundation
import Inspector

/// How a check decides, and what becomes of its result. The same wherever the runs come from.
struct CheckOptions: ParsableArguments {
    @Option(help: "A change of less than this part is none.")
    var threshold = "5%"

    @Option(help: "Nor is a change of less than this time: 1ms, 250us.")
    var thresholdAbsolute = "0ns"

    @Option(
        help:
            """
            What carries the verdict: makespan, "critical path", "execution of Parse" …; may be given again. \
            (default: makespan)
            """)
    var primary: [String] = []

    @Option(help: "How often a check of equally fast programs may say regressed.")
    var errorRate = "1%"

    @Option(
        help:
            "How often the check is looked at while runs are added: each look spends its part of the error rate."
    )
    var looks = 1

    @Option(
        help:
            "What sessions differ by, from opviz history: for runs of both sides that were not made in turn.",
        completion: .file(extensions: ["jsonl"]))
    var history: String?

    @Flag(help: "Exit with 2 where the check is inconclusive.")
    var strict = false

    @Option(
        name: .shortAndLong,
        help:
            """
            Where to write it; its ending chooses the format: .txt, .md (and a picture beside it), .json, .xml (JUnit). \
            May be given again. - is standard output.
            """,
        completion: .file())
    var output: [String] = []

    @Option(
        name: .shortAndLong,
        help: "Of standard output, and of files of other endings: text, markdown, json, junit or github.")
    var format: CheckFormat?

    /// - Throws: `CommandError` when an option makes no sense.
    func policy(isInterleaved: Bool) throws -> CheckPolicy {
        guard let threshold = CheckPolicy.share(threshold) else {
            throw CommandError(.usage, "--threshold: \(threshold) is no percentage, as 5%")
        }
        guard let absolute = CheckPolicy.nanoseconds(thresholdAbsolute) else {
            throw CommandError(.usage, "--threshold-absolute: \(thresholdAbsolute) is no time, as 1ms")
        }
        guard let rate = CheckPolicy.share(errorRate), rate > 0, rate < 0.5 else {
            throw CommandError(
                .usage, "--error-rate: \(errorRate) is no percentage between 0% and 50%, as 1%")
        }
        guard looks > 0 else { throw CommandError(.usage, "--looks: \(looks) is no number from 1") }
        return CheckPolicy(
            relativeThreshold: threshold, absoluteThreshold: absolute, errorRate: rate, looks: looks,
            isInterleaved: isInterleaved)
    }

    /// - Throws: `CommandError` when it is no metric, or no run of either side has one of that kind.
    func primaryMetrics(of runs: [TimedRun]) throws -> [TimingMetric] {
        if primary.isEmpty { return [.makespan] }
        let kinds = Set(runs.flatMap { $0.timings.kinds.map(\.name) })
        var metrics: [TimingMetric] = []
        for name in primary {
            guard let metric = TimingMetric(named: name) else {
                throw CommandError(
                    .usage,
                    "--primary: \(name) is no metric; there are makespan, critical path, and each part of the time "
                        + "(\(Waits.Part.allCases.map(\.label).joined(separator: ", "))) alone or of a kind: "
                        + "execution of Parse")
            }
            if let kind = metric.kind, !kinds.contains(kind) {
                let known = kinds.sorted().prefix(10).joined(separator: ", ")
                throw CommandError(
                    .usage,
                    "--primary: no operation is of the kind \(kind); there \(kinds.count == 1 ? "is" : "are") \(known)"
                        + (kinds.count > 10 ? " and \(kinds.count - 10) more" : ""))
            }
            if !metrics.contains(metric) { metrics.append(metric) }
        }
        return metrics
    }

    /// Of the program and the machine of the first run; nil without a history.
    private func sessionSpread(of runs: [TimedRun], _ primary: [TimingMetric]) throws -> SessionSpread? {
        guard let history, let run = runs.first?.timings else { return nil }
        Progress.begin("reading \(history)")
        let same = try HistoryCommand.Show.read(history).of(process: run.process, host: run.host)
        if same.entries.isEmpty {
            Console.complain("warning: \(history): there is no run of \(run.process) on \(run.host)")
        }
        return same.sessionSpread(also: primary)
    }

    /// Compares the sides, writes the result wherever it is to go, and ends the program with the exit code of the verdict.
    ///
    /// - Parameter inputs: files that must not be written over.
    func finish(
        baseline: CheckSide, current: CheckSide, isInterleaved: Bool, notOverwriting inputs: [String]
    ) throws {
        let outputs = try CheckOutputs(output, format, notOverwriting: inputs)
        var policy = try policy(isInterleaved: isInterleaved)
        let primary = try primaryMetrics(of: baseline.runs + current.runs)
        policy.sessionSpread = try sessionSpread(of: current.runs, primary)
        Progress.begin("comparing \(baseline.runs.count + current.runs.count) runs")
        let check = RegressionCheck(baseline: baseline, current: current, primary: primary, policy: policy)
        try outputs.write(check)
        switch check.verdict {
        case .regressed: throw ExitCode(1)
        case .inconclusive:
            Console.complain(
                "\(strict ? "" : "warning: ")INCONCLUSIVE: these runs do not tell whether anything became slower"
                    + (strict ? "" : "; the exit code is 0 all the same (--strict makes it 2)"))
            if strict { throw ExitCode(2) }
        case .improved, .unchanged: break
        }
    }
}
