import EventLog
import InspectorAnalysis
import InspectorTraces
import TestTraces
import Testing

@Suite("Where the time of an execution went")
struct ExecutionPartsTests {
    private static let (thread, other): (UInt64, UInt64) = (7, 8)

    /// An operation that executes from 100 to 1,100 on a thread, and what that thread did meanwhile.
    private func parts(
        _ switches: [LogEvent], body: [LogEvent] = [], finish: Int64 = 1_100, finishThread: UInt64 = thread
    ) throws -> ExecutionParts {
        let id = OperationID(1)
        let own = [
            LogEvent(time: 0, thread: 1, .queueOpened(QueueID(1), name: "", limit: 1, isSuspended: false)),
            LogEvent(
                time: 0, thread: 1,
                .enqueued(LogEvent.Enqueue(operation: id, kind: "Work", queue: QueueID(1)))),
            LogEvent(time: 0, thread: 1, .ready(id)),
            LogEvent(time: 100, thread: Self.thread, .executing(id)),
            LogEvent(time: finish, thread: finishThread, .finished(id, .succeeded)),
        ]
        let events = (own + body + switches).enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        let header = LogHeader(
            process: "app", processID: 1, host: "host", start: 0, isClosed: true, lastAlive: 2_000)
        let trace = Trace(EventLogContents(header: header, events: events))
        let timings = TraceTimings(trace)
        let use = try #require(ProcessorUse(timings))
        let parts = try #require(use.parts(of: 0))
        #expect(parts.total == timings.waits[0]?.execution)
        let stretches = use.stretches(of: 0)
        #expect(stretches.first?.start == 100 && stretches.last?.end == finish)
        #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.end == $1.start && $0.part != $1.part })
        for part in ExecutionParts.Part.allCases {
            let sum = stretches.filter { $0.part == part }.reduce(0) { $0 + $1.end - $1.start }
            #expect(sum == parts[part], "\(part)")
        }
        return parts
    }

    private func left(
        _ time: Int64, after length: Int64, _ departure: LogEvent.Departure, on thread: UInt64 = thread
    ) -> LogEvent {
        LogEvent(time: time, thread: thread, .leftCPU(afterNanoseconds: length, departure))
    }

    private func reading(_ time: Int64, _ waited: Int64) -> LogEvent {
        LogEvent(time: time, thread: Self.thread, .waitedForCPU(nanoseconds: waited))
    }

    @Test("an execution is on CPU while its thread calculated, also before and after it")
    func calculating() throws {
        #expect(try parts([left(1_500, after: 1_450, .blocked)]) == [.onCPU: 1_000])
    }

    @Test("an execution is waiting for a CPU from a preemption to the next time on one")
    func preempted() throws {
        let switches = [left(300, after: 250, .preempted), left(1_200, after: 700, .blocked)]
        #expect(try parts(switches) == [.onCPU: 800, .waitingForCPU: 200])
    }

    @Test("an execution is blocked until it was woken, and then waits, as the next reading says")
    func woken() throws {
        let switches = [
            left(300, after: 250, .blocked), left(1_200, after: 200, .blocked), reading(1_000, 60),
        ]
        #expect(try parts(switches) == [.onCPU: 300, .waitingForCPU: 60, .blocked: 640])
    }

    @Test("a reading's wait is shared among the blocked times before it, as estimates outside of them all")
    func shared() throws {
        let switches = [
            left(200, after: 200, .blocked), left(500, after: 100, .blocked), left(900, after: 200, .blocked),
            left(1_500, after: 200, .unknown), reading(1_350, 90),
        ]
        let shared = try parts(switches)
        // The last of the three blocked times ends after the operation.
        #expect(shared == estimated([.onCPU: 400, .waitingForCPU: 60, .blocked: 540]))
        let inside = try parts(switches, finish: 1_600)
        #expect(inside.waitingForCPU == 90 && inside.isExact)
    }

    @Test("a wait that the reading has for a preemption is counted only once")
    func preemptedAndBlocked() throws {
        let switches = [
            left(200, after: 200, .preempted), left(400, after: 100, .blocked),
            left(1_500, after: 900, .unknown), reading(600, 130),
        ]
        #expect(try parts(switches) == [.onCPU: 700, .waitingForCPU: 130, .blocked: 170])
    }

