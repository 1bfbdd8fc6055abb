import EventLog
import InspectorAnalysis
import InspectorHazards
import InspectorReports
import InspectorTraces
import TestTraces
import Testing

@Suite("Circles of operations and Swift tasks")
struct MixedCircleTests {
    private typealias Event = (time: Int64, thread: UInt64, body: LogEvent.Body)

    private let pool = QueueID(1)
    private let main = QueueID(2)
    private let cache = QueueID(3)
    private let uploads = QueueID(4)
    private let mainQueue = QueueID(5)
    private let upload = OperationID(1)

    private func task(_ number: UInt64) -> OperationID { OperationID(1 << 40 + number) }

    private func created(
        _ time: Int64, _ number: UInt64, _ name: String, by parent: OperationID? = nil,
        _ creation: LogEvent.Creation = .unstructured
    ) -> Event {
        (
            time, 1,
            .taskCreated(
                .init(
                    task: task(number), kind: name, creation: creation, parent: parent, priority: 21,
                    isQueued: true))
        )
    }

    private func begun(_ time: Int64, _ number: UInt64, on thread: UInt64, _ executor: QueueID) -> Event {
        (time, thread, .runBegan(task(number), executor: executor, name: nil))
    }

    private func ended(
        _ time: Int64, _ number: UInt64, on thread: UInt64, _ suspension: LogEvent.Suspension
    ) -> Event {
        (time, thread, .runEnded(task(number), suspension))
    }

    private func added(
        _ time: Int64, _ operation: OperationID, _ name: String, to queue: QueueID,
        after dependencies: [OperationID] = []
    ) -> [Event] {
        let enqueue = LogEvent.Enqueue(
            operation: operation, kind: "Work", name: name, queue: queue, dependencies: dependencies)
        let isReady = dependencies.isEmpty
        return [(time, 1, .enqueued(enqueue))] + (isReady ? [(time, 1, .ready(operation))] : [])
    }

    /// - Parameter times: in milliseconds.
    private func trace(isClosed: Bool = false, dropped: UInt64 = 0, _ times: [Event]) -> Trace {
        let opened: [Event] = [
            (0, 1, .executorOpened(pool, .pool, name: "pool")),
            (0, 1, .executorOpened(main, .main, name: "main actor")),
            (0, 1, .executorOpened(cache, .actor, name: "Cache")),
            (0, 1, .queueOpened(uploads, name: "uploads", limit: 1, isSuspended: false)),
            (
                0, 1,
                .queueOpened(mainQueue, name: "NSOperationQueue Main Queue", limit: 1, isSuspended: false)
            ),
        ]
        let events = (opened + times).enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        return Trace(
            EventLogContents(
                header: LogHeader(
                    process: "x", processID: 1, host: "h", start: 5, droppedEvents: dropped,
                    isClosed: isClosed, lastAlive: ms(3_000)),
                events: events.map {
                    LogEvent(time: ms($0.element.time), thread: $0.element.thread, $0.element.body)
                }))
    }

    private func found(_ report: HazardReport) -> [String] {
        report.groups.flatMap { group in
            group.findings.map { "\(group.rule) \($0.severity.rawValue): \($0.summary)" }
        }
    }

    /// A task on an actor blocks its thread until an operation finishes, which created a task that needs the
    /// actor.
    private func actor(
        blocks: Bool = true, returns: Bool = false, needs executor: QueueID? = nil
    ) -> [Event] {
        var events = [created(0, 1, "flush()"), begun(1, 1, on: 2, cache)]
        events += added(2, upload, "upload", to: uploads)
        if blocks { events.append((3, 2, .waitBegan(.queue(uploads), by: nil))) }
        events += [
            (4, 3, .executing(upload)), created(5, 2, "sender()", by: upload), begun(6, 2, on: 4, pool),
            ended(7, 2, on: 4, .init(awaits: .executor, executor: executor ?? cache)),
        ]
        if returns { events.append((8, 3, .bodyEnded(upload))) }
        return events
    }

    private let circle =
        "it created task sender(), sender() needs actor Cache, which flush() has, flush() blocks its thread "
        + "until queue uploads is empty, and upload is in it"

