import EventLog
import Foundation
import InspectorHazards
import InspectorTraces
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports

@Suite("What would help a run that waited for processors")
struct ProcessorVerdictTests {
    /// Operations that each calculate for 100 ms, wait for a processor, and calculate for 100 ms.
    private func run(_ count: Int, waiting: @escaping (Int) -> Int64) -> Trace {
        var log = MadeUpLog("app", pid: 7)
        log.add(0, .queueOpened(QueueID(1), name: "work", limit: -1, isSuspended: false))
        for number in 0..<count {
            let (operation, thread) = (OperationID(UInt64(number + 1)), UInt64(20 + number))
            let away = waiting(number)
            func add(_ time: Int64, _ body: LogEvent.Body) {
                log.events.append(LogEvent(time: ms(time), thread: thread, body))
            }
            add(0, .enqueued(.init(operation: operation, kind: "Work", queue: QueueID(1))))
            add(0, .ready(operation))
            add(0, .executing(operation))
            add(100, .leftCPU(afterNanoseconds: ms(100), .preempted))
            add(200 + away, .leftCPU(afterNanoseconds: ms(100), .preempted))
            add(200 + away, .finished(operation, .succeeded))
        }
        return Trace(log.contents)
    }

    @Test("lint, the summary and the critical path give the same advice if something else had the processors")
    func others() throws {
        let trace = run(2) { _ in 200 }
        let analysis = TraceAnalysis(trace)
        let advice = try #require(findings("busy-machine", in: trace).first?.advice)
        for text in [RunSummary(analysis).text(), CriticalPathReport(analysis).text(width: nil)] {
            let conclusion = try #require(text.firstMatch(of: /something else had the CPUs; ([a-z ]+)/))
            #expect(advice.hasPrefix(String(conclusion.1).trimmingCharacters(in: .whitespaces)), "\(text)")
            #expect(!text.contains("fewer slots"))
        }
    }

    @Test("the advice is fewer slots or more processors if the operations had the processors themselves")
    func own() {
        // Two at a time, though all four have slots.
        var log = MadeUpLog("app", pid: 7)
        log.add(0, .queueOpened(QueueID(1), name: "work", limit: -1, isSuspended: false))
        for number in 0..<4 {
            let (operation, thread) = (OperationID(UInt64(number + 1)), UInt64(20 + number))
            func add(_ time: Int64, _ body: LogEvent.Body) {
                log.events.append(LogEvent(time: ms(time), thread: thread, body))
            }
            let before = Int64(number / 2 * 300)
            add(0, .enqueued(.init(operation: operation, kind: "Work", queue: QueueID(1))))
            add(0, .ready(operation))
            add(0, .executing(operation))
            add(0, .leftCPU(afterNanoseconds: 0, .preempted))
            add(before + 300, .leftCPU(afterNanoseconds: ms(300), .preempted))
            add(600, .leftCPU(afterNanoseconds: 0, .preempted))
            add(600, .finished(operation, .succeeded))
        }
        let trace = Trace(log.contents)
        #expect(findings("busy-machine", in: trace).isEmpty)
        #expect(findings("more-slots-than-processors", in: trace).count == 1)
        #expect(RunSummary(TraceAnalysis(trace)).text().contains("fewer slots or more processors would help"))
    }
}
