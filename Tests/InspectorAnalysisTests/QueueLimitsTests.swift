import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorTraces

@Suite("The limits of a queue while it had operations")
struct QueueLimitsTests {
    private func limits(_ limits: [(time: Int64, limit: Int)], enqueued: Int64? = 10) -> QueueLimits {
        QueueLimits(
            TraceAnalysis(trace(limits: limits) { op("A", enqueued: enqueued, start: 20, finish: 30) }))
    }

    @Test("a limit that is set before a queue's first operation is the queue's only limit")
    func before() {
        let set = limits([(0, -1), (5, 1)])
        #expect(set[0] == [1] && set.fixed(0) == 1 && set.text(0) == "1 slot")
        #expect(limits([(0, -1), (5, 4), (10, 2)])[0] == [2])
    }

    @Test("a later change of a queue's limit counts, in whatever order the log has it")
    func after() {
        let changed = limits([(15, 2), (0, -1), (5, 4)])
        #expect(changed[0] == [4, 2] && changed.fixed(0) == nil && changed.text(0) == "4 → 2 slots")
        #expect(limits([(0, 3), (15, -1)]).text(0) == "3 → unlimited slots")
        #expect(limits([(0, 3), (15, 3)]).text(0) == "3 slots")
    }

    @Test("a queue has its first known limit if the log has it only later; without operations, its last")
    func unknown() {
        #expect(limits([(12, 3)]).text(0) == "3 slots")
        #expect(limits([(0, -1), (12, 3)], enqueued: nil)[0] == [3])
        #expect(limits([]).text(0) == "" && limits([]).fixed(0) == nil)
        #expect(limits([(0, -1)]).text(0) == "unlimited")
    }
}
