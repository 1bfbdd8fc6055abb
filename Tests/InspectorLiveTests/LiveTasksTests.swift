import EventLog
import Foundation
import TestTraces
import Testing
import WaitDiagnosis

@testable import InspectorAnalysis
@testable import InspectorLive
@testable import InspectorText

@Suite("The Swift tasks of a running program")
struct LiveTasksTests {
    private let cache = QueueID(9)

    private func task(_ number: UInt64) -> OperationID { OperationID(1 << 40 + number) }

    private func created(_ number: UInt64) -> LogEvent.Body {
        .taskCreated(
            .init(
                task: task(number), kind: "load()", creation: .unstructured, priority: 21, isQueued: true))
    }

    /// Four tasks that run one after the other, reach for an actor that the first of them has, and await.
    private var busy: LiveRun {
        var run = LiveRun(at(0, .executorOpened(cache, .actor, name: "Cache")))
        for number in 0..<UInt64(5) {
            let time = Int64(number * 10)
            run.take(
                at(time, thread: 1, created(number)),
                at(time + 1, thread: 2, .runBegan(task(number), executor: nil, name: nil)))
            if number == 0 {
                run.take(at(time + 2, thread: 2, .taskMoved(task(number), executor: cache)))
            } else if number < 4 {
                run.take(
                    at(
                        time + 2, thread: 2,
                        .runEnded(task(number), .init(awaits: .executor, executor: cache))))
            } else {
                run.take(at(time + 2, thread: 2, .runEnded(task(number), .init(awaits: .continuation))))
            }
        }
        return run
    }

    @Test("a task is counted where it is, at every moment of a run, and in the end among the finished ones")
    func life() {
        var run = LiveRun()
        var seen: [String] = []
        for event in MixedTrace.events {
            run.take(event)
            seen.append(run.picture().tasks?.sentence ?? "")
        }
        #expect(seen.contains("tasks: 1 awaiting continuations, 0 finished"))
        #expect(seen.contains("tasks: 1 running, 1 awaiting actors, 0 finished"))
        #expect(seen.last == "tasks: 2 finished")
        #expect(run.picture().tasks?.executors.isEmpty == true)
        #expect(run.picture().finished == 2, "operations are counted apart")
    }

    @Test("the actor with the longest queue comes first, with how long its first task has waited")
    func queues() throws {
        let picture = busy.picture(at: 100_000_000)
        let tasks = try #require(picture.tasks)
        #expect(tasks.sentence == "tasks: 1 running, 1 awaiting continuations, 3 awaiting actors, 0 finished")
        let first = try #require(tasks.executors.first)
        #expect(first.name == "Cache" && first.running == 1 && first.waiting == 3)
        #expect(first.longest == 88_000_000)
        let screen = LiveScreen(picture).lines(width: 80, height: 24, isColored: false)
        #expect(screen.contains { $0.hasPrefix("tasks: 1 running") })
        #expect(screen.contains { $0.hasPrefix("Cache") && $0.contains("88.0 ms") })
        #expect(LiveScreen(picture).sentence.contains("; tasks: 1 running"))
    }

    @Test("an event that is read after a later one changes nothing, and does not bring a finished task back")
    func order() {
        var run = LiveRun(
            at(1, created(1)), at(5, thread: 2, .runBegan(task(1), executor: nil, name: nil)),
            at(2, .taskEnqueued(task(1), executor: nil, by: nil, after: .unknown)))
        #expect(run.picture().tasks?.sentence == "tasks: 1 running, 0 finished")
        run.take(
            at(9, thread: 2, .finished(task(1), .failed(message: "Broken"))),
            at(8, .taskResumed(task(1), by: nil, after: .unknown)))
        #expect(run.picture().tasks?.sentence == "tasks: 1 finished, 1 of them failed")
    }

    @Test("when events were missed, a task is counted again from its next event on")
    func loss() {
        var run = busy
        run.state.noteLoss()
        #expect(run.picture().tasks == nil)
        run.take(at(200, thread: 2, .runBegan(task(4), executor: nil, name: nil)))
        #expect(run.picture().tasks?.sentence == "tasks: 1 running, 0 finished")
    }

