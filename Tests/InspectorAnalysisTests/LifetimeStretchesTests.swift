import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorTraces

@Suite struct LifetimeStretchesTests {
    private func stretches(_ analysis: TraceAnalysis, _ index: Int) -> [(LifetimeParts.Part, Int64, Int64)] {
        guard let line = analysis.timings.transitions[index], let waits = analysis.waits[index] else {
            return []
        }
        let queue = analysis.trace.operations[index].queue
        let suspended = queue.map { SuspendedTime(analysis.trace.queues[$0].suspensions) }
        var result: [(LifetimeParts.Part, Int64, Int64)] = []
        LifetimeStretches(line, waits, suspended).visit { result.append(($0, $1, $2)) }
        return result
    }

    @Test(
        "stretches of a lifetime follow each other without a gap, and are as long as the waits",
        arguments: 0..<20)
    func agree(block: Int) throws {
        for seed in block * 50..<(block + 1) * 50 {
            var generator = SplitMix64(seed: UInt64(seed))
            var trace = randomGraph(&generator)
            for queue in trace.queues.indices {
                trace.queues[queue].suspensions = (0..<Int64.random(in: 0...12, using: &generator)).map {
                    $0 * 7..<$0 * 7 + Int64.random(in: 1...7, using: &generator)
                }
            }
            trace.changeOperations { operations in
                for index in operations.indices where Bool.random(using: &generator) {
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0: operations[index].executing = nil
                    case 1: operations[index].finished = nil
                    case 2: operations[index].ready = nil
                    default: operations[index].outcome = .cancelled
                    }
                }
            }
            let analysis = TraceAnalysis(trace)
            for index in trace.operations.indices {
                let line = try #require(analysis.timings.transitions[index])
                var sums = LifetimeParts()
                var cursor = line.enqueued
                for (part, from, to) in stretches(analysis, index) {
                    #expect(from == cursor && to > from, "seed \(seed)")
                    cursor = to
                    switch part {
                    case .dependency: sums.dependency += to - from
                    case .suspended: sums.suspended += to - from
                    case .slot: sums.slot += to - from
                    case .dispatch: sums.dispatch += to - from
                    case .execution: sums.execution += to - from
                    case .unknown: sums.unknown += to - from
                    }
                }
                #expect(cursor == line.end, "seed \(seed)")
                #expect(sums == analysis.waits[index], "seed \(seed)")
            }
        }
    }

    @Test("suspensions are shown while the queue was suspended")
    func places() {
        let analysis = TraceAnalysis(
            trace(limit: 1, suspensions: [20..<30, 50..<60]) {
                op("A", ready: 0, start: 0, finish: 40)
                op("B", enqueued: 5, ready: 10, start: 70, finish: 80)
            })
        let parts = stretches(analysis, 1).map { "\($0.0) \($0.1)-\($0.2)" }
        #expect(
            parts == [
                "dependency 5-10", "slot 10-20", "suspended 20-30", "slot 30-40", "dispatch 40-50",
                "suspended 50-60", "dispatch 60-70", "execution 70-80",
            ])
    }
}
