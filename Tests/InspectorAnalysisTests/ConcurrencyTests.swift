import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorText
@testable import InspectorTraces

@Suite struct ConcurrencyTests {
    @Test("average and peak match a count at every nanosecond", arguments: 0..<20)
    func bruteForce(block: Int) {
        for seed in block * 50..<(block + 1) * 50 {
            var generator = SplitMix64(seed: UInt64(seed))
            let trace = randomGraph(&generator)
            let end = trace.operations.map { $0.finished?.notAfter ?? 0 }.max() ?? 0
            let counts = (0..<end).map { time in
                trace.operations.count {
                    ($0.executing?.notAfter ?? 0) <= time && time < ($0.finished?.notAfter ?? 0)
                }
            }
            let concurrency = Concurrency(TraceAnalysis(trace))
            #expect(concurrency.peak == counts.max() ?? 0, "seed \(seed)")
            guard end > 0 else { continue }
            #expect(concurrency.average == Double(counts.reduce(0, +)) / Double(end), "seed \(seed)")
            let overTime = concurrency.overTime(parts: Int(end))
            #expect(zip(overTime, counts).allSatisfy { abs($0 - Double($1)) < 0.001 }, "seed \(seed)")
            let middle = end / 2
            #expect(
                concurrency.peak(from: middle, to: end) == counts[Int(middle)...].max(), "seed \(seed)")
            let part = concurrency.overTime(parts: Int(end - middle), from: middle, to: end)
            #expect(
                zip(part, counts[Int(middle)...]).allSatisfy { abs($0 - Double($1)) < 0.001 }, "seed \(seed)")
        }
    }

    @Test("a parent counts while it has no open children")
    func nesting() {
        let concurrency = Concurrency(
            TraceAnalysis(
                trace {
                    op("group", ready: 0, start: 0, finish: 100)
                    op("child", enqueued: 20, ready: 20, start: 20, finish: 60).inside("group")
                }))
        #expect(concurrency.peak == 1)
        #expect(concurrency.average == 1)
        #expect(concurrency.overTime(parts: 4) == [1, 1, 1, 1])
    }

    @Test("the curve of operations and tasks agrees with their work, also where a task finished its parent")
    func tasks() {
        let analysis = TraceAnalysis(MixedTrace.trace)
        let parts = 10
        let curve = Concurrency(analysis).overTime(parts: parts)
        let executed = curve.reduce(0, +) / Double(parts) * Double(analysis.makespan)
        #expect(abs(executed - Double(analysis.work)) < 0.001)
    }

    @Test("slots are used from a queue's first enqueue to its last finish")
    func utilization() {
        let utilization = SlotUtilization.of(
            TraceAnalysis(
                trace(limits: [(0, 1), (20, 2)]) {
                    op("A", ready: 0, start: 0, finish: 30)
                    op("B", ready: 0, start: 20, finish: 40)
                }))
        #expect(utilization.count == 1)
        #expect(utilization[0].used == 50)
        #expect(utilization[0].available == 60)
        #expect(utilization[0].slotWait == 20)
        #expect(utilization[0].averageWaiting == 0.5)
        #expect(utilization[0].limit == 2)
    }

    @Test("the summary tells summed waits as a number of operations, never as more than the run's length")
    func waiting() {
        let crowd = trace(limit: 1) {
            for index in 0..<100 {
                let time = Int64(index) * 1_000_000
                op("\(index)", ready: 0, start: time, finish: time + 1_000_000)
            }
        }
        let analysis = TraceAnalysis(crowd)
        let summary = RunSummary(analysis).text()
        #expect(summary.contains("the only slot always busy, 50 operations waiting on average"))
        let table = TimingTable(analysis.timings).text()
        // The sum of the waits is 4.95 s, of a run of 100 ms.
        #expect(!table.contains("4.95 s") && !summary.contains("4.95 s"))
        #expect(Prose.average(0.001) == "under 0.01" && Prose.average(2.849) == "2.85")
        #expect(Prose.average(2_900.4) == "2,900")
    }
}
