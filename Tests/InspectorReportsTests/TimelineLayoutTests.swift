import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite struct TimelineLayoutTests {
    private static let limits = TimelineLayout.Limits(rows: 4, lanes: 4, mergedQueues: 2)

    private func layout(_ trace: Trace) -> TimelineLayout {
        let analysis = TraceAnalysis(trace)
        return TimelineLayout(
            analysis, TimelineSelection(analysis, whole: analysis, TimelineOptions()).operations, Self.limits)
    }

    @Test("operations that overlap have lanes of their own, each the lowest that is free")
    func packing() {
        var packing = LanePacking()
        let lanes = [(0, 10), (0, 20), (5, 6), (10, 12), (11, 30), (20, 21)].map {
            packing.lane(from: Int64($0.0), to: Int64($0.1))
        }
        #expect(lanes == [0, 1, 2, 0, 2, 0])
        #expect(packing.count == 3)
    }

    @Test("a run has rows while they fit, then lanes, then counts")
    func styles() {
        func run(_ count: Int, apart: Int64) -> TimelineLayout {
            layout(
                trace {
                    for index in 0..<count {
                        op(
                            "\(index)", ready: 0, start: Int64(index) * apart,
                            finish: Int64(index) * apart + 10)
                    }
                })
        }
        #expect(run(4, apart: 5).style == .rows)
        #expect(run(5, apart: 5).style == .lanes)
        #expect(run(5, apart: 5).sections[0].lanes == 2)
        #expect(run(5, apart: 1).style == .merged)
        #expect(run(5, apart: 1).sections[0].bars.isEmpty)
    }

    @Test("every operation is in one section, also when queues are merged")
    func complete() {
        var trace = trace {
            for index in 0..<40 { op("\(index)", ready: 0, start: 0, finish: 10) }
        }
        trace.queues = (1...7).map { TracedQueue(id: .init(UInt64($0)), name: "q\($0)") }
        trace.changeOperations { operations in
            for index in operations.indices { operations[index].queue = index % 8 == 7 ? nil : index % 8 }
        }
        let layout = layout(trace)
        #expect(layout.sections.count == 2)
        #expect(layout.sections.flatMap(\.operations).sorted() == (0..<40).map { Int32($0) })
        #expect(layout.sections.map(\.queues) == [1, 7])
    }
}
