import ArgumentParser
import Inspector

struct WhatIfCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "whatif",
        abstract: "Replays the run with other numbers of slots, or with faster operations.",
        discussion: """
            opviz whatif trace.json                       more slots, or a faster kind
            opviz whatif trace.json --slots 1,2,unlimited this many slots in every queue
            opviz whatif trace.json --scale Parse=0.5     the kind Parse in half the time

            The first line shows how closely the replay repeats the recorded run; the other figures are \
            as exact as that.
            """)

    @Argument(
        help: "Trace file.", completion: .file(extensions: ["json", "optrace"]))
    var trace: String

    @Option(help: "Numbers of slots, separated by commas; also unlimited.")
    var slots: String?

    @Option(help: "Multiply a kind's execution time: Parse=0.5 (repeatable).")
    var scale: [String] = []

    func run() throws {
        try CommandError.reported {
            let slots =
                try slots?.split(separator: ",", omittingEmptySubsequences: false).map(Self.slots) ?? []
            let scales = try Dictionary(scale.map(Self.scale)) { _, last in last }
            let trace = try Console.read(trace)
            let analysis = TraceAnalysis(trace)
            let kinds = analysis.kinds.map(\.name)
            for kind in scales.keys.sorted() where !kinds.contains(kind) && !kinds.isEmpty {
                throw CommandError(.usage, "\(self.trace): \(MissingName.kind(kind, among: kinds))")
            }
            let report = WhatIfReport(analysis)
            try Console.print(
                slots.isEmpty && scales.isEmpty
                    ? report.overview(width: Console.width)
                    : report.scenarios(slots: slots, scales: scales, width: Console.width))
        }
    }

    private static func slots(_ text: Substring) throws -> ReplaySlots {
        if text == "unlimited" { return .unlimited }
        guard let slots = Int(text), slots > 0 else {
            throw CommandError(
                .usage,
                "--slots: expected 1 or more, or unlimited; got \(NearestNames.quoted(String(text)))")
        }
        return .limited(slots)
    }

    private static func scale(_ text: String) throws -> (String, Double) {
        guard let sign = text.lastIndex(of: "="), let factor = Double(text[text.index(after: sign)...]),
            factor >= 0, factor <= 1000
        else {
            throw CommandError(
                .usage,
                "--scale: expected KIND=FACTOR with a factor from 0 to 1,000, such as Parse=0.5; got "
                    + NearestNames.quoted(text))
        }
        return (String(text[..<sign]), factor)
    }
}
