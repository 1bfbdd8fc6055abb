import EventLog
import InspectorHazards
import InspectorTraces
import TestTraces
import Testing

@Suite("Hazards of Swift tasks")
struct HazardTaskTests {
    private let pool = QueueID(1)
    private let cache = QueueID(2)

    private func task(_ number: UInt64) -> OperationID { OperationID(1 << 40 + number) }

    private func created(
        _ time: Int64, _ number: UInt64, by parent: UInt64? = nil,
        _ creation: LogEvent.Creation = .unstructured, priority: Int = 21
    ) -> (Int64, UInt64, LogEvent.Body) {
        (
            time, 1,
            .taskCreated(
                .init(
                    task: task(number), kind: "task\(number)()", creation: creation,
                    parent: parent.map(task), priority: priority, isQueued: true))
        )
    }

    private func begun(_ time: Int64, _ number: UInt64, on thread: UInt64, _ executor: QueueID? = nil)
        -> (Int64, UInt64, LogEvent.Body)
    {
        (time, thread, .runBegan(task(number), executor: executor ?? pool, name: nil))
    }

    private func ended(_ time: Int64, _ number: UInt64, on thread: UInt64, _ suspension: LogEvent.Suspension)
        -> (Int64, UInt64, LogEvent.Body)
    {
        (time, thread, .runEnded(task(number), suspension))
    }

    private func finished(_ time: Int64, _ number: UInt64, on thread: UInt64) -> (
        Int64, UInt64, LogEvent.Body
    ) {
        (time, thread, .finished(task(number), .succeeded))
    }

    /// - Parameter times: in milliseconds.
    private func report(
        isClosed: Bool = true, end: Int64 = 10_000, dropped: UInt64 = 0, processors: Int = 0,
        _ times: [(time: Int64, thread: UInt64, body: LogEvent.Body)]
    ) -> HazardReport {
        var header = LogHeader(
            process: "x", processID: 1, host: "h", start: 5, droppedEvents: dropped, isClosed: isClosed,
            lastAlive: ms(end))
        header.processors = ProcessorCount(online: processors, usable: processors)
        let executors: [(time: Int64, thread: UInt64, body: LogEvent.Body)] = [
            (0, 1, .executorOpened(pool, .pool, name: "pool")),
            (0, 1, .executorOpened(cache, .actor, name: "Cache")),
        ]
        let events = (executors + times).enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        return HazardReport(
            Trace(
                EventLogContents(
                    header: header,
                    events: events.map {
                        LogEvent(time: ms($0.element.time), thread: $0.element.thread, $0.element.body)
                    })))
    }

    private func found(_ report: HazardReport) -> [String] {
        report.groups.flatMap { group in group.findings.map { "\(group.rule) \($0.severity.rawValue)" } }
    }

    // MARK: What never ends

