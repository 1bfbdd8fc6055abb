import EventLog
import Foundation
import InspectorHazards
import InspectorTraces
import TestTraces
import Testing

@testable import InspectorAnalysis

/// A reader compares outputs with each other, so a figure must be the same wherever it stands.
@Suite("A figure that stands in several outputs")
struct EqualFiguresTests {
    @Test(
        "a figure in several outputs is the same in all of them, of random runs of one process",
        arguments: 0..<10)
    func ofOneProcess(block: Int) throws {
        for seed in block * 50..<(block + 1) * 50 {
            var generator = SplitMix64(seed: UInt64(seed))
            let log = randomLog("app", pid: 100, &generator)
            try expectEqualFigures(in: Trace(log.contents), "seed \(seed)", turn(of: seed))
        }
    }

    @Test(
        "a figure in several outputs is the same in all of them, of random runs of several processes",
        arguments: 0..<10)
    func ofSeveralProcesses(block: Int) throws {
        for seed in block * 50..<(block + 1) * 50 {
            var generator = SplitMix64(seed: UInt64(1_000_000 + seed))
            var logs: [MadeUpLog] = []
            for number in 0..<Int.random(in: 2...3, using: &generator) {
                // Two processes of the same program are told apart by their numbers.
                let program = ["client", "server", "server"][number]
                logs.append(randomLog(program, pid: Int32(100 + number), after: logs, &generator))
            }
            let merge = try TraceMerge(
                logs.map { (path: "\($0.header.processID).optrace", contents: $0.contents) })
            try expectEqualFigures(in: Trace(merge.contents), "seed \(seed)", turn(of: seed))
        }
    }

    @Test("figures in the runs that the goldens and the documentation show are the same in all outputs")
    func ofKnownRuns() throws {
        let (client, server) = clientAndServer()
        try expectEqualFigures(in: quotes(), "quotes")
        try expectEqualFigures(in: switched(), "switched")
        try expectEqualFigures(in: Trace(try merged(client, server).contents), "client and server")
        let package = URL(filePath: #filePath).appending(path: "../../..").standardized
        let shown = ["after", "before", "fast", "stuck", "trace"]
        let files =
            ["quotes", "stuck"].map { "Tests/OpvizTests/Traces/\($0).json" }
            + shown.map { "Documentation/traces/\($0).json" }
        for file in files {
            let trace = try TraceReader(path: package.appending(path: file).path).read()
            try expectEqualFigures(in: trace, file)
        }
    }

    /// Of every fiftieth run all outputs are read; of the others the summary, a table and the findings,
    /// and a quarter of the other outputs in turn: all of them would take a minute.
    private func turn(of seed: Int) -> Int? { seed.isMultiple(of: 50) ? nil : seed }

    private func expectEqualFigures(in trace: Trace, _ name: String, _ turn: Int? = nil) throws {
        let analysis = TraceAnalysis(trace)
        let hazards = HazardReport(trace)
        var ledger = FigureLedger()
        try ledger.readForPrograms(analysis, hazards, turn)
        try ledger.readForPeople(analysis, hazards, turn)
        try ledger.readForViewers(analysis, turn)
        #expect(ledger.contradictions == [], "\(name)")
        // Without it, a text that the test can no longer read would look like one without contradictions.
        #expect(ledger.compared > (turn == nil ? 100 : 15), "\(name): \(ledger.compared)")
    }
}