    @Test("an operation, the task that it created and the one that waits for it are one finding")
    func possible() throws {
        let report = HazardReport(trace(actor()))
        #expect(
            found(report) == [
                "never-finished warning: upload is still executing, after 3.00 s on thread 3; \(circle): "
                    + "a deadlock if upload waits for sender()"
            ])
        let finding = try #require(report.groups.first?.findings.first)
        #expect(
            finding.operations.map { report.trace.operations[$0].displayName } == [
                "upload", "sender()", "flush()",
            ])
        #expect(finding.evidence.map(\.text).contains("flush() began to wait, on thread 2"))
        #expect(
            found(HazardReport(trace(actor(returns: true)))).first?.hasSuffix(
                "\(circle): a deadlock if sender() has to finish upload") == true)
        #expect(
            found(HazardReport(trace(isClosed: true, actor()))).map { $0.prefix(20) } == [
                "never-finished error"
            ])
        #expect(HazardReport(trace(dropped: 1, actor())).groups.isEmpty)
    }

    @Test("the stuck report tells a circle of operations and tasks first, and not its tasks again")
    func stuck() {
        let report = StuckReport(trace(actor()))
        #expect(report.sentences.count == 1)
        #expect(report.sentences.first?.contains(circle) == true)
        #expect(report.unfinished == "1 operation and 2 tasks have not finished")
    }

    @Test("no circle is told without a blocked thread, or with an executor that the waiting task lacks")
    func noCircle() {
        for events in [actor(blocks: false), actor(needs: main), actor(needs: pool)] {
            let report = HazardReport(trace(events))
            #expect(!found(report).contains { $0.contains("deadlock") })
        }
    }

    @Test("a child that may still finish keeps the task that awaits its group from a circle")
    func group() {
        /// The first child needs the actor; the second runs.
        func said(_ children: ClosedRange<UInt64>) -> String {
            var events = actor().filter { event in
                if case .runEnded = event.body { return false }
                return true
            }
            for child in children {
                events += [
                    created(6, child, "page\(child)()", by: task(2), .groupChild),
                    begun(7, child, on: child, pool),
                ]
            }
            events += [
                ended(8, 3, on: 3, .init(awaits: .executor, executor: cache)),
                ended(9, 2, on: 4, .init(awaits: .group)),
            ]
            return found(HazardReport(trace(events))).joined()
        }
        #expect(
            said(3...3).contains(
                "it created task sender(), sender() awaits page3(), page3() needs actor Cache"))
        #expect(!said(3...4).contains("deadlock"))
    }

    @Test("an operation of the main queue and a task of the main actor that blocks for it are a deadlock")
    func mainActor() throws {
        var events = [created(0, 1, "show()"), begun(1, 1, on: 1, main)]
        events += added(2, upload, "upload", to: uploads)
        events += added(2, OperationID(2), "refresh", to: mainQueue, after: [])
        events += added(2, OperationID(3), "index", to: uploads, after: [OperationID(2)])
        events += [
            (3, 1, .waitBegan(.operation(OperationID(3)), by: nil)), (4, 3, .executing(upload)),
            (5, 3, .finished(upload, .succeeded)),
        ]
        let report = HazardReport(trace(events))
        #expect(
            found(report) == [
                "self-wait-deadlock error: deadlock: refresh needs the thread of queue NSOperationQueue Main "
                    + "Queue, which show() has, show() blocks its thread until index finishes, index depends "
                    + "on refresh"
            ])
        let finding = try #require(report.groups.first?.findings.first)
        #expect(finding.cost == ms(2_997))
        #expect(
            finding.evidence.map(\.text) == [
                "show() began to wait, on thread 1", "the log ends; they still wait",
            ])
        // lint and why point there.
        let whole = report.trace.withTasks()
        for index in [1, 2] {
            #expect(
                Explanation(of: index, in: TraceAnalysis(whole)).summary.contains(
                    "deadlock: refresh needs the thread of queue NSOperationQueue Main Queue, which show() "
                        + "has"), "\(whole.operations[index].displayName)")
        }
        // On another thread, the main queue is free.
        let pooled = events.map { event -> Event in
            if case .runBegan = event.body { return begun(1, 1, on: 1, pool) }
            return event
        }
        #expect(!found(HazardReport(trace(pooled))).contains { $0.contains("deadlock") })
    }

    @Test("an operation that blocks the main queue's thread has the main actor")
    func mainQueueOperation() {
        var events = added(0, OperationID(2), "sync", to: mainQueue)
        events += added(0, upload, "upload", to: uploads)
        events += [
            (1, 1, .executing(OperationID(2))), (2, 1, .waitBegan(.operation(upload), by: OperationID(2))),
            (3, 3, .executing(upload)), created(4, 1, "sender()", by: upload), begun(5, 1, on: 4, pool),
            ended(6, 1, on: 4, .init(awaits: .executor, executor: main)),
        ]
        #expect(
            found(HazardReport(trace(events))).first?.hasSuffix(
                "it created task sender(), sender() needs the main actor, which sync has, sync blocks its "
                    + "thread until upload finishes: a deadlock if upload waits for sender(); and with it: "
                    + "1 operation (sync)") == true)
    }
}
