import InspectorTraces
import TestTraces
import Testing

@Suite("A trace made of events")
struct TraceBuilderTests {
    private let a = OperationID(1)
    private let b = OperationID(2)
    private let c = OperationID(3)
    private let queue = QueueID(1)

    private func trace(lastAlive: Int64 = 0, _ bodies: LogEvent.Body...) -> Trace {
        let header = LogHeader(
            process: "x", processID: 1, host: "h", start: 0, isClosed: true, lastAlive: lastAlive)
        // One nanosecond after the other.
        let events = bodies.enumerated().map { LogEvent(time: Int64($0.offset), thread: 4, $0.element) }
        return Trace(EventLogContents(header: header, events: events))
    }

    private func enqueued(
        _ id: OperationID, after dependencies: [OperationID] = [], parent: OperationID? = nil
    )
        -> LogEvent.Body
    {
        .enqueued(
            .init(
                operation: id, kind: "K", name: nil, queue: queue, parent: parent, dependencies: dependencies)
        )
    }

    @Test("a trace made of events has every transition of an operation, and the thread it executed on")
    func transitions() {
        let trace = trace(
            enqueued(a), .ready(a), .executing(a), .cancelled(a), .finished(a, .failed(message: "m")))
        let operation = trace.operations[0]
        #expect(operation.enqueued == TraceMoment(0) && operation.ready == TraceMoment(1))
        #expect(operation.executing == TraceMoment(2) && operation.cancelled == TraceMoment(3))
        #expect(operation.finished == TraceMoment(4) && operation.outcome == .failed(message: "m"))
        #expect(operation.thread == 4)
        #expect(trace.losses.isEmpty)
    }

