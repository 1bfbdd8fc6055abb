import Inspector
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

    @Test("has every transition of an operation, and the thread it executed on")
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

    @Test("keeps what the log says first, and counts what contradicts it")
    func contradictions() {
        let trace = trace(
            enqueued(a), enqueued(a), .executing(a), .executing(a), .finished(a, .succeeded),
            .finished(a, .cancelled))
        #expect(trace.operations.count == 1)
        #expect(trace.operations[0].executing == TraceMoment(2))
        #expect(trace.operations[0].outcome == .succeeded)
        #expect(
            trace.losses == [
                "3 events contradict earlier ones (an operation enqueued, started or finished twice) and were left out"
            ])
    }

    @Test("has each edge once, and none from an operation to itself")
    func edges() {
        let trace = trace(
            enqueued(a), enqueued(b, after: [a, a, b]), .dependencyAdded(b, predecessor: a),
            .dependencyAdded(b, predecessor: c))
        #expect(
            trace.edges == [
                Trace.Edge(predecessor: 0, successor: 1), Trace.Edge(predecessor: 2, successor: 1),
            ])
    }

    @Test("forgets an edge that was taken back before the start, and not after it")
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

    @Test("has the times in which a queue was suspended, to the end of the log where it still is")
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

    @Test("knows the parent of an operation, which is never itself")
    func parents() {
        let trace = trace(enqueued(a, parent: a), enqueued(b, parent: a))
        #expect(trace.operations.map(\.parent) == [nil, 0])
    }

    @Test("names an operation that was only sighted, without an enqueue")
    func sighted() {
        let trace = trace(.sighted(a, kind: "Other", name: "n"), enqueued(b, after: [a]))
        #expect(trace.operations[0].kind == "Other" && trace.operations[0].name == "n")
        #expect(trace.operations[0].enqueued == nil)
    }
}
