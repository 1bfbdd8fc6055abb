import EventLog
import InspectorAnalysis
import InspectorReports
import InspectorTraces
import TestTraces
import Testing

@Suite("Work that operations give to threads without operations")
struct DelegatedWorkTests {
    private typealias Slots = ReplaySlots

    /// Operations one after the other in a serial queue, of 1 ms each. Their thread is on a processor for
    /// 0.1 ms at the begin and at the end, and blocked in between.
    private func analysis(_ count: Int, slots: Int = 1, _ others: [LogEvent]) -> TraceAnalysis {
        var events = [
            LogEvent(
                time: 0, thread: 1, .queueOpened(QueueID(1), name: "q", limit: slots, isSuspended: false))
        ]
        for number in 0..<count {
            let id = OperationID(UInt64(number + 1))
            let enqueue = LogEvent.Enqueue(operation: id, kind: "Work", queue: QueueID(1))
            events += [
                LogEvent(time: 0, thread: 1, .enqueued(enqueue)), LogEvent(time: 0, thread: 1, .ready(id)),
            ]
            let (thread, start) = (UInt64(10 + number % slots), ms(Int64(number / slots)))
            events += [
                LogEvent(time: start, thread: thread, .executing(id)),
                LogEvent(time: start + 100_000, thread: thread, onCPU(100_000)),
                LogEvent(time: start + ms(1), thread: thread, onCPU(100_000)),
                LogEvent(time: start + ms(1), thread: thread, .finished(id, .succeeded)),
            ]
        }
        events = (events + others).enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
        var header = LogHeader(
            process: "app", processID: 1, host: "host", start: 0, isClosed: true,
            lastAlive: ms(Int64(count / slots)))
        header.processors = ProcessorCount(online: 2, usable: 2)
        return TraceAnalysis(Trace(EventLogContents(header: header, events: events)))
    }

    private func onCPU(
        _ time: Int64, _ departure: LogEvent.Departure = .blocked
    ) -> LogEvent.Body { .leftCPU(afterNanoseconds: time, departure) }

    /// While each of these operations is blocked, this many threads calculate.
    private func helpers(_ threads: Int, of count: Int) -> [LogEvent] {
        (0..<count).flatMap { number in
            (0..<threads).map { thread in
                LogEvent(
                    time: ms(Int64(number)) + 900_000, thread: UInt64(100 + thread), onCPU(800_000))
            }
        }
    }

    private func makespan(_ analysis: TraceAnalysis, slots: Slots) -> Int64 {
        Replay(analysis).run(ReplayScenario(slots: slots, pool: .unlimited)).makespan
    }

    @Test("operations whose work other threads do need processors for it, and those that sleep do not")
    func slots() {
        let idle = [LogEvent(time: 10, thread: 1, onCPU(10))]
        let sleeping = analysis(4, idle)
        let delegating = analysis(4, idle + helpers(1, of: 4))
        for analysis in [sleeping, delegating] {
            #expect(abs(makespan(analysis, slots: .recorded) - ms(4)) < 1_000)
        }
        #expect(makespan(sleeping, slots: .unlimited) < 1_300_000)
        let four = makespan(delegating, slots: .unlimited)
        #expect(abs(four - ms(2)) < 1_000)
    }

    @Test("two threads of one operation use both processors, so that more slots gain nothing but the rest")
    func severalThreads() {
        let analysis = analysis(4, helpers(2, of: 4))
        #expect(abs(makespan(analysis, slots: .recorded) - ms(4)) < 1_000)
        // 4 × (2 × 0.8 ms + 0.2 ms) on 2 processors.
        #expect(abs(makespan(analysis, slots: .unlimited) - 3_600_000) < 1_000)
    }

    @Test("what the main thread calculates is nobody's work, and takes a processor from operations")
    func mainThread() {
        // It calculates all the time; three operations with 0.2 ms each share the other processor.
        let analysis = analysis(3, slots: 3, [LogEvent(time: ms(1), thread: 1, onCPU(ms(1)))])
        #expect(makespan(analysis, slots: .limited(1)) == ms(3))
        let together = makespan(analysis, slots: .unlimited)
        #expect(together > ms(1) && together < 1_300_000)
    }

    @Test("where threads without operations calculated, nobody says that processors would not help")
    func conclusion() {
        func summary(_ others: [LogEvent]) -> String { RunSummary(analysis(4, others)).text(width: nil) }
        #expect(
            summary(helpers(1, of: 4)).contains(
                "blocked, 200 µs on CPU: threads without operations calculated for 800 µs meanwhile\n"))
        let idle = summary([LogEvent(time: 10, thread: 1, onCPU(10))])
        #expect(idle.contains("blocked, 200 µs on CPU: more processors will not help\n"))
    }

    @Test("the summary says what threads without operations calculated")
    func summary() {
        let helped = RunSummary(analysis(4, helpers(1, of: 4))).text(width: nil)
        #expect(helped.contains("other CPU       3.20 ms on threads without operations\n"))
        let alone = RunSummary(analysis(4, [LogEvent(time: 10, thread: 1, onCPU(10))])).text(width: nil)
        #expect(!alone.contains("other CPU"))
    }
}