    @Test("an execution is unmeasured before the first switch, after lost switches and unknown departures")
    func unmeasured() throws {
        #expect(
            try parts([left(1_100, after: 600, .blocked)]) == [.onCPU: 600, .unmeasured: 400])
        let lost = LogEvent(time: 400, thread: 1, .switchesLost(nanoseconds: 50))
        let switches = [left(300, after: 300, .preempted), lost, left(1_100, after: 600, .blocked)]
        #expect(try parts(switches) == [.onCPU: 800, .unmeasured: 200])
        #expect(
            try parts([left(300, after: 300, .unknown)]) == [.onCPU: 200, .unmeasured: 800])
        #expect(
            try parts([left(900, after: 500, .blocked, on: Self.other)])
                == [.unmeasured: 1_000])
    }

    @Test("an execution is blocked until the end if the thread never came back")
    func hanging() throws {
        #expect(
            try parts([left(300, after: 300, .blocked)]) == [.onCPU: 200, .blocked: 800])
    }

    @Test("an execution is off thread before and after its body, on whatever thread the body was")
    func offThread() throws {
        let body = [
            LogEvent(time: 200, thread: Self.other, .bodyBegan(OperationID(1))),
            LogEvent(time: 700, thread: Self.other, .bodyEnded(OperationID(1))),
        ]
        let switches = [
            left(1_500, after: 1_500, .unknown), left(600, after: 500, .blocked, on: Self.other),
            left(900, after: 200, .unknown, on: Self.other),
        ]
        #expect(
            try parts(switches, body: body)
                == estimated([.onCPU: 400, .blocked: 100, .offThread: 500]))
    }

    @Test("an execution that finished on another thread is unmeasured if the log lacks the end of its body")
    func finishedElsewhere() throws {
        let switches = [left(1_500, after: 1_500, .unknown)]
        #expect(try parts(switches, finishThread: Self.other) == [.unmeasured: 1_000])
        let ended = LogEvent(time: 300, thread: Self.thread, .bodyEnded(OperationID(1)))
        #expect(
            try parts(switches, body: [ended], finishThread: Self.other)
                == [.onCPU: 200, .offThread: 800])
    }

    @Test("an execution that finished on another thread is what its body's thread did, if that ended later")
    func finishedMeanwhile() throws {
        let ended = LogEvent(time: 1_300, thread: Self.thread, .bodyEnded(OperationID(1)))
        let switches = [left(600, after: 550, .blocked), left(1_500, after: 700, .unknown)]
        #expect(
            try parts(switches, body: [ended], finishThread: Self.other)
                == estimated([.onCPU: 800, .blocked: 200]))
        // The thread that the execution began on, and not that of the body.
        let elsewhere = [
            LogEvent(time: 200, thread: Self.other, .bodyBegan(OperationID(1))),
            LogEvent(time: 1_300, thread: Self.thread, .bodyEnded(OperationID(1))),
        ]
        #expect(
            try parts(switches, body: elsewhere, finishThread: 9)
                == [.offThread: 100, .unmeasured: 900])
    }

    @Test("an execution whose body finished on another thread, without an end, is what that thread did")
    func finishedByItsBody() throws {
        let began = LogEvent(time: 200, thread: Self.other, .bodyBegan(OperationID(1)))
        let switches = [left(1_500, after: 1_450, .blocked, on: Self.other)]
        #expect(
            try parts(switches, body: [began], finishThread: Self.other)
                == [.onCPU: 900, .offThread: 100])
    }

    private func used(_ time: Int64, _ onCPU: Int64, _ wait: Int64?) -> LogEvent {
        LogEvent(
            time: time, thread: Self.thread, .bodyUsed(OperationID(1), onCPU: onCPU, waitedForCPU: wait))
    }

    @Test("an execution is split as its thread's clocks say, where the log has them; the rest is blocked")
    func clocks() throws {
        let expected: ExecutionParts = [.onCPU: 300, .waitingForCPU: 100, .blocked: 600]
        #expect(try parts([], body: [used(1_099, 300, 100)]) == expected)
        // They are exact, and switches may be missing.
        #expect(try parts([left(1_500, after: 1_450, .blocked)], body: [used(1_099, 300, 100)]) == expected)
    }

    @Test("an execution by clocks is at most its body; the rest is unmeasured if the wait is not known")
    func clamped() throws {
        #expect(try parts([], body: [used(1_099, 1_003, 0)]) == [.onCPU: 1_000])
        #expect(
            try parts([], body: [used(1_099, 900, .max)])
                == [.onCPU: 900, .waitingForCPU: 100])
        #expect(
            try parts([], body: [used(1_099, 900, nil)]) == [.onCPU: 900, .unmeasured: 100])
    }

    @Test("an execution by clocks is that of its body, and the rest is off thread")
    func clocksOfBody() throws {
        let left = LogEvent(time: 500, thread: Self.thread, .bodyEnded(OperationID(1)))
        #expect(
            try parts([], body: [used(500, 100, 50), left], finishThread: Self.other)
                == [.onCPU: 100, .waitingForCPU: 50, .blocked: 250, .offThread: 600])
        // After its end, it would contain what does not belong to the body.
        #expect(
            try parts(
                [self.left(1_500, after: 1_450, .blocked)], body: [left, used(500, 100, 50)],
                finishThread: Self.other) == [.onCPU: 400, .offThread: 600])
    }

    @Test("after a finish elsewhere, clocks give what the thread must have used; the rest is unmeasured")
    func clocksAfterFinish() throws {
        func after(_ length: Int64, _ onCPU: Int64, _ wait: Int64?) throws -> ExecutionParts {
            let ended = LogEvent(time: 1_100 + length, thread: Self.thread, .bodyEnded(OperationID(1)))
            return try parts([], body: [used(1_100 + length, onCPU, wait), ended], finishThread: Self.other)
        }
        #expect(try after(0, 300, 100) == [.onCPU: 300, .waitingForCPU: 100, .blocked: 600])
        #expect(
            try after(20, 320, 100)
                == [.onCPU: 300, .waitingForCPU: 80, .blocked: 580, .unmeasured: 40])
        #expect(try after(20, 1_020, 0) == [.onCPU: 1_000])
        #expect(try after(500, 600, 100) == [.onCPU: 100, .blocked: 300, .unmeasured: 600])
        #expect(try after(1_000, 600, 700) == [.unmeasured: 1_000])
        #expect(try after(20, 320, nil) == [.onCPU: 300, .unmeasured: 700])
        #expect(try after(20, .max, .max) == [.onCPU: 1_000])
    }

    @Test("switches decide the parts of an execution if clocks were read after a finish elsewhere")
    func switchesBeforeLateClocks() throws {
        let ended = LogEvent(time: 1_300, thread: Self.thread, .bodyEnded(OperationID(1)))
        #expect(
            try parts(
                [left(1_500, after: 1_450, .blocked)], body: [used(1_300, 600, 100), ended],
                finishThread: Self.other) == [.onCPU: 1_000])
    }

    @Test("the clocks of main count where start returned before main began on another thread")
    func startedElsewhere() throws {
        let body = [
            used(200, 90, 0), LogEvent(time: 200, thread: Self.thread, .bodyEnded(OperationID(1))),
            LogEvent(time: 600, thread: Self.other, .bodyBegan(OperationID(1))),
            used(800, 150, 0), LogEvent(time: 800, thread: Self.other, .bodyEnded(OperationID(1))),
        ]
        #expect(
            try parts([], body: body) == [.onCPU: 150, .blocked: 50, .offThread: 800])
    }

    @Test("an execution has no parts in a trace without switches")
    func absent() {
        #expect(
            ProcessorUse(
                TraceTimings(
                    Trace(
                        EventLogContents(
                            header: .init(
                                process: "app", processID: 1, host: "host", start: 0), events: [])))) == nil)
    }

    @Test(
        "the parts of an execution sum exactly and are never negative, whatever the log contains",
        arguments: 0..<60)
    func anything(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let departures: [LogEvent.Departure] = [.unknown, .preempted, .blocked]
        let extremes: [Int64] = [.min, -1, 0, 1, 1 << 61, .max]
        func time() -> Int64 {
            Int.random(in: 0..<8, using: &random) == 0
                ? extremes.randomElement(using: &random)! : Int64.random(in: -200...2_000, using: &random)
        }
        var switches: [LogEvent] = []
        for _ in 0..<40 {
            let body: LogEvent.Body =
                switch Int.random(in: 0..<7, using: &random) {
                case 6: .bodyUsed(OperationID(1), onCPU: time(), waitedForCPU: time())
                case 0: .waitedForCPU(nanoseconds: time())
                case 1 where seed % 3 == 0: .switchesLost(nanoseconds: time())
                default: .leftCPU(afterNanoseconds: time(), departures.randomElement(using: &random)!)
                }
            switches.append(LogEvent(time: time(), thread: Self.thread, body))
        }
        let parts = try parts(switches + [left(1_100, after: 10, .blocked)])
        #expect(ExecutionParts.Part.allCases.allSatisfy { parts[$0] >= 0 })
    }
}

private func estimated(_ parts: ExecutionParts) -> ExecutionParts {
    var parts = parts
    parts.isExact = false
    return parts
}