    @Test("a task that others await and nothing resumes is a warning if the program ended by itself")
    func lostContinuation() throws {
        func events(_ since: Int64) -> [(time: Int64, thread: UInt64, body: LogEvent.Body)] {
            [
                created(0, 1), begun(0, 1, on: 1), created(1, 2, by: 1),
                ended(2, 1, on: 1, .init(awaits: .task, task: task(2))),
                begun(2, 2, on: 2), ended(since, 2, on: 2, .init(awaits: .continuation, place: "fetch(_:)")),
            ]
        }
        let report = report(events(3))
        #expect(found(report) == ["lost-continuation warning"])
        let finding = try #require(report.groups.first?.findings.first)
        #expect(
            finding.summary
                == "task2() has awaited its continuation for 10.0 s, in fetch(_:); nothing has "
                + "resumed it; 1 task "
                + "waits for it")
        #expect(report.trace.operations[finding.operations[0]].kind == "task2()")
        #expect(finding.cost == ms(9_997))
        // The end may have come in the middle of its work.
        #expect(found(self.report(isClosed: false, events(9_000))) == ["lost-continuation note"])
        #expect(found(self.report(isClosed: false, events(4_000))) == ["lost-continuation warning"])
        #expect(found(self.report(events(9_950))) == [])
        #expect(self.report(dropped: 1, events(3)).undecided.map(\.rule) == ["lost-continuation"])
    }

    @Test("a task that a search found nothing for is an error, and what holds it is named otherwise")
    func searched() throws {
        func report(_ holder: String, unseen: String = "") -> HazardReport {
            self.report(
                isClosed: false,
                [
                    created(0, 1), begun(0, 1, on: 1),
                    ended(3, 1, on: 1, .init(awaits: .continuation, place: "fetch(_:)")),
                    (9_000, 9, .taskSearched(.init(task: task(1), holder: holder, unseen: unseen))),
                ])
        }
        func summary(_ report: HazardReport) -> String {
            report.groups.first?.findings.first.map {
                String($0.summary.split(separator: "; ", maxSplits: 1)[1])
            } ?? ""
        }
        let lost = report("")
        #expect(found(lost) == ["lost-continuation error"])
        #expect(summary(lost) == "nothing in the process can resume it: its continuation is lost")
        let evidence = try #require(lost.groups.first?.findings.first?.evidence)
        #expect(evidence.contains { $0.text == "a search for what could resume it found nothing" })
        let held = report("an object of type\u{1b} Cache")
        #expect(found(held) == ["lost-continuation note"])
        #expect(
            summary(held)
                == "nothing has resumed it; an object of type\\u{1b} Cache may hold its continuation")
        let possible = report("", unseen: "it uses io_uring")
        #expect(found(possible) == ["lost-continuation note"])
        #expect(
            summary(possible)
                == "possibly nothing can resume it: nothing in its memory leads to it, but it uses io_uring")
    }

    @Test("a task that waits in a loop for what comes next is a note, and so is one that nothing waits for")
    func loop() {
        let report = report([
            created(0, 1), begun(0, 1, on: 1), created(1, 2, by: 1),
            ended(2, 1, on: 1, .init(awaits: .task, task: task(2))),
            begun(2, 2, on: 2), ended(3, 2, on: 2, .init(awaits: .continuation, place: "accept()")),
            (4, 3, .taskEnqueued(task(2), executor: pool, by: nil, after: .continuation)),
            begun(4, 2, on: 2), ended(5, 2, on: 2, .init(awaits: .continuation, place: "accept()")),
        ])
        #expect(found(report) == ["lost-continuation note"])
        let alone = self.report([
            created(0, 1), begun(0, 1, on: 1),
            ended(2, 1, on: 1, .init(awaits: .continuation, place: "observe()")),
        ])
        #expect(found(alone) == ["outlives-scope note"])
    }

    @Test("tasks that await each other are an error, with the waits as evidence")
    func circle() throws {
        let report = report([
            created(0, 1), begun(0, 1, on: 1), created(1, 2, by: 1),
            ended(2, 1, on: 1, .init(awaits: .task, task: task(2))),
            begun(2, 2, on: 2), ended(5, 2, on: 2, .init(awaits: .task, task: task(1))),
        ])
        #expect(found(report) == ["await-circle error"])
        let finding = try #require(report.groups.first?.findings.first)
        #expect(finding.summary == "task1() awaits task2() awaits task1(): none of them can go on")
        #expect(
            finding.evidence.map(\.text) == [
                "task1() began to wait for task2()", "task2() began to wait for task1()", "the log ends",
            ])
        #expect(finding.evidence.map(\.time) == [ms(2), ms(5), ms(10_000)])
    }

    @Test("a task that runs to the end and that others wait for is a warning; a sleeping one is none")
    func running() {
        let report = report([
            created(0, 1), begun(0, 1, on: 1), created(1, 2, by: 1),
            ended(2, 1, on: 1, .init(awaits: .task, task: task(2))), begun(2, 2, on: 2),
        ])
        #expect(found(report) == ["unfinished-task warning"])
        let sleeping = self.report([
            created(0, 1), begun(0, 1, on: 1), created(1, 2, by: 1),
            ended(2, 1, on: 1, .init(awaits: .task, task: task(2))), begun(2, 2, on: 2),
            ended(3, 2, on: 2, .init(awaits: .sleep)),
        ])
        #expect(found(sleeping) == [])
    }

    // MARK: Executors

    @Test(
        "threads of the pool that are blocked in tasks while others are ready are an error", arguments: 0...2)
    func blockedPool(processors: Int) throws {
        var events = [created(0, 3), finished(9_000, 3, on: 1)]
        for number in 1...2 as ClosedRange<UInt64> {
            events += [
                created(0, number), begun(1, number, on: number),
                // On a processor for a millisecond at either end, and blocked between.
                (2, number, .leftCPU(afterNanoseconds: ms(1), .blocked)),
                (8_000, number, .leftCPU(afterNanoseconds: ms(1), .blocked)),
                finished(8_000, number, on: number),
            ]
        }
        events.append(begun(8_000, 3, on: 1))
        let report = report(processors: processors, events)
        #expect(found(report) == ["blocked-pool error"])
        let finding = try #require(report.groups.first?.findings.first)
        let threads = processors == 1 ? "the only thread of the pool was" : "both threads of the pool were"
        #expect(
            finding.summary
                == "tasks were ready for 8.00 s and did not run, while \(threads) blocked in tasks, "
                + "most of the "
                + "time in task1()")
        #expect(self.report(processors: 4, events).groups.isEmpty)
        // Without the kernel's records nobody knows.
        let unknown = self.report(
            processors: 2, events.filter { if case .leftCPU = $0.2 { false } else { true } })
        #expect(unknown.groups.isEmpty && unknown.undecided.map(\.rule) == ["blocked-pool"])
    }

    @Test("an actor that runs one after the other what could run at once is a warning")
    func bottleneck() throws {
        var events: [(time: Int64, thread: UInt64, body: LogEvent.Body)] = []
        for number in 1...4 as ClosedRange<UInt64> {
            let start = Int64(number - 1) * 1_000
            events += [
                created(0, number),
                (0, 1, .taskEnqueued(task(number), executor: cache, by: nil, after: .unknown)),
                begun(start, number, on: 1, cache), finished(start + 1_000, number, on: 1),
            ]
        }
        // Other tasks show that the pool has four threads.
        for number in 11...14 as ClosedRange<UInt64> {
            events += [
                created(0, number), begun(0, number, on: number), finished(500, number, on: number),
            ]
        }
        let report = report(events)
        #expect(found(report) == ["actor-bottleneck warning"])
        let finding = try #require(report.groups.first?.findings.first)
        #expect(
            finding.summary.hasPrefix(
                "3 tasks waited for actor Cache, for 6.00 s together; if it ran several at once, "
                    + "the run would be "
            ))
        #expect(finding.cost ?? 0 >= ms(2_000))
        #expect(report.groups.first?.kind == "Cache")
    }

    @Test("an urgent task that waits for the actor of another one is a warning")
    func inversion() throws {
        func report(_ priority: Int) -> HazardReport {
            self.report([
                created(0, 1, priority: 9), begun(0, 1, on: 1, cache),
                created(100, 2, priority: priority),
                (100, 2, .taskEnqueued(task(2), executor: cache, by: nil, after: .unknown)),
                finished(5_000, 1, on: 1), begun(5_000, 2, on: 1, cache), finished(5_100, 2, on: 1),
            ])
        }
        #expect(found(report(25)) == ["priority-inversion warning"])
        let finding = try #require(report(25).groups.first?.findings.first)
        #expect(
            finding.summary
                == "task2() (priority 25) waited 4.90 s for an actor that task1() (priority 9) had")
        #expect(found(report(9)) == [] && found(report(5)) == [])
    }

    // MARK: Cancellation and scope

    @Test("a cancelled task is accused of what it does, and not of what its children do")
    func cancellation() throws {
        let report = report([
            created(0, 1), begun(0, 1, on: 1), created(1, 2, by: 1, .groupChild),
            ended(2, 1, on: 1, .init(awaits: .group)), begun(2, 2, on: 2),
            (100, 3, .taskCancelled(task(1), by: nil)), (100, 3, .taskCancelled(task(2), by: nil)),
            finished(3_000, 2, on: 2), begun(3_001, 1, on: 1), finished(3_002, 1, on: 1),
        ])
        #expect(found(report) == ["slow-to-cancel warning"])
        let finding = try #require(report.groups.first?.findings.first)
        #expect(finding.summary == "task2() was cancelled, but went on for 2.90 s: 2.90 s running")
    }

    @Test("a task that nothing awaits and the end of the program cuts off is a warning")
    func scope() {
        func report(_ creation: LogEvent.Creation, isClosed: Bool = true, isAwaited: Bool = false) -> [String]
        {
            found(
                self.report(
                    isClosed: isClosed, end: 250,
                    [
                        created(0, 1), begun(0, 1, on: 1), created(1, 2, by: 1, creation),
                        begun(2, 2, on: 2), ended(3, 2, on: 2, .init(awaits: .sleep)),
                        isAwaited
                            ? ended(4, 1, on: 1, .init(awaits: .task, task: task(2))) : finished(4, 1, on: 1),
                    ]))
        }
        #expect(report(.unstructured) == ["outlives-scope warning"])
        #expect(report(.asyncLet) == [] && report(.unstructured, isClosed: false) == [])
        #expect(report(.unstructured, isAwaited: true) == [])
        let after = self.report([
            created(0, 1), begun(0, 1, on: 1), created(1, 2, by: 1), begun(2, 2, on: 2),
            finished(4, 1, on: 1), finished(400, 2, on: 2),
        ])
        #expect(found(after) == ["outlives-scope note"])
        #expect(
            after.groups.first?.findings.first?.summary
                == "task2() went on for 396 ms after task1(), which created it, had finished; "
                + "nothing awaited it"
        )
    }

    @Test("what a finding says is safe for a terminal, whatever the names in the trace")
    func names() {
        var events: [(time: Int64, thread: UInt64, body: LogEvent.Body)] = []
        for number in 1...4 as ClosedRange<UInt64> {
            events.append(
                (
                    0, 1,
                    .taskCreated(
                        .init(
                            task: task(number), kind: "\u{1b}[31mred\n", creation: .unstructured,
                            priority: 21,
                            isQueued: true))
                ))
            guard number < 3 else { continue }
            events += [
                begun(1, number, on: number), (2, number, .leftCPU(afterNanoseconds: ms(1), .blocked)),
            ]
        }
        let report = report(processors: 2, events)
        let findings = report.groups.flatMap(\.findings)
        #expect(report.groups.map(\.rule) == ["unfinished-task", "blocked-pool", "outlives-scope"])
        let texts = findings.map(\.summary) + findings.flatMap(\.evidence).map(\.text)
        #expect(texts.allSatisfy { !$0.contains("\u{1b}") && !$0.contains("\n") }, "\(texts)")
    }

    @Test("rules about operations leave tasks alone, also where a trace has them as operations")
    func asOperations() {
        #expect(HazardReport(MixedTrace.trace).groups.isEmpty)
        #expect(HazardReport(MixedTrace.untouched).groups.isEmpty)
    }
}
