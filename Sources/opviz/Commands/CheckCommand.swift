import ArgumentParser
import Inspector
import ProgramRecording

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compares runs with a baseline: whether they became slower, and where the time went.",
        discussion: """
            opviz check --interleave 20 -- ./old -- ./new     runs both alternately (best)
            opviz check new/ --baseline baseline.json
            opviz check new/ --baseline old/ --threshold 3% --primary "execution of Parse"
            opviz check new/ --budgets budgets.yml            limits without a baseline
            opviz check new/ --baseline old/ -o check.md -o check.xml --format github

            The verdict is regressed (slower by more than the threshold, with confidence), improved, \
            unchanged (any change is within the threshold, with confidence) or inconclusive. The check \
            compares whole runs: 50 a side reveal a change of 10 %. \
            Documentation/GateAPullRequest.md explains it.

            The exit code is 1 for a regression or a broken budget, and with --strict 2 for an inconclusive \
            check. A pipeline (opviz check ... | tee log) hides it unless set -o pipefail is on; use -o.
            """)

    @Argument(
        help: "Runs to judge: traces, folders of traces, or a baseline.",
        completion: .file(extensions: ["json", "optrace"]))
    var current: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: "Runs to compare with: baselines, traces, folders of traces.",
        completion: .file(extensions: ["json", "optrace"]))
    var baseline: [String] = []

    @Flag(
        help:
            "Treat the runs as recorded alternately; start times must confirm it."
    )
    var interleaved = false

    @Option(
        help:
            "Run two commands alternately, N times each: opviz check --interleave 20 -- ./old -- ./new"
    )
    var interleave: Int?

    @Option(help: "Seed for the order of --interleave. (default: random)")
    var seed: UInt64?

    @Option(help: "Folder to keep the traces of --interleave in.", completion: .directory)
    var keep: String?

    @OptionGroup var options: CheckOptions

    func run() throws {
        try CommandError.reported {
            if let interleave { return try run(interleave) }
            guard keep == nil else { throw CommandError(.usage, "--keep needs --interleave") }
            guard seed == nil else { throw CommandError(.usage, "--seed needs --interleave") }
            guard !baseline.isEmpty || options.budgets != nil else {
                throw CommandError(
                    .usage,
                    "nothing to compare with: give --baseline, --interleave N -- OLD -- NEW, or --budgets"
                )
            }
            guard !current.isEmpty else {
                throw CommandError(
                    .usage,
                    "no runs to judge: give them before --baseline, which takes everything up to the "
                        + "next option"
                )
            }
            let judged = try current.flatMap(TimedRuns.files)
            let compared = try baseline.flatMap(TimedRuns.files)
            let outputs = try options.outputs(notOverwriting: judged + compared + options.inputs)
            let budgets = try options.readBudgets()
            guard !baseline.isEmpty else {
                guard !interleaved else {
                    throw CommandError(.usage, "--interleaved needs --baseline")
                }
                let report = try budgets?.report(of: judged.map { ($0, $0) })
                return try options.finish(nil, report, outputs)
            }
            let (before, after) = (try TimedRuns.read(compared), try TimedRuns.read(judged))
            if interleaved, !RunSessions.areInTurn(Self.usable(before), Self.usable(after)) {
                throw CommandError(
                    .usage,
                    "--interleaved: the runs do not alternate: by their starts, one side is ahead by more "
                        + "than two"
                )
            }
            try options.finish(
                options.check(baseline: before, current: after, isInterleaved: interleaved),
                try budgets?.report(of: judged.map { ($0, $0) }), outputs)
        }
    }

    /// The runs to compare. Runs that are left out do not balance the sides.
    private static func usable(_ side: CheckSide) -> [RunTimings] {
        side.runs.filter { $0.reasonToLeaveOut == nil }.map(\.timings)
    }

    /// Runs both commands alternately. Each look covers all runs so far; the last one ends the check.
    private func run(_ count: Int) throws {
        guard (1...10_000).contains(count) else {
            throw CommandError(.usage, "--interleave: must be between 1 and 10,000")
        }
        guard baseline.isEmpty, !interleaved, options.history == nil else {
            throw CommandError(
                .usage, "--interleave records both sides itself; leave out other runs and the history")
        }
        let commands = try InterleavedRuns.commands(current)
        // Report invalid options before hours of runs.
        _ = try options.policy(isInterleaved: true)
        let outputs = try options.outputs(notOverwriting: options.inputs)
        let budgets = try options.readBudgets()
        let order = RunOrder(pairs: count, seed: seed ?? RunOrder.randomSeed())
        var runs = try InterleavedRuns(old: commands.old, new: commands.new, order: order, keptIn: keep)
        defer { runs.cleanUp() }
        try runs.extend(to: 1, of: count)
        _ = try options.primaryMetrics(of: runs.baseline.runs + runs.current.runs)
        var look = 0
        var check: RegressionCheck
        repeat {
            look += 1
            try runs.extend(to: max(1, count * look / options.looks), of: count)
            check = try options.check(
                baseline: runs.baseline, current: runs.current, isInterleaved: true, orderSeed: order.seed)
        } while look < options.looks && check.verdict == .inconclusive
        SignalForwarding.end()
        try options.finish(
            check,
            budgets?.report(of: runs.current.runs.compactMap { run in run.trace.map { (run.name, $0) } }),
            outputs)
    }
}