    // MARK: What everything waits for

    private func begun(_ number: UInt64, on thread: UInt64, _ executor: QueueID? = nil) -> LogEvent.Body {
        .runBegan(task(number), executor: executor, name: "task \(number)")
    }

    /// A task awaits another one, which awaits its continuation from 10 ms on.
    private func suspended(_ more: LogEvent...) -> LiveRun {
        var run = LiveRun(
            at(0, created(1)), at(1, thread: 2, begun(1, on: 2)), at(2, thread: 2, created(2)),
            at(3, thread: 2, .runEnded(task(1), .init(awaits: .task, task: task(2)))),
            at(4, thread: 3, begun(2, on: 3)),
            at(10, thread: 3, .runEnded(task(2), .init(awaits: .continuation, place: "fetch(_:)"))))
        run.take(more)
        return run
    }

    @Test(
        "a task that others wait for is named after a second, with its function, and is a hazard after five")
    func origin() throws {
        #expect(suspended().origins(at: 900_000_000).isEmpty)
        let origin = try #require(suspended().origins(at: 1_500_000_000).first)
        #expect(
            origin.sentence
                == "task 2 has awaited its continuation for 1.49 s, in fetch(_:); nothing has resumed it")
        #expect(origin.waiting == 1 && origin.task == task(2).rawValue && origin.operation == 0)
        #expect(suspended().hazards(at: 4_000_000_000).isEmpty)
        let hazards = suspended().hazards(at: 6_000_000_000)
        #expect(hazards.map(\.rule) == ["lost-continuation"])
        #expect(suspended().hazards(at: 6_000_000_000).first?.operation == task(2).rawValue)
        // The screen says it once.
        let screen = LiveScreen(suspended().picture(at: 6_000_000_000))
            .lines(width: 80, height: 40, isColored: false)
        #expect(screen.count { $0.contains("task 2 has awaited") } == 1)
    }

    @Test("a loop that waits for what comes next is not named, and neither is anything if events were missed")
    func loop() {
        let loop = suspended(
            at(11, .taskEnqueued(task(2), executor: nil, by: nil, after: .continuation)),
            at(12, thread: 3, begun(2, on: 3)),
            at(13, thread: 3, .runEnded(task(2), .init(awaits: .continuation, place: "fetch(_:)"))))
        #expect(loop.origins(at: 9_000_000_000).isEmpty && loop.hazards(at: 9_000_000_000).isEmpty)
        let missed = suspended().findings(at: 9_000_000_000, missed: 1)
        #expect(missed.origins().isEmpty && missed.ruleHazards().isEmpty)
    }

    @Test("tasks that await each other are a deadlock at once")
    func circle() throws {
        let run = suspended(
            at(11, .taskEnqueued(task(2), executor: nil, by: nil, after: .continuation)),
            at(12, thread: 3, begun(2, on: 3)),
            at(13, thread: 3, .runEnded(task(2), .init(awaits: .task, task: task(1)))))
        let origin = try #require(run.origins(at: 20_000_000).first)
        #expect(origin.isDeadlock)
        #expect(origin.sentence == "task 1 awaits task 2 awaits task 1: none of them can go on")
        #expect(run.hazards(at: 20_000_000).map(\.rule) == ["await-circle"])
    }

    @Test("a circle of an operation and tasks is one line of the screen, with all of them")
    func mixedCircle() throws {
        let sender = LogEvent.TaskCreation(
            task: task(2), kind: "send()", creation: .unstructured, parent: OperationID(1), priority: 21,
            isQueued: true)
        let run = LiveRun(
            at(0, .executorOpened(cache, .actor, name: "Cache")), at(0, .opened(1, "main")),
            at(0, thread: 1, created(1)), at(1, thread: 2, .runBegan(task(1), executor: cache, name: nil)),
            at(2, thread: 2, .enqueued(1, "upload")), at(2, thread: 2, .ready(1)),
            at(3, thread: 2, .waitBegan(.operation(OperationID(1)), by: nil)),
            at(4, thread: 3, .executing(1)), at(5, thread: 3, .taskCreated(sender)),
            at(6, thread: 4, .runBegan(task(2), executor: nil, name: nil)),
            at(7, thread: 4, .runEnded(task(2), .init(awaits: .executor, executor: cache))))
        #expect(run.origins(at: 900_000_000).isEmpty)
        #expect(
            run.origins(at: 2_004_000_000).map(\.sentence) == [
                "upload is still executing, after 2.00 s on thread 3; it created task send(), send() needs "
                    + "actor Cache, which load() has, load() blocks its thread until upload finishes: a "
                    + "deadlock if upload waits for send()"
            ])
    }

    @Test(
        "a pool whose every thread is blocked in a task while others are ready is named after half a second")
    func blockedPool() throws {
        let pool = QueueID(7)
        var run = LiveRun(at(0, .executorOpened(pool, .pool, name: "global executor")))
        for number in 1...4 as ClosedRange<UInt64> {
            run.take(at(0, created(number)))
            if number <= 2 { run.take(at(1, thread: number, begun(number, on: number, pool))) }
        }
        let machine = FakeMachine()
        var threads = PoolThreads()
        func look() { threads.look(at: run.state.tasks, of: 4711, machine.system) }
        func hazard(_ time: Int64, processors: Int? = 2) -> String? {
            threads.hazard(run.state.tasks, processors: processors, at: time) { [texts = run.texts] in
                texts[LiveTexts.plain($0)]
            }?.summary
        }
        machine.pass(100, [1: (1, 0, "futex_do_wait"), 2: (1, 0, "futex_do_wait")])
        look()
        #expect(hazard(600_000_000) == nil, "one look shows nothing")
        machine.now += 100
        look()
        #expect(
            hazard(600_000_000)
                == "both threads of the pool are blocked in tasks: task 1 (in futex_do_wait) and task 2 (in "
                + "futex_do_wait); 2 tasks are ready, the first for 600 ms, and cannot run")
        #expect(hazard(400_000_000) == nil && hazard(600_000_000, processors: 3) == nil)
        #expect(hazard(600_000_000, processors: nil) == nil)
        // One of them was on a processor meanwhile.
        machine.pass(100, [1: (1, 0, "futex_do_wait")])
        look()
        #expect(hazard(600_000_000) == nil)
    }

    @Test("the JSON has the tasks, what everything waits for, and the hazards")
    func json() throws {
        let bytes = LiveScreen(suspended().picture(at: 6_000_000_000)).json
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        #expect(object["format"] as? String == "opviz-watch" && object["atNs"] as? Int == 6_000_000_000)
        let origin = try #require((object["waitsFor"] as? [[String: Any]])?.first)
        #expect(origin["operation"] as? String == "\(task(2))" && origin["waiting"] as? Int == 1)
        let hazard = try #require((object["hazards"] as? [[String: Any]])?.first)
        #expect(hazard["rule"] as? String == "lost-continuation")
        let tasks = try #require(object["tasks"] as? [String: Any])
        #expect(
            (tasks["parts"] as? [[String: Any]])?.compactMap { $0["part"] as? String } == [
                "awaitingTask", "awaitingContinuation",
            ])
        let service = LiveScreen(LiveRun.inTrouble().picture(at: 12_000_000_000)).json
        let trouble = try #require(try JSONSerialization.jsonObject(with: Data(service)) as? [String: Any])
        #expect((trouble["queues"] as? [[String: Any]])?.count == 4 && trouble["tasks"] == nil)
        #expect((trouble["executingOperations"] as? [[String: Any]])?.count == trouble["executing"] as? Int)
        #expect((trouble["waitsFor"] as? [[String: Any]])?.first?["isDeadlock"] as? Bool == true)
    }

    @Test("a program without tasks has no line about them")
    func none() { #expect(LiveRun.inTrouble().picture().tasks == nil) }
}
