import EventLog
import InspectorAnalysis
import InspectorTraces
import TestTraces
import Testing

@Suite("A replay of Swift tasks")
struct TaskReplayTests {
    private let pool = QueueID(1)
    private let actor = QueueID(2)
    private let main = QueueID(3)

    private func task(_ number: UInt64) -> OperationID { OperationID(1 << 40 + number) }

    private struct Story {
        var events: [LogEvent] = []

        mutating func add(_ time: Int64, _ thread: UInt64, _ body: LogEvent.Body) {
            events.append(LogEvent(time: time, thread: thread, body))
        }
    }

    private func trace(_ build: (inout Story) -> Void) -> Trace {
        var story = Story()
        story.add(0, 1, .executorOpened(pool, .pool, name: "pool"))
        story.add(0, 1, .executorOpened(actor, .actor, name: "Cache"))
        story.add(0, 1, .executorOpened(main, .main, name: "MainActor"))
        build(&story)
        let events = story.events.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        let header = LogHeader(process: "x", processID: 1, host: "h", start: 5, isClosed: true)
        return Trace(EventLogContents(header: header, events: events.map(\.element)))
    }

    /// A task that is created and enqueued at `ready`, and has one run.
    private func add(
        _ number: UInt64, to story: inout Story, kind: String = "load()", by parent: UInt64? = nil,
        ready: Int64, _ run: Range<Int64>, thread: UInt64, on executor: QueueID? = nil
    ) {
        let executor = executor ?? pool
        story.add(
            ready, 9,
            .taskCreated(
                .init(
                    task: task(number), kind: kind, creation: .unstructured, parent: parent.map(task),
                    priority: 21, isQueued: false)))
        story.add(ready, 9, .taskEnqueued(task(number), executor: executor, by: nil, after: .unknown))
        story.add(run.lowerBound, thread, .runBegan(task(number), executor: executor, name: nil))
        story.add(run.upperBound, thread, .finished(task(number), .succeeded))
    }

    private func scenario(_ change: (inout TaskReplayScenario) -> Void) -> TaskReplayScenario {
        var scenario = TaskReplayScenario()
        change(&scenario)
        return scenario
    }

    @Test("a replay of tasks repeats a run, and predicts another number of threads")
    func threads() throws {
        let trace = trace { story in
            for number in 1...4 as ClosedRange<UInt64> {
                let start: Int64 = number > 2 ? 1_000 : 0
                add(number, to: &story, ready: 0, start..<start + 1_000, thread: number % 2)
            }
        }
        let replay = try #require(TaskReplay(trace))
        #expect(replay.recordedWidth == 2 && replay.recordedMakespan == 2_000)
        let unchanged = replay.run()
        #expect(unchanged.executorWait == 2_000 && unchanged.stuckTasks == 0)
        #expect(unchanged.makespan == 2_000)
        for (threads, makespan, wait) in [(1, 4_000, 6_000), (2, 2_000, 2_000), (4, 1_000, 0)] {
            let result = replay.run(scenario { $0.pool = .limited(threads) })
            #expect(result.makespan == Int64(makespan) && result.executorWait == Int64(wait), "\(threads)")
        }
        #expect(replay.run(scenario { $0.pool = .unlimited }).makespan == 1_000)
    }

