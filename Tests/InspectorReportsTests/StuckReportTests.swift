import EventLog
import InspectorReports
import InspectorTraces
import TestTraces
import Testing

@Suite("What a program waits for that stands still")
struct StuckReportTests {
    private let cache = QueueID(9)

    private func task(_ number: UInt64) -> OperationID { OperationID(1 << 40 + number) }

    private func created(
        _ number: UInt64, _ kind: String, by parent: OperationID? = nil,
        _ creation: LogEvent.Creation = .unstructured
    ) -> LogEvent.Body {
        .taskCreated(
            .init(
                task: task(number), kind: kind, creation: creation, parent: parent, priority: 21,
                isQueued: true))
    }

    private func sentences(_ bodies: [(time: Int64, thread: UInt64, body: LogEvent.Body)]) -> [String] {
        let header = LogHeader(
            process: "x", processID: 1, host: "h", start: 5, isClosed: true, lastAlive: 3_000_000_000)
        let events = bodies.map { LogEvent(time: $0.time, thread: $0.thread, $0.body) }
        return StuckReport(Trace(EventLogContents(header: header, events: events))) { thread in
            thread.number == 7 ? "blocked" : nil
        }.sentences
    }

    @Test("a stuck report names the task whose continuation nobody resumed, before those that wait for it")
    func continuation() {
        let sentences = sentences([
            (0, 1, created(1, "Test.run()")), (1, 1, .runBegan(task(1), executor: nil, name: nil)),
            (2, 1, created(2, "Test.load()", by: task(1), .groupChild)),
            (3, 1, .runEnded(task(1), .init(awaits: .group))),
            (4, 1, .runBegan(task(2), executor: nil, name: "load")),
            (1_000_000_000, 1, .runEnded(task(2), .init(awaits: .continuation, place: "fetch(_:)"))),
        ])
        #expect(
            sentences == [
                "load has awaited its continuation for 2.00 s, in fetch(_:); nothing has resumed it; 1 "
                    + "task waits for it"
            ])
    }

    @Test("a stuck report names the task that blocks an actor's thread, and the operation that it belongs to")
    func blocked() {
        let request = OperationID(1)
        let sentences = sentences([
            (0, 1, .executorOpened(cache, .actor, name: "Cache")),
            (0, 1, .enqueued(.init(operation: request, kind: "Request", queue: QueueID(1)))),
            (0, 1, .ready(request)), (1, 2, .executing(request)),
            (2, 2, created(1, "Cache.get(_:)", by: request)),
            (3, 7, .runBegan(task(1), executor: cache, name: nil)),
            (4, 2, created(2, "Cache.put(_:)")), (5, 3, .runBegan(task(2), executor: nil, name: nil)),
            (6, 3, .runEnded(task(2), .init(awaits: .executor, executor: cache))),
            (6, 3, .taskEnqueued(task(2), executor: cache, by: task(2), after: .executor)),
        ])
        #expect(sentences.count == 2)
        #expect(sentences.first?.contains("Request") == true)
        #expect(
            sentences.last
                == "Cache.get(_:) has been running for 3.00 s, on thread 7, which is blocked; 1 task waits "
                + "for it; operation Request, which created it, has not finished")
    }

    @Test("a stuck report names the task that has the main thread, for which one waits that never ran")
    func mainActor() {
        let main = QueueID(8)
        let sentences = sentences([
            (0, 1, .executorOpened(cache, .pool, name: "global executor")),
            (0, 1, .executorOpened(main, .main, name: "main actor")),
            (1, 1, created(1, "main()")), (2, 1, .runBegan(task(1), executor: main, name: nil)),
            (
                3, 2,
                .taskCreated(
                    .init(
                        task: task(2), kind: "draw()", creation: .unstructured, priority: 21, isQueued: false)
                )
            ),
            (3, 2, .taskEnqueued(task(2), executor: main, by: nil, after: .unknown)),
        ])
        #expect(sentences == ["main() has been running for 3.00 s, on thread 1; 1 task waits for it"])
    }

    @Test("a stuck report names tasks that await each other")
    func circle() {
        let sentences = sentences([
            (0, 1, created(1, "first()")), (1, 1, .runBegan(task(1), executor: nil, name: nil)),
            (2, 1, created(2, "second()")),
            (3, 1, .runEnded(task(1), .init(awaits: .task, task: task(2)))),
            (4, 1, .runBegan(task(2), executor: nil, name: nil)),
            (5, 1, .runEnded(task(2), .init(awaits: .task, task: task(1)))),
            (6, 1, created(3, "third()")), (7, 1, .runBegan(task(3), executor: nil, name: nil)),
            (8, 1, .runEnded(task(3), .init(awaits: .task, task: task(1)))),
        ])
        #expect(
            sentences == [
                "first() awaits second() awaits first(): none of them can go on; 1 task waits for them"
            ])
    }

    @Test("a stuck report groups tasks that do the same")
    func alike() {
        var events: [(time: Int64, thread: UInt64, body: LogEvent.Body)] = []
        for number in 1...5 as ClosedRange<UInt64> {
            events += [
                (Int64(number), 1, created(number, "serve()")),
                (Int64(number), 1, .runBegan(task(number), executor: nil, name: nil)),
                (Int64(number), 1, .runEnded(task(number), .init(awaits: .continuation, place: "read()"))),
            ]
        }
        let sentences = sentences(events)
        #expect(sentences.count == 1)
        #expect(sentences.first?.hasSuffix("; 4 more tasks of serve() do the same") == true, "\(sentences)")
    }

    @Test("the summary begins with what never finished, if that took long and nothing was lost")
    func summary() {
        func text(lastAlive: Int64, dropped: UInt64 = 0) -> String {
            let header = LogHeader(
                process: "x", processID: 1, host: "h", start: 5, droppedEvents: dropped, isClosed: true,
                lastAlive: lastAlive)
            let events: [LogEvent.Body] = [
                created(1, "load()"), .runBegan(task(1), executor: nil, name: nil),
                .runEnded(task(1), .init(awaits: .continuation, place: "fetch(_:)")),
            ]
            let contents = EventLogContents(
                header: header, events: events.map { LogEvent(time: 0, thread: 1, $0) })
            return RunSummary(TraceAnalysis(Trace(contents))).text(width: nil)
        }
        #expect(
            text(lastAlive: 100_000_000).hasPrefix(
                "never finished  load() has awaited its continuation for 100 ms, in fetch(_:); nothing has"))
        #expect(text(lastAlive: 99_000_000).hasPrefix("process "))
        #expect(text(lastAlive: 100_000_000, dropped: 1).hasPrefix("process "))
    }

    @Test("a stuck report says nothing where everything has finished")
    func finished() {
        let report = StuckReport(MixedTrace.untouched)
        #expect(report.sentences == [] && report.unfinished == "every operation and task has finished")
    }
}
