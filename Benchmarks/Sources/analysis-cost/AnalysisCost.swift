import Foundation
import Inspector

/// The cost of each analysis of a trace, in milliseconds of processor time: the minimum of a few rounds.
/// Prints a line of JSON for each trace.
///
///     analysis-cost ROUNDS TRACE...
@main
enum AnalysisCost {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let rounds = arguments.first.flatMap({ Int($0) }), rounds > 0 else {
            throw CocoaError(.formatting)
        }
        for path in arguments.dropFirst() {
            let trace = try TraceReader(path: path).read()
            var costs: [String: Double] = [:]
            for _ in 0..<rounds {
                for (name, cost) in costsOnce(trace) { costs[name] = min(costs[name] ?? .infinity, cost) }
            }
            let line: [String: Any] = [
                "path": path, "operations": trace.operations.count, "edges": trace.edges.count,
                "milliseconds": costs,
            ]
            print(String(decoding: try JSONSerialization.data(withJSONObject: line), as: UTF8.self))
        }
    }

    private static func costsOnce(_ trace: Trace) -> [(name: String, milliseconds: Double)] {
        var costs: [(name: String, milliseconds: Double)] = []
        func measure<Result>(_ name: String, _ body: () -> Result) -> Result {
            let begin = clock()
            let result = body()
            costs.append((name, Double(clock() - begin) / 1e6))
            return result
        }
        // All waits and kinds are in this, and the critical path.
        let analysis = measure("analysis") { TraceAnalysis(trace) }
        _ = measure("slack") { Slack(analysis) }
        _ = measure("delays") { DelayChains(analysis).ofRun }
        _ = measure("concurrency") { Concurrency(analysis).overTime(parts: 24) }
        _ = measure("slots") { SlotUtilization.of(analysis) }
        let replay = measure("replay model") { Replay(analysis) }
        let result = measure("replay") { replay.run() }
        _ = measure("replay, 4 slots") { replay.run(slots: .limited(4)) }
        precondition(result.stuckOperations == 0, "the replay got stuck")
        let slowest = OperationSearch(nil, in: analysis).matches.first ?? 0
        _ = measure("explain") { Explanation(of: slowest, in: analysis).text() }
        _ = measure("critical-path") { CriticalPathReport(analysis).text() }
        _ = measure("summary") { RunSummary(analysis).text() }
        return costs
    }

    /// Nanoseconds that this process spent on processors.
    private static func clock() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
