import ArgumentParser
import Inspector

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Says whether runs became slower than those of a baseline, and where the time went.",
        discussion: """
            opviz check new1.json new2.json … --baseline baseline.json
            opviz check new/ --baseline old/ --threshold 3% --primary makespan --primary "execution of Parse"
            opviz check new/ --baseline old/ -o check.md -o check.xml --format github

            The verdict is regressed (slower by more than the threshold, with confidence), improved, unchanged (any change is \
            within the threshold, with confidence) or inconclusive. Runs are compared, and not their operations: 30 of either side \
            see a change of 10 %. Documentation/RegressionChecks.md explains it.

            Exit codes: 0 no regression was found, also where the check is inconclusive; 1 regressed; 2 with --strict, where it is \
            inconclusive. Others as of opviz. In a shell, a pipe (opviz check … | tee log) takes the exit code away without \
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
            "The runs of both sides were made in turn, A B B A, in the same sessions; their starts must have it so."
    )
    var interleaved = false

    @OptionGroup var options: CheckOptions

    func run() throws {
        try CommandError.reported {
            guard !baseline.isEmpty else {
                throw CommandError(.usage, "--baseline is missing: the runs to compare with")
            }
            guard !current.isEmpty else {
                throw CommandError(
                    .usage,
                    "the runs to judge are missing: they come before --baseline, which takes all up to the next option"
                )
            }
            let (before, after) = (try TimedRuns.read(baseline), try TimedRuns.read(current))
            if interleaved, !RunSessions.areInTurn(before.runs.map(\.timings), after.runs.map(\.timings)) {
                throw CommandError(
                    .usage,
                    "--interleaved: by their starts the runs were not made in turn: one side is ahead by more than two"
                )
            }
            try options.finish(
                baseline: before, current: after, isInterleaved: interleaved,
                notOverwriting: try (current + baseline).flatMap(TimedRuns.files))
        }
    }
}
