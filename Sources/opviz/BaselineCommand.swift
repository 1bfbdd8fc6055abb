import ArgumentParser
import Foundation
import Inspector

struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Keeps the timings of runs in a small file, for opviz check to compare later runs with.",
        discussion: """
            opviz baseline run1.json run2.json run3.json -o baseline.json --label v1.2
            opviz baseline traces/ -o baseline.json                 all traces of a folder
            opviz baseline baseline.json later/ -o baseline.json    with another session's

            The file is made to be committed: the same runs give the same bytes. \
            Documentation/BaselineFormat.md has its form. A run that lost events, or whose log was not \
            closed, is left out and named.
            """)

    @Argument(
        help: "Traces, folders of traces, and baselines whose runs are kept.",
        completion: .file(extensions: ["json", "optrace"]))
    var runs: [String]

    @Option(
        name: .shortAndLong, help: "Where to write it. - is standard output.",
        completion: .file(extensions: ["json"]))
    var output = "-"

    @Option(help: "What the runs are of: a version, say.")
    var label: String?

    @Option(
        help: "The day of the runs, as 2026-11-21. (default: that on which the last of them began, in UTC)")
    var date: String?

    func run() throws {
        try CommandError.reported {
            if let date, !Baseline.isDay(date) {
                throw CommandError(.usage, "--date: \(date) is no day, as 2026-11-21")
            }
            let files = try runs.flatMap(TimedRuns.files)
            let file = try OutputFile(output, notOverwritingTracesOf: files)
            let side = try TimedRuns.read(files)
            for run in side.runs {
                guard let reason = run.reasonToLeaveOut else { continue }
                Console.complain("warning: \(run.name) is left out: \(reason)")
            }
            let timings = side.runs.filter { $0.reasonToLeaveOut == nil }.map(\.timings)
            guard !timings.isEmpty else {
                throw CommandError(.data, "there is no run that a baseline can be made of")
            }
            var baseline = Baseline(runs: timings, label: label, date: date)
            baseline.omittedKinds = side.omittedKinds
            try file.write(baseline.bytes)
            let count = baseline.runs.count
            if count < 3 {
                Console.complain(
                    "note: \(count == 1 ? "one run is" : "\(count) runs are") too few: a check needs three "
                        + "of each side "
                        + "at the least, and about 30 to see small changes")
            }
        }
    }
}

extension OutputFile {
    /// - Parameter inputs: files. What is written may take the place of a baseline, but not of a trace.
    init(_ name: String, notOverwritingTracesOf inputs: [String]) throws {
        for input in inputs where !BaselineReader(path: input).isBaseline() {
            _ = try OutputFile(name, notOverwriting: input)
        }
        try self.init(name, notOverwriting: "")
    }
}
