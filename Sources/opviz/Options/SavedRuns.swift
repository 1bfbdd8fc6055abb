import ArgumentParser
import Inspector

/// The runs whose timings a command saves, with `--label` and `--date`.
struct SavedRuns: ParsableArguments {
    @Argument(help: "Traces, folders of traces, or baselines.", completion: TraceArgument.completion)
    var runs: [String]

    @Option(help: "Label of the runs, such as a version.")
    var label: String?

    @Option(help: "Date of the runs. (default: when they began, in UTC)")
    var date: String?

    /// The files of the runs.
    ///
    /// - Throws: `CommandError` if the date is not a day, or if a folder contains no traces.
    func files() throws -> [String] {
        if let date, !Baseline.isDay(date) {
            throw CommandError(.usage, "--date: expected a date such as 2026-11-21, not \(date)")
        }
        return try runs.flatMap(TimedRuns.files)
    }
}
