import EventLog
import TestTraces
import Testing

@testable import InspectorLive

@Suite("The state of a running program")
struct LiveStateTests {
    private let whole: [LogEvent] = [
        at(1, .enqueued(1, "one")), at(1, .ready(1)), at(2, thread: 5, .executing(1)),
        at(3, thread: 5, .finished(1)), at(3, thread: 5, .bodyEnded(1)),
    ]

    @Test("the state counts an operation where it is, and forgets it when it has finished")
    func life() {
        var run = LiveRun(at(0, .opened(1, "main", limit: 2)))
        var seen: [[Int]] = []
        for event in whole {
            run.take(event)
            let queue = run.state.queues[0]
            seen.append([queue.pending, queue.ready, queue.executing, queue.finished])
        }
        #expect(seen == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]])
        #expect(run.state.operations.count == 0 && run.state.succeeded == 1)
    }

    @Test("the state is the same in any order of an operation's events, except for a readiness too early")
    func anyOrder() {
        for order in Self.orders(whole) {
            var run = LiveRun(at(0, .opened(1, "main", limit: 2)))
            run.take(order)
            #expect(run.state.succeeded == 1 && run.state.repeated.isEmpty, "\(order.map(\.body))")
            #expect(run.state.operations.count == 0)
            let queue = run.state.queues[0]
            #expect([queue.pending, queue.ready, queue.executing, queue.finished] == [0, 0, 0, 1])
        }
    }

    @Test("the state remembers nothing of many events but what is open")
    func memory() {
        var run = LiveRun()
        for number in 1...UInt64(50_000) {
            let time = Int64(number)
            run.take(
                at(time, .enqueued(number, "")), at(time, .ready(number)), at(time, .executing(number)),
                at(time, .finished(number)), at(time, .bodyEnded(number)))
        }
        run.take(at(50_001, .enqueued(50_001, "last")))
        #expect(run.state.operations.count == 1 && run.state.succeeded == 50_000)
    }

    @Test("the state has the reasons for which operations wait, by queue")
    func reasons() {
        let picture = LiveRun.inTrouble().picture()
        let queues = picture.queues.map { [$0.executing, $0.pending, $0.ready] }
        #expect(queues == [[3, 0, 2], [1, 3, 0], [0, 0, 1], [1, 0, 1]])
        #expect(picture.queues.map { $0.suspended != nil } == [false, false, true, false])
        #expect(picture.queues.map(\.lacksSlots) == [true, false, false, true])
        let waits = Dictionary(uniqueKeysWithValues: picture.waitingRows.map { ($0.name, $0.reason) })
        #expect(waits["parse"] == "fetch index" && waits["report"] == "parse and 1 more")
        #expect(waits["welcome"] == "its queue is suspended" && waits["picture 4"] == "a slot")
        #expect(picture.executingRows.first { $0.name == "outer" }?.reason == "inner")
    }

    @Test("the state follows a queue that is resumed, renamed and given other slots")
    func queues() {
        var run = LiveRun(
            at(0, .opened(1, "a", limit: 1, suspended: true)), at(0, .enqueued(1, "x")), at(0, .ready(1)))
        #expect(run.picture().queues[0].suspended == 0)
        run.take(
            at(5, .resumed(QueueID(1))), at(6, .queueRenamed(QueueID(1), name: "b")),
            at(7, .limitChanged(QueueID(1), limit: 9)))
        let queue = run.picture().queues[0]
        #expect(queue.suspended == nil && queue.name == "b" && queue.limit == 9)
    }

    @Test("the state waits for a dependency that came after the enqueue, and no longer for one that went")
    func edges() {
        var run = LiveRun(
            at(0, .opened(1, "main")), at(0, .enqueued(1, "first")), at(0, .enqueued(2, "second")),
            at(1, .ready(2)), at(2, .dependencyAdded(OperationID(2), predecessor: OperationID(1))))
        #expect(run.picture().waitingRows.last?.reason == "first")
        run.take(at(3, .dependencyRemoved(OperationID(2), predecessor: OperationID(1))), at(3, .ready(2)))
        #expect(run.picture().waitingRows.last?.reason == "a thread")
    }

    @Test("the state does not claim to know what operations did while events were missed")
    func loss() {
        var run = LiveRun(at(0, .opened(1, "main")))
        for id in 1...UInt64(4) {
            run.take(at(1, .enqueued(id, "\(id)")), at(1, .ready(id)), at(1, .executing(id)))
        }
        run.state.noteLoss()
        #expect(run.state.count(.executing) == 0 && run.state.count(.lost) == 4)
        run.take(at(9, .finished(1)), at(9, .bodyEnded(2)))
        #expect(run.state.count(.lost) == 2 && run.state.count(.executing) == 1 && run.state.succeeded == 1)
        run.state.noteLoss()
        #expect(
            run.state.count(.lost) == 1 && run.state.operations.count == 1, "what was lost twice is forgotten"
        )
    }

    @Test("the state counts what started before it was watched as executing, without a name")
    func unknownStart() {
        let run = LiveRun(at(1, .executing(5)), at(2, .finished(6)))
        #expect(run.state.count(.executing) == 1)
        #expect(run.picture().executingRows.map(\.name) == ["?"])
    }

    /// All orders.
    private static func orders(_ events: [LogEvent]) -> [[LogEvent]] {
        guard events.count > 1 else { return [events] }
        return events.indices.flatMap { index in
            var rest = events
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }
}
