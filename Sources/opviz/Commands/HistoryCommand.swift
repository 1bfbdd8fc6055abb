import ArgumentParser
import Foundation
import Inspector

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Keeps the timings of every run in a file, and shows where a metric changed.",
        discussion: """
            opviz history add run1.json run2.json --file history.jsonl --label v1.2
            opviz history show --file history.jsonl         the makespan, on the terminal
            opviz history show --file history.jsonl --metric "critical path" -o trend.svg

            opviz check --history history.jsonl estimates from it how much sessions differ.
            """,
        subcommands: [Add.self, Show.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Appends a line for each run, and creates the file if it is missing.",
            discussion: "Several programs can append at once.")

        @OptionGroup var saved: SavedRuns

        @OptionGroup var history: HistoryFileOption

        func run() throws {
            try CommandError.reported {
                let files = try saved.files()
                let file = history.file
                // Do not append to a trace that is named by mistake.
                _ = try OutputFile(file, notOverwritingTracesOf: files)
                let kept = TimedRuns.usable(try TimedRuns.read(files).runs)
                guard !kept.isEmpty else { throw CommandError(.data, "none of the runs can be kept") }
                let entries = kept.map {
                    HistoryEntry(run: $0.timings, label: saved.label, date: saved.date)
                }
                if try HistoryFile(path: file).append(entries) {
                    Console.report(
                        "warning: \(file): the last line is incomplete: its writer was interrupted. "
                            + "It was left unchanged, and the new runs follow it")
                }
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Shows the trend of a metric, with the places where it changed.")

        @OptionGroup var history: HistoryFileOption

        @Option(help: "Metric: makespan, \"critical path\", \"execution of Parse\" and others.")
        var metric = "makespan"

        @Option(help: "Show only runs of this program. (default: the last run's)")
        var process: String?

        @Option(help: "Show only runs on this machine. (default: the last run's)")
        var host: String?

        @OptionGroup var length: LengthOption

        @OptionGroup var destination: PictureDestination<TrendOutput>

        func run() throws {
            try CommandError.reported {
                guard let metric = TimingMetric(named: metric) else {
                    throw CommandError(.usage, "--metric: \(TimingMetric.unknown(metric))")
                }
                let file = history.file
                let output = try destination.open(notOverwriting: file)
                let history = try Self.read(file)
                let (process, host) = try series(history)
                let shown = history.of(process: process, host: host)
                let others = history.entries.count - shown.entries.count
                if others > 0 {
                    Console.report(
                        "note: \(file): \(Prose.grouped(others)) of "
                            + "\(Prose.grouped(history.entries.count)) runs are of other programs or "
                            + "machines than \(process) on \(host), and are not shown (--process, --host)")
                }
                guard let trend = MetricTrend(shown, metric) else {
                    let kinds = Set(shown.entries.flatMap { $0.run.kinds.map(\.name) }).sorted()
                    let missing = metric.kind.map { MissingName.kind($0, among: kinds) }
                    throw CommandError(
                        .usage, "--metric: \(missing ?? "no run of the history has a \(metric.label)")")
                }
                let written = TrendOutput(
                    trend, heading: "\(metric.label) · \(process) on \(host)",
                    theme: destination.picture.theme)
                try output.file.write(
                    RenderedPicture(report: written), as: output.format,
                    WritingStyle(width: Console.width, isWhole: length.all))
            }
        }

        /// Reads all valid entries. Reports lines that are not entries.
        static func read(_ path: String) throws -> RunHistory {
            let history = try HistoryFile(path: path).read()
            let mostNamed = 5
            for problem in history.problems.prefix(mostNamed) {
                Console.report("warning: \(path): line \(problem.line): skipped: \(problem.reason)")
            }
            if history.problems.count > mostNamed {
                Console.report(
                    "warning: \(path): \(history.problems.count - mostNamed) more lines are skipped")
            }
            guard !history.entries.isEmpty else {
                throw CommandError(.data, "\(path): the history contains no runs")
            }
            return history
        }

        private func missing(
            _ option: String, _ what: String, _ name: String, among names: [String]
        ) -> CommandError {
            CommandError(
                .usage,
                "\(option): no run of a \(what) named \(NearestNames.quoted(name))"
                    + NearestNames.hint(to: name, among: names, what, what + "s"))
        }

        /// Which runs to compare: by default those of the program and machine of the last run.
        private func series(_ history: RunHistory) throws -> (process: String, host: String) {
            let last = history.entries.last {
                (process ?? $0.run.process, host ?? $0.run.host) == ($0.run.process, $0.run.host)
            }
            guard let last else {
                let runs = history.entries.map(\.run)
                let programs = runs.map(\.process)
                if let process, !programs.contains(process) {
                    throw missing("--process", "program", process, among: programs)
                }
                let hosts = runs.map(\.host)
                if let host, !hosts.contains(host) {
                    throw missing("--host", "machine", host, among: hosts)
                }
                throw CommandError(.usage, "\(self.history.file): that program has no run on that machine")
            }
            return (last.run.process, last.run.host)
        }
    }
}
