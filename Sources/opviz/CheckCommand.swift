import ArgumentParser
import Inspector

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says whether runs became slower than those of a baseline, and where the time went.",
        discussion: """
            opviz check --interleave 20 -- ./old -- ./new     runs both in turn: trust this
            opviz check new/ --baseline baseline.json
            opviz check new/ --baseline old/ --threshold 3% --primary "execution of Parse"
            opviz check new/ --budgets budgets.yml            limits without a baseline
            opviz check new/ --baseline old/ -o check.md -o check.xml --format github

            The verdict is regressed (slower by more than the threshold, with confidence), improved, \
            unchanged (any change is within the threshold, with confidence) or inconclusive. Runs are \
            compared, and not their operations: 50 of either side see a change of 10 %. \
            Documentation/GateAPullRequest.md explains it.

            It exits with 1 where it regressed, or a budget is broken; with --strict with 2 where it is \
            inconclusive. In a shell, a pipe (opviz check ... | tee log) takes the exit code away without \
            set -o pipefail; use -o.
            """)

    @Argument(
        help: "The runs to judge: traces, folders of traces, or a baseline made of them.",
        completion: .file(extensions: ["json", "optrace"]))
    var current: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: "The runs to compare with, up to the next option: baselines, traces, folders of traces.",
        completion: .file(extensions: ["json", "optrace"]))
    var baseline: [String] = []

    @Flag(
        help:
            "The runs of both sides were made in turn, in the same sessions; their starts must have it so."
    )
    var interleaved = false

    @Option(
        help:
            """
            Run two commands in turn, each so many times, and compare these runs: opviz check --interleave \
            20 -- ./old -- ./new
            """
    )
    var interleave: Int?

    @Option(help: "Seed of the order of the runs that --interleave makes. (default: random)")
    var seed: UInt64?

    @Option(help: "A folder for the traces of the runs that --interleave makes.", completion: .directory)
    var keep: String?

    @OptionGroup var options: CheckOptions

    func run() throws {
        try CommandError.reported {
            if let interleave { return try run(interleave) }
            guard keep == nil else { throw CommandError(.usage, "--keep goes with --interleave only") }
            guard seed == nil else { throw CommandError(.usage, "--seed goes with --interleave only") }
            guard !baseline.isEmpty || options.budgets != nil else {
                throw CommandError(
                    .usage,
                    "--baseline is missing: the runs to compare with; or --interleave N -- OLD -- NEW, or "
                        + "--budgets"
                )
            }
            guard !current.isEmpty else {
                throw CommandError(
                    .usage,
                    "the runs to judge are missing: they come before --baseline, which takes all up to the "
                        + "next option"
                )
            }
            let judged = try current.flatMap(TimedRuns.files)
            let compared = try baseline.flatMap(TimedRuns.files)
            let outputs = try options.outputs(notOverwriting: judged + compared + options.inputs)
            let budgets = try options.readBudgets()
            guard !baseline.isEmpty else {
                guard !interleaved else {
                    throw CommandError(.usage, "--interleaved goes with --baseline only")
                }
                let report = try budgets?.report(of: judged.map { ($0, $0) })
                return try options.finish(nil, report, outputs)
            }
            let (before, after) = (try TimedRuns.read(compared), try TimedRuns.read(judged))
            if interleaved, !RunSessions.areInTurn(Self.usable(before), Self.usable(after)) {
                throw CommandError(
                    .usage,
                    "--interleaved: by their starts the runs were not made in turn: one side is ahead by "
                        + "more than two"
                )
            }
            try options.finish(
                options.check(baseline: before, current: after, isInterleaved: interleaved),
                try budgets?.report(of: judged.map { ($0, $0) }), outputs)
        }
    }

    /// Those that are compared: what is left out does not keep the balance.
    private static func usable(_ side: CheckSide) -> [RunTimings] {
        side.runs.filter { $0.reasonToLeaveOut == nil }.map(\.timings)
    }

    /// Runs both commands in turn. Each look is at all runs until then, and the last that it takes ends the
    /// check.
    private func run(_ count: Int) throws {
        guard (1...10_000).contains(count) else {
            throw CommandError(.usage, "--interleave: \(count) is no number of runs from 1 to 10000")
        }
        guard baseline.isEmpty, !interleaved, options.history == nil else {
            throw CommandError(
                .usage, "--interleave makes both sides itself, and takes no other runs and no history")
        }
        let commands = try InterleavedRuns.commands(current)
        // What makes no sense is to be known before hours of runs.
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
