import InspectorHazards
import TestTraces
import Testing

@Suite("Hazards of single operations, and of cancellation")
struct HazardTransitionTests {
    @Test("finished-before-start is found where another operation had the only slot")
    func finishedBeforeStart() {
        func finished(at time: Int64) -> Trace {
            trace(limit: 1) {
                op("A", ready: 0, start: ms(1), finish: ms(100))
                op("B", ready: 0, finish: time, outcome: .cancelled)
            }.cancelling("B", at: ms(40))
        }
        #expect(findings("finished-before-start", in: finished(at: ms(50))).map(\.operations) == [[1]])
        #expect(findings("finished-before-start", in: finished(at: ms(101))).isEmpty)
    }

    @Test("finished-before-start is found where the queue was suspended, or a dependency had not finished")
    func finishedWithoutTurn() {
        let suspended = trace(suspensions: [0..<ms(100)]) {
            op("A", ready: 0, finish: ms(50), outcome: .cancelled)
        }
        #expect(findings("finished-before-start", in: suspended).count == 1)
        let waiting = trace {
            op("A", ready: 0, start: ms(1), finish: ms(100))
            op("B", finish: ms(50)).after("A")
        }
        #expect(findings("finished-before-start", in: waiting).map(\.operations) == [[1]])
        // Cancelled, it waits for nothing.
        #expect(findings("finished-before-start", in: waiting.cancelling("B", at: ms(10))).isEmpty)
        let unproved = trace { op("A", ready: 0, finish: ms(50)) }
        #expect(isUndecided("finished-before-start", in: unproved))
    }

    @Test("started-after-finish is found in a log's times, or where a thread waits for ever")
    func startedAfterFinish() {
        #expect(
            findings("started-after-finish", in: trace { op("A", ready: 0, start: ms(60), finish: ms(50)) })
                .count
                == 1)
        let whole = trace(lastAlive: ms(500)) { op("A", ready: 0, start: ms(10), finish: ms(50)) }
        #expect(findings("started-after-finish", in: whole).isEmpty)
        #expect(findings("started-after-finish", in: whole.waiting(nil, for: "A", from: ms(5))).count == 1)
        #expect(
            findings("started-after-finish", in: whole.waiting(nil, for: "A", from: ms(5), to: ms(51)))
                .isEmpty)
    }

    @Test(
        "double-start and double-finish are found in logs that hold a transition twice",
        arguments: [
            ("double-start", Trace.RepeatedTransition.Transition.executing), ("double-finish", .finished),
        ])
    func repeated(rule: String, transition: Trace.RepeatedTransition.Transition) throws {
        let once = trace { op("A", ready: 0, start: 1, finish: 2) }
        #expect(findings(rule, in: once).isEmpty)
        #expect(!isUndecided(rule, in: once), "no log of the recorder could show it")
        let events: [LogEvent.Body] = [
            .queueOpened(QueueID(1), name: "q", limit: 1, isSuspended: false),
            .enqueued(.init(operation: OperationID(1), kind: "A", queue: QueueID(1))),
            .executing(OperationID(1)), .finished(OperationID(1), .succeeded),
            transition == .executing ? .executing(OperationID(1)) : .finished(OperationID(1), .succeeded),
        ]
        let twice = Trace(
            EventLogContents(
                header: once.header,
                events: events.enumerated().map { LogEvent(time: Int64($0.offset), thread: 1, $0.element) }))
        #expect(twice.repeatedTransitions == [.init(transition: transition, operation: 0, time: 4)])
        #expect(findings(rule, in: twice).map(\.operations) == [[0]])
    }

    @Test("ran-while-cancelled is found where an operation was cancelled well before its start")
    func ranWhileCancelled() {
        let early = trace { op("A", ready: 0, start: ms(30), finish: ms(40)) }.cancelling("A", at: ms(1))
        #expect(findings("ran-while-cancelled", in: early).map(\.cost) == [ms(10)])
        let late = early.cancelling("A", at: ms(35))
        #expect(findings("ran-while-cancelled", in: late).isEmpty)
        let close = early.cancelling("A", at: ms(29))
        #expect(findings("ran-while-cancelled", in: close).isEmpty)
        #expect(isUndecided("ran-while-cancelled", in: close))
        let suspended = close.with { $0.queues[0].suspensions = [0..<ms(29) + 1] }
        #expect(findings("ran-while-cancelled", in: suspended).count == 1)
    }

    @Test("ran-while-cancelled is found where the whole queue was cancelled, and an operation was not")
    func cancelledWithoutSuper() {
        let whole = trace { op("A", ready: 0, start: ms(30), finish: ms(60)) }
        #expect(
            findings("ran-while-cancelled", in: whole.with { $0.queues[0].cancellations = [ms(1)] }).count
                == 1)
        #expect(
            findings("ran-while-cancelled", in: whole.with { $0.queues[0].cancellations = [ms(35)] }).count
                == 1)
        #expect(
            findings("ran-while-cancelled", in: whole.with { $0.queues[0].cancellations = [ms(61)] }).isEmpty)
        let told = whole.cancelling("A", at: ms(36)).with { $0.queues[0].cancellations = [ms(35)] }
        #expect(findings("ran-while-cancelled", in: told).isEmpty)
    }

    @Test("cancel-not-propagated is found where a child starts uncancelled after its parent was cancelled")
    func cancelNotPropagated() {
        let group = trace {
            op("group", ready: 0, start: 1, finish: ms(90))
            op("first", enqueued: 2, ready: 2, start: 3, finish: ms(40)).inside("group")
            op("second", enqueued: 2, ready: ms(41), start: ms(41), finish: ms(90)).inside("group").after(
                "first")
        }.cancelling("group", at: ms(10))
        #expect(isUndecided("cancel-not-propagated", in: group), "the second may be what finishes the group")
        let three = group.withDrafts {
            var third = $0[2]
            third.name = "third"
            $0.append(third)
        }
        #expect(findings("cancel-not-propagated", in: three).map(\.operations) == [[0, 2], [0, 3]])
        let told = three.cancelling("third", at: ms(11)).cancelling("second", at: ms(11))
        #expect(findings("cancel-not-propagated", in: told).isEmpty)
    }

    @Test("slow-to-cancel is found where a cancelled operation continues for more than a second")
    func slowToCancel() {
        let slow = trace { op("A", ready: 0, start: 1, finish: ms(1200)) }.cancelling("A", at: ms(100))
        #expect(findings("slow-to-cancel", in: slow).map(\.cost) == [ms(1100)])
        #expect(findings("slow-to-cancel", in: slow.cancelling("A", at: ms(900))).isEmpty)
    }
}