    @Test("a replay runs an actor's tasks one after the other, unless each task has an actor of its own")
    func actors() throws {
        let trace = trace { story in
            add(1, to: &story, ready: 0, 0..<1_000, thread: 1, on: actor)
            add(2, to: &story, ready: 0, 1_000..<2_000, thread: 1, on: actor)
            add(3, to: &story, ready: 0, 0..<500, thread: 2)
        }
        let replay = try #require(TaskReplay(trace))
        #expect(replay.run().makespan == 2_000)
        #expect(replay.run(scenario { $0.pool = .limited(8) }).makespan == 2_000)
        #expect(replay.run(scenario { $0.executorScales = [1: 0.5] }).makespan == 1_000)
        let split = scenario { $0.splitActors = [1] }
        #expect(replay.run(split).makespan == 1_500)
        #expect(
            replay.run(
                scenario {
                    $0.pool = .limited(3)
                    $0.splitActors = [1]
                }
            ).makespan == 1_000)
    }

    @Test("tasks become ready when the task that made them ready gets there")
    func wakes() throws {
        let trace = trace { story in
            add(1, to: &story, kind: "parent()", ready: 0, 0..<1_000, thread: 1)
            add(2, to: &story, kind: "child()", by: 1, ready: 800, 800..<1_400, thread: 2)
            // The parent goes on on the main actor when its child has finished.
            story.events.removeAll { $0.body == .finished(task(1), .succeeded) }
            story.add(
                1_000, 1,
                .runEnded(task(1), .init(awaits: .task, task: task(2), executor: main)))
            story.add(1_400, 2, .taskEnqueued(task(1), executor: main, by: task(2), after: .unknown))
            story.add(1_450, 3, .runBegan(task(1), executor: main, name: nil))
            story.add(1_500, 3, .finished(task(1), .succeeded))
        }
        let replay = try #require(TaskReplay(trace))
        #expect(replay.run().makespan == 1_500)
        #expect(replay.run(scenario { $0.scales = ["child()": 0.5] }).makespan == 1_200)
        // The child begins at 400, and the parent's end takes 25.
        #expect(replay.run(scenario { $0.scales = ["parent()": 0.5] }).makespan == 1_075)
        // The child waits for the parent's thread.
        #expect(replay.run(scenario { $0.pool = .limited(1) }).makespan == 1_700)
    }

    @Test("tasks can await at once what a function awaited one after the other")
    func parallel() throws {
        let trace = AwaitsInTurn.trace
        let places = AwaitPlaces(trace.tasks)
        #expect(places.all.map(\.name) == ["page()", "close()"])
        #expect(places.all.map(\.awaits) == [4, 1] && places.all.map(\.isRepeated) == [true, false])
        #expect(places.all.map(\.awaiting) == [3_100, 300])
        let replay = try #require(TaskReplay(trace))
        #expect(replay.run().makespan == 2_600)
        // The waits end at 600, 1,100 and 700; then 100 of running, the wait elsewhere, and 100 more.
        let result = replay.run(scenario { $0.parallelFunctions = [places.all[0].texts] })
        #expect(result.makespan == 1_600 && result.stuckTasks == 0)
        #expect(replay.run(scenario { $0.parallelFunctions = [places.all[1].texts] }).makespan == 2_600)
    }

    @Test("tasks that a function created and awaited one after the other run at once, on as many threads")
    func parallelTasks() throws {
        let trace = trace { story in
            // Each child is created at the end of a run, and takes 1,000.
            for number in 0..<3 as Range<UInt64> {
                let start = Int64(number) * 1_100
                story.add(start, 1, .runBegan(task(1), executor: pool, name: nil))
                story.add(
                    start + 90, 1,
                    .taskCreated(
                        .init(
                            task: task(2 + number), kind: "child()", creation: .unstructured,
                            parent: task(1), priority: 21, isQueued: false)))
                story.add(
                    start + 90, 1,
                    .taskEnqueued(task(2 + number), executor: pool, by: task(1), after: .unknown))
                story.add(
                    start + 100, 1,
                    .runEnded(task(1), .init(awaits: .task, task: task(2 + number), place: "all()")))
                story.add(start + 100, 2, .runBegan(task(2 + number), executor: pool, name: nil))
                story.add(start + 1_100, 2, .finished(task(2 + number), .succeeded))
                story.add(
                    start + 1_100, 2,
                    .taskEnqueued(task(1), executor: pool, by: task(2 + number), after: .task))
            }
            story.add(3_300, 1, .runBegan(task(1), executor: pool, name: nil))
            story.add(3_400, 1, .finished(task(1), .succeeded))
        }
        let replay = try #require(TaskReplay(trace))
        #expect(replay.recordedWidth == 1 && replay.run().makespan == 3_400)
        let functions = Set(AwaitPlaces(trace.tasks).all.map(\.texts))
        for (threads, makespan) in [(1, 3_400), (2, 2_190), (4, 1_390)] {
            let result = replay.run(
                scenario {
                    $0.pool = .limited(threads)
                    $0.parallelFunctions = functions
                })
            #expect(result.makespan == Int64(makespan), "\(threads)")
            #expect(result.stuckTasks == 0)
        }
    }

    @Test("what operations, timers and other threads did takes as long as it took")
    func others() throws {
        let trace = trace { story in
            add(1, to: &story, ready: 0, 0..<100, thread: 1)
            story.events.removeLast()
            story.add(100, 1, .runEnded(task(1), .init(awaits: .sleep)))
            story.add(5_100, 4, .taskEnqueued(task(1), executor: pool, by: nil, after: .sleep))
            // Operations had the threads of the pool.
            story.add(405_100, 1, .runBegan(task(1), executor: pool, name: nil))
            story.add(405_200, 1, .finished(task(1), .succeeded))
        }
        let replay = try #require(TaskReplay(trace))
        #expect(replay.run().makespan == 405_200)
        #expect(replay.run(scenario { $0.pool = .unlimited }).makespan == 405_200)
        #expect(replay.run(scenario { $0.scales = ["load()": 0] }).makespan == 405_000)
    }

    @Test(
        "a thread of the pool comes as late as it came, and meanwhile the order of tasks is the recorded one")
    func lateThread() throws {
        let trace = trace { story in
            add(1, to: &story, ready: 0, 10..<110, thread: 1)
            add(2, to: &story, ready: 0, 110..<6_000, thread: 1)
            // Both would have run long before, had the second thread been there.
            add(3, to: &story, ready: 0, 5_000..<5_100, thread: 2)
            add(4, to: &story, ready: 1, 5_100..<5_200, thread: 2)
        }
        let replay = try #require(TaskReplay(trace))
        #expect(replay.run().makespan == 5_990)
        #expect(replay.run().executorWait == 10 + 110 + 5_000 + 5_099)
        #expect(replay.run(scenario { $0.pool = .limited(1) }).makespan == 6_190)
    }

    @Test("a replay of tasks repeats recorded runs exactly that had threads to spare")
    func recorded() throws {
        let predictions = try #require(TaskPredictions(MixedTrace.trace))
        #expect(predictions.obstacle == nil && predictions.drift <= 0.03)
        #expect(predictions.unchanged.stuckTasks == 0)
        #expect(predictions.predict(TaskReplayScenario()).makespan == predictions.recorded)
    }

    @Test("a replay of tasks ends for any trace, however damaged", arguments: 0..<100 as Range<UInt64>)
    func damaged(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let trace = trace { story in
            for number in 1...6 as ClosedRange<UInt64> {
                let (start, length) = (Int64(random.next() % 1_000), Int64(random.next() % 1_000))
                add(
                    number, to: &story, by: random.next() % 8, ready: start, start..<start + length,
                    thread: random.next() % 3, on: [pool, actor, main][Int(random.next() % 3)])
            }
            for index in story.events.indices.dropFirst(3) where random.next() % 5 == 0 {
                story.events[index].time = Int64(random.next() % 2_000) - 500
            }
        }
        guard let replay = TaskReplay(trace) else { return }
        for threads in [ReplayProcessors.recorded, .limited(1), .unlimited] {
            let result = replay.run(scenario { $0.pool = threads })
            #expect(result.makespan >= 0 && result.executorWait >= 0)
        }
    }
}
