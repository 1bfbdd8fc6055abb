import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite struct PageLanesTests {
    private func lanes(_ trace: Trace) -> PageLanes {
        let analysis = TraceAnalysis(trace)
        return PageLanes(analysis, PageSelection(analysis, first: []))
    }

    @Test("operations that executed at the same time have a lane each, those that did not share one")
    func executing() {
        let lanes = lanes(
            trace {
                op("first", ready: 0, start: 0, finish: 10)
                op("beside it", ready: 0, start: 5, finish: 20)
                op("after it", ready: 0, start: 10, finish: 30)
            })
        #expect(lanes.rows == [1, 2, 1])
        #expect(lanes.sections.map(\.closedText) == [#"{"queue": 1, "lanes": 2, "waiting": []}"#])
    }

    @Test("operations without a start are below the lanes: first those that wait, then those that ended")
    func withoutStart() {
        let lanes = lanes(
            trace {
                op("waits", ready: 0)
                op("was cancelled", finish: 15, outcome: .cancelled)
                op("executed", ready: 0, start: 0, finish: 20)
                op("only named", enqueued: nil)
            })
        #expect(lanes.rows == [2, 3, 1, 0])
        #expect(
            lanes.sections.map(\.closedText) == [
                #"{"queue": 1, "lanes": 1, "waiting": [{"isOpen": 1, "end": 20},{"isOpen": 0, "end": 15}]}"#
            ])
    }

    @Test("the rows of each queue are numbered from its first one, and operations without a queue come last")
    func queues() {
        var trace = trace {
            for index in 0..<4 { op("\(index)", ready: 0, start: 0, finish: 10) }
        }
        trace.queues = (1...2).map { TracedQueue(id: .init(UInt64($0)), name: "q\($0)") }
        trace.changeOperations { operations in
            for (index, queue) in [nil, 1, 0, 1].enumerated() { operations[index].queue = queue }
        }
        let lanes = lanes(trace)
        #expect(lanes.rows == [1, 1, 1, 2])
        #expect(
            lanes.sections.map(\.closedText) == [
                #"{"queue": 1, "lanes": 1, "waiting": []}"#, #"{"queue": 2, "lanes": 2, "waiting": []}"#,
                #"{"queue": 0, "lanes": 1, "waiting": []}"#,
            ])
    }
}

extension JSONObject {
    fileprivate var closedText: String { String(decoding: closed, as: UTF8.self) }
}
