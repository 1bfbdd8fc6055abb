import EventLog
import InspectorAnalysis
import TestTraces
import Testing

@Suite struct GroupTimingTests {
    private let kinds = TraceAnalysis(
        trace(limit: 1, lastAlive: 40) {
            op("a", kind: "Fast", ready: 0, start: 0, finish: 10)
            op("b", kind: "Slow", ready: 0, start: 10, finish: 30, outcome: .failed(message: "no"))
            op("c", kind: "Fast", ready: 0, finish: 31, outcome: .cancelled)
            op("d", kind: "Fast", ready: 0, start: 32)
            op("e", kind: "Never enqueued", enqueued: nil)
        }
    ).kinds

    @Test("kinds are listed with the most execution first")
    func order() {
        #expect(kinds.map(\.name) == ["Slow", "Fast"])
    }

    @Test("failed, cancelled and unfinished operations are counted apart")
    func counts() {
        #expect(kinds.map(\.count) == [1, 3])
        #expect(kinds.map(\.failed) == [1, 0])
        #expect(kinds.map(\.cancelled) == [0, 1])
        #expect(kinds.map(\.unfinished) == [0, 1])
    }

    @Test("all kinds together have the sums of each")
    func sums() {
        #expect(kinds.operations == 4 && kinds.failed == 1 && kinds.cancelled == 1 && kinds.unfinished == 1)
        for part in LifetimeParts.Part.allCases {
            #expect(kinds.total(part) == kinds.map { $0[part].total }.reduce(0, +))
        }
    }

    @Test("execution times count operations that started, waits count all")
    func samples() {
        #expect(kinds[1][.execution].count == 2)
        #expect(kinds[1][.slot].count == 3)
        #expect(kinds[1][.execution].total == 18)
    }

    @Test("queues of one name are listed with their identifiers")
    func sharedNames() {
        var run = trace { op("a", ready: 0, start: 0, finish: 10) }
        run.queues.append(TracedQueue(id: QueueID(2), name: run.queues[0].name))
        run.queues.append(TracedQueue(id: QueueID(3), name: ""))
        var drafts = run.operations.map(OperationDraft.init)
        for queue in [1, 2] {
            drafts.append(drafts[0])
            drafts[queue].queue = queue
            drafts[queue].id = OperationID(UInt64(queue) + 1)
        }
        run.operations = TracedOperations(drafts)
        #expect(TraceTimings(run).groups(by: .queue).map(\.name) == ["main 0x1", "main 0x2", "queue 0x3"])
    }
}
