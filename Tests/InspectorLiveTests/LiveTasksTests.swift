import EventLog
import TestTraces
import Testing

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

    @Test("a program without tasks has no line about them")
    func none() { #expect(LiveRun.inTrouble().picture().tasks == nil) }
}
