import EventLog
import InspectorAnalysis
import InspectorHazards
import InspectorReports
import InspectorTraces
import TestTraces
import Testing
import WaitDiagnosis

@Suite("Circles of operations and Swift tasks")
struct MixedCircleTests: CircleVocabulary {
    private func found(_ report: HazardReport) -> [String] {
        report.groups.flatMap { group in
            group.findings.map { "\(group.rule) \($0.severity.rawValue): \($0.summary)" }
        }
    }

    private let circle =
        "it created task sender(), sender() needs actor Cache, which flush() has, flush() blocks its thread "
        + "until queue uploads is empty, and upload is in it"

    @Test("an operation, the task that it created and the one that waits for it are one finding")
    func possible() throws {
        let report = HazardReport(trace(actorCircle()))
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
            found(HazardReport(trace(actorCircle(returns: true)))).first?.hasSuffix(
                "\(circle): a deadlock if sender() has to finish upload") == true)
        #expect(
            found(HazardReport(trace(isClosed: true, actorCircle()))).map { $0.prefix(20) } == [
                "never-finished error"
            ])
        #expect(HazardReport(trace(dropped: 1, actorCircle())).groups.isEmpty)
    }

    @Test("the stuck report tells a circle of operations and tasks first, and not its tasks again")
    func stuck() {
        let report = StuckReport(trace(actorCircle()))
        #expect(report.sentences.count == 1)
        #expect(report.sentences.first?.contains(circle) == true)
        #expect(report.unfinished == "1 operation and 2 tasks have not finished")
    }

    @Test("no circle is told without a blocked thread, or with an executor that the waiting task lacks")
    func noCircle() {
        for events in [actorCircle(blocks: false), actorCircle(needs: main), actorCircle(needs: pool)] {
            let report = HazardReport(trace(events))
            #expect(!found(report).contains { $0.contains("deadlock") })
        }
    }

    @Test("a child that may still finish keeps the task that awaits its group from a circle")
    func group() {
        /// The first child needs the actor; the second runs.
        func said(_ children: ClosedRange<UInt64>) -> String {
            var events = actorCircle().filter { event in
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

    @Test("an operation that created a task group whose children all need a held actor is in a circle")
    func groupOfActor() {
        var events = actorCircle().filter { event in
            if case .runEnded = event.body { return false }
            return true
        }
        for child in UInt64(3)...4 {
            events += [
                created(6, child, "page\(child)()", by: task(2), .groupChild),
                begun(7, child, on: child, pool),
                ended(8, child, on: child, .init(awaits: .executor, executor: cache)),
            ]
        }
        events.append(ended(9, 2, on: 4, .init(awaits: .group)))
        #expect(
            found(HazardReport(trace(events))).joined().contains(
                "it created task sender(), sender() awaits page3(), page3() needs actor Cache, which flush() "
                    + "has, flush() blocks its thread until queue uploads is empty, and upload is in it: a "
                    + "deadlock if upload waits for sender()"))
    }

    @Test("each circle of tasks is found, through whichever child of a group is in it")
    func childInCircle() {
        var events = [created(0, 1, "all()")]
        for (child, name) in [(2, "page()"), (3, "index()")] as [(UInt64, String)] {
            events.append(created(1, child, name, by: task(1), .groupChild))
        }
        events += [created(1, 4, "first()"), created(1, 5, "second()")]
        for (number, awaited) in [(2, 4), (3, 1), (4, 5), (5, 4)] as [(UInt64, UInt64)] {
            events.append(begun(2, number, on: number, pool))
            events.append(ended(3, number, on: number, .init(awaits: .task, task: task(awaited))))
        }
        events += [begun(2, 1, on: 6, pool), ended(3, 1, on: 6, .init(awaits: .group))]
        #expect(
            StuckReport(trace(events)).sentences == [
                "first() awaits second() awaits first(): none of them can go on; 3 tasks wait for them",
                "all() awaits index() awaits all(): none of them can go on",
            ])
    }

    @Test("an operation of the main queue and a task of the main actor that blocks for it are a deadlock")
    func mainActor() throws {
        let events = mainActorCircle()
        let report = HazardReport(trace(events))
        #expect(
            found(report) == [
                "self-wait-deadlock error: deadlock: refresh needs the main thread, which show() has, "
                    + "show() blocks its thread until index finishes, index depends on refresh"
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
                    "deadlock: refresh needs the main thread, which show() has"),
                "\(whole.operations[index].displayName)")
        }
        // On another thread, the main queue is free.
        let pooled = events.map { event -> Event in
            switch event.body {
            case .runBegan: begun(1, 1, on: 9, pool)
            case .waitBegan: (event.time, 9, event.body)
            default: event
            }
        }
        #expect(!found(HazardReport(trace(pooled))).contains { $0.contains("deadlock") })
    }

    @Test(
        "a main thread that blocks for an operation which needs it is a deadlock, and one until it ends not")
    func mainThread() throws {
        let (refresh, index) = (OperationID(2), OperationID(3))
        var events = added(0, refresh, "refresh", to: mainQueue)
        events += added(1, index, "index", to: uploads, after: [refresh])
        events.append((2, 1, .waitBegan(.queue(uploads), by: nil)))
        let report = HazardReport(trace(events))
        #expect(
            found(report) == [
                "self-wait-deadlock error: deadlock: refresh needs the main thread, which is blocked until "
                    + "queue uploads is empty, and index is in it, index depends on refresh"
            ])
        let finding = try #require(report.groups.first?.findings.first)
        #expect(finding.cost == ms(2_998))
        #expect(finding.evidence.first?.text == "the main thread began to wait, on thread 1")
        #expect(finding.advice.hasPrefix("do not block the main thread"))
        let whole = trace(events)
        for index in [0, 1] {
            #expect(
                Explanation(of: index, in: TraceAnalysis(whole)).summary.contains("deadlock: refresh needs"))
        }
        // What it waits for executes: no queue has forgotten anything.
        let executing =
            events + added(0, upload, "upload", to: uploads) + [(1, 3, .executing(upload))]
            + [(3, 1, .waitBegan(.operation(upload), by: nil))]
        #expect(
            found(HazardReport(trace(isClosed: true, executing))) == [
                "never-finished error: upload is still executing, after 3.00 s on thread 3; stuck behind it: "
                    + "2 operations (refresh, index)"
            ])
        // A method that overrides Foundation's may run the run loop meanwhile.
        let served =
            events + [(3, 1, .executing(refresh)), (4, 1, .finished(refresh, .succeeded))]
            + added(5, upload, "again", to: mainQueue)
        #expect(!found(HazardReport(trace(served))).contains { $0.contains("deadlock") })
        // The end of the wait may be among the events that were dropped.
        #expect(TraceAnalysis(trace(dropped: 1, events)).blockers.standstills.allSatisfy { !$0.isDeadlock })
        // Another thread leaves the main queue alone.
        let other = events.map { event -> Event in
            if case .waitBegan = event.body { (event.time, 9, event.body) } else { event }
        }
        #expect(!found(HazardReport(trace(other))).contains { $0.contains("deadlock") })
    }

    @Test("a task cannot go on while an operation that it started by hand blocks its thread")
    func operationInTask() {
        var events = [created(0, 1, "flush()"), begun(1, 1, on: 2, cache)]
        events += added(1, upload, "upload", to: uploads) + added(1, OperationID(2), "sync", to: uploads)
        events += [
            (2, 3, .executing(upload)), (2, 2, .executing(OperationID(2))),
            (3, 2, .waitBegan(.operation(upload), by: OperationID(2))), created(4, 2, "sender()", by: upload),
            begun(5, 2, on: 4, pool), ended(6, 2, on: 4, .init(awaits: .executor, executor: cache)),
        ]
        #expect(
            found(HazardReport(trace(events))).first?.hasSuffix(
                "it created task sender(), sender() needs actor Cache, which flush() has, flush() blocks its "
                    + "thread until upload finishes: a deadlock if upload waits for sender(); and with it: "
                    + "1 operation (sync)") == true)
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
