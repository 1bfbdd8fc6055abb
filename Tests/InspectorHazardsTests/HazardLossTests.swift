import InspectorHazards
import TestTraces
import Testing

/// Rules that rely on a missing event report nothing if events were dropped.
@Suite("Hazards in a log of which events were dropped")
struct HazardLossTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: String
        let trace: Trace

        var testDescription: String { rule }
    }

    static let cases = [
        Case(
            rule: "never-finished",
            trace: trace(lastAlive: ms(500)) { op("A", ready: 0, start: 1) }),
        Case(
            rule: "self-wait-deadlock",
            trace: trace(lastAlive: ms(900)) {
                op("A", ready: 0, start: 1)
                op("B", ready: 0, start: 1)
            }.waiting("A", for: "B", from: 2).waiting("B", for: "A", from: 2)),
        Case(
            rule: "lost-finisher",
            trace: trace(lastAlive: ms(500)) {
                op("group", ready: 0, start: 1)
                op("step", enqueued: 2, ready: 2, start: 3, finish: ms(10)).inside("group")
            }.leavingBody("group", at: 5)),
        Case(
            rule: "limbo",
            trace: trace(lastAlive: ms(500)) { op("A", ready: 0) }.cancelling("A", at: 1)),
        Case(
            rule: "ready-not-started",
            trace: trace(lastAlive: ms(500)) { op("A", ready: 1) }),
        Case(
            rule: "finished-before-start",
            trace: trace(suspensions: [0..<100]) { op("A", ready: 0, finish: 50, outcome: .cancelled) }),
        Case(
            rule: "ran-while-cancelled",
            trace: trace { op("A", ready: 0, start: ms(30), finish: ms(60)) }.with {
                $0.queues[0].cancellations = [ms(1)]
            }),
        Case(
            rule: "cancel-not-propagated",
            trace: trace {
                op("group", ready: 0, start: 1, finish: ms(90))
                op("step", enqueued: 2, ready: 2, start: ms(50), finish: ms(90)).inside("group")
            }.cancelling("group", at: ms(10))),
        Case(
            rule: "slow-to-cancel",
            trace: trace(lastAlive: ms(2000)) { op("A", ready: 0, start: 1) }.cancelling("A", at: ms(100))),
        Case(
            rule: "late-edge",
            trace: trace(lastAlive: 90) {
                op("A", ready: 0, start: 1)
                op("B", ready: 0, start: 20, finish: 80).after("A")
            }),
    ]

    @Test(
        "a hazard is decided if the log is complete; otherwise the rule says that it cannot decide",
        arguments: cases)
    func loss(_ given: Case) {
        #expect(findings(given.rule, in: given.trace).count == 1)
        let lossy = given.trace.with { $0.header.droppedEvents = 1 }
        #expect(findings(given.rule, in: lossy).isEmpty)
        #expect(isUndecided(given.rule, in: lossy))
    }
}
