import ArgumentParser
import Foundation
import Inspector

struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Saves the timings of runs in a small file, as a baseline for opviz check.",
        discussion: """
            opviz baseline run1.json run2.json run3.json -o baseline.json --label v1.2
            opviz baseline traces/ -o baseline.json                 all traces of a folder
            opviz baseline baseline.json later/ -o baseline.json    with another session's

            Commit the file: the same runs give the same bytes. \
            Documentation/BaselineFormat.md describes it. A run that lost events, or whose log was not \
            closed, is left out and named.
            """)

    @OptionGroup var saved: SavedRuns

    @Option(name: .shortAndLong, help: .output(), completion: .file(extensions: ["json"]))
    var output = "-"

    func run() throws {
        try CommandError.reported {
            let files = try saved.files()
            let file = try OutputFile(output, notOverwritingTracesOf: files)
            let side = try TimedRuns.read(files)
            let timings = TimedRuns.usable(side.runs).map(\.timings)
            guard !timings.isEmpty else {
                throw CommandError(.data, "none of the runs can be used for a baseline")
            }
            var baseline = Baseline(runs: timings, label: saved.label, date: saved.date)
            baseline.omittedKinds = side.omittedKinds
            try file.write(baseline.bytes)
            let count = baseline.runs.count
            if count < 3 {
                Console.report(
                    "note: \(count == 1 ? "one run is" : "\(count) runs are") too few: a check needs at "
                        + "least three per side, and about 30 to see small changes")
            }
        }
    }
}

extension OutputFile {
    /// - Parameter inputs: files. The output may replace a baseline, but not a trace.
    init(_ name: String, notOverwritingTracesOf inputs: [String]) throws {
        for input in inputs where !BaselineReader(path: input).isBaseline() {
            _ = try OutputFile(name, notOverwriting: input)
        }
        try self.init(name, notOverwriting: "")
    }
}