    @Test("a trace made of events keeps what the log says first, and counts what contradicts it")
    func contradictions() {
        let trace = trace(
            enqueued(a), enqueued(a), .executing(a), .executing(a), .finished(a, .succeeded),
            .finished(a, .cancelled))
        #expect(trace.operations.count == 1)
        #expect(trace.operations[0].executing == TraceMoment(2))
        #expect(trace.operations[0].outcome == .succeeded)
        #expect(
            trace.losses == [
                "3 events contradict earlier ones (an operation enqueued, started or finished twice) and "
                    + "were left out"
            ])
    }

    @Test("a trace made of events has each edge once, but not from an operation to itself")
    func edges() {
        let trace = trace(
            enqueued(a), enqueued(b, after: [a, a, b]), .dependencyAdded(b, predecessor: a),
            .dependencyAdded(b, predecessor: c))
        #expect(
            trace.edges == [
                Trace.Edge(predecessor: 0, successor: 1), Trace.Edge(predecessor: 2, successor: 1),
            ])
    }

    @Test("a trace made of events forgets an edge that was taken back before the start, and not after it")
    func removedEdges() {
        #expect(
            trace(enqueued(a), enqueued(b, after: [a]), .dependencyRemoved(b, predecessor: a)).edges.isEmpty)
        #expect(
            trace(
                enqueued(a), enqueued(b, after: [a]), .dependencyRemoved(b, predecessor: a),
                .dependencyAdded(b, predecessor: a)
            ).edges.count == 1)
        #expect(
            trace(
                enqueued(a), enqueued(b, after: [a]), .ready(b), .executing(b),
                .dependencyRemoved(b, predecessor: a)
            ).edges.count == 1)
    }

    @Test(
        "a trace made of events has a queue's suspensions, up to the end of the log if it still is suspended")
    func suspensions() {
        let trace = trace(
            lastAlive: 9, .queueOpened(queue, name: "q", limit: 2, isSuspended: true), .resumed(queue),
            .suspended(queue),
            .limitChanged(queue, limit: 1), .queueRenamed(queue, name: "r"), .allCancelled(queue))
        #expect(trace.queues.count == 1)
        #expect(trace.queues[0].name == "r")
        #expect(trace.queues[0].suspensions == [0..<1, 2..<9])
        #expect(trace.queues[0].limits.map(\.limit) == [2, 1])
    }

    @Test("a trace made of events knows the parent of an operation, which is never itself")
    func parents() {
        let trace = trace(enqueued(a, parent: a), enqueued(b, parent: a))
        #expect(trace.operations.map(\.parent) == [nil, 0])
    }

    @Test("a trace made of events names an operation that was only sighted, without an enqueue")
    func sighted() {
        let trace = trace(.sighted(a, kind: "Other", name: "n"), enqueued(b, after: [a]))
        #expect(trace.operations[0].kind == "Other" && trace.operations[0].name == "n")
        #expect(trace.operations[0].enqueued == nil)
    }

    @Test("a trace made of events does not know when an operation that only finished was enqueued or started")
    func finishAlone() {
        let trace = trace(.finished(a, .cancelled))
        #expect(trace.operations.count == 1 && trace.operations[0].kind == "?")
        #expect(trace.operations[0].finished == TraceMoment(0) && trace.operations[0].outcome == .cancelled)
        #expect(trace.operations[0].enqueued == nil && trace.operations[0].ready == nil)
        #expect(trace.operations[0].executing == nil && trace.operations[0].thread == nil)
        #expect(trace.operations[0].queue == nil)
        #expect(trace.losses.isEmpty)
    }

    @Test("a trace made of events keeps the kind, the queue and the edges of the first of two enqueues")
    func enqueuedTwice() {
        let again = LogEvent.Body.enqueued(
            .init(
                operation: b, kind: "L", name: "l", queue: QueueID(2), parent: c, dependencies: [c],
                priority: 8))
        let trace = trace(enqueued(a), enqueued(b, after: [a]), again)
        #expect(trace.operations.map(\.kind) == ["K", "K"] && trace.operations[1].name == nil)
        #expect(trace.operations[1].enqueued == TraceMoment(1) && trace.operations[1].priority == 0)
        #expect(trace.queues.map(\.id) == [queue])
        #expect(trace.edges == [Trace.Edge(predecessor: 0, successor: 1)])
        #expect(trace.losses.count == 1 && trace.losses[0].hasPrefix("1 event contradicts an earlier one"))
    }

    @Test("a trace made of events has predecessors never enqueued, and lets a later enqueue describe them")
    func unknownPredecessor() {
        let sighted = trace(enqueued(b, after: [a]), .sighted(a, kind: "Other", name: nil))
        #expect(sighted.operations.map(\.kind) == ["K", "Other"])
        #expect(sighted.operations[1].enqueued == nil && sighted.operations[1].queue == nil)
        #expect(sighted.edges == [Trace.Edge(predecessor: 1, successor: 0)])
        let late = trace(
            .sighted(a, kind: "Other", name: "n"), enqueued(a), .sighted(a, kind: "Third", name: "m"))
        #expect(late.operations.map(\.kind) == ["K"] && late.operations[0].name == nil)
        #expect(late.losses.isEmpty)
    }

    @Test("a trace made of events does nothing about an edge that is taken back and was never there")
    func removedUnknownEdge() {
        let trace = trace(enqueued(a), enqueued(b, after: [a]), .dependencyRemoved(b, predecessor: c))
        #expect(trace.edges == [Trace.Edge(predecessor: 0, successor: 1)])
        #expect(trace.losses.isEmpty)
    }

    @Test("in a trace made of events, an operation with a new dependency is ready when it becomes so again")
    func readyAgain() {
        let trace = trace(
            enqueued(a), enqueued(b), .ready(b), .dependencyAdded(b, predecessor: a), .ready(b),
            .executing(b),
            .dependencyAdded(b, predecessor: c))
        #expect(trace.operations[1].ready == TraceMoment(4))
        #expect(trace.losses.isEmpty)
    }

    @Test("a trace made of events has one interval for two suspensions, and ignores a resumption alone")
    func nestedSuspensions() {
        let twice = trace(
            .suspended(queue), .suspended(queue), .resumed(queue), .resumed(queue), .suspended(queue))
        #expect(twice.queues[0].suspensions == [0..<2])
        let open = trace(lastAlive: 2, .resumed(queue), .suspended(queue), .ready(a), .ready(b), .ready(c))
        #expect(open.queues[0].suspensions == [1..<4])
    }

    @Test("a trace made of events has the limits of a queue in the order of the log, each with its time")
    func limits() {
        let trace = trace(
            .queueOpened(queue, name: "q", limit: -1, isSuspended: false), .limitChanged(queue, limit: 4),
            .limitChanged(queue, limit: 4), .limitChanged(queue, limit: 0))
        #expect(trace.queues[0].limits.map(\.limit) == [-1, 4, 4, 0])
        #expect(trace.queues[0].limits.map(\.time) == [0, 1, 2, 3])
    }

    @Test("a trace made of events knows a moment as an interval, which never ends before it begins")
    func intervals() {
        let header = LogHeader(process: "x", processID: 1, host: "h", start: 0, isClosed: true)
        let events = [
            LogEvent(time: 9, notBefore: 4, thread: 1, .ready(a)),
            LogEvent(time: 9, notBefore: 12, thread: 1, .ready(b)),
        ]
        let trace = Trace(EventLogContents(header: header, events: events, losses: ["read badly"]))
        #expect(trace.operations[0].ready == TraceMoment(notBefore: 4, notAfter: 9))
        #expect(trace.operations[1].ready == TraceMoment(9))
        #expect(trace.losses == ["read badly"])
    }
}
