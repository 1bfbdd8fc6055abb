package import EventLog
package import InspectorAnalysis

/// A log of a process that a test makes up. Times are nanoseconds since its start.
package struct MadeUpLog {
    package var header: LogHeader
    package var events: [LogEvent] = []

    /// - Parameters:
    ///   - start: wall-clock time, in nanoseconds since an hour that the logs of a test have in common.
    ///   - monotonic: of the machine's clock at the start; nil for a log that does not say.
    package init(
        _ process: String, pid: Int32, host: String = "box", start: Int64 = 0, monotonic: UInt64? = nil,
        boot: UInt64 = 1
    ) {
        header = LogHeader(
            process: process, processID: pid, host: host, start: 1_795_000_000_000_000_000 + start,
            bootClock: monotonic.flatMap { monotonic in
                BootID(high: boot, low: 0).map { BootClock(boot: $0, monotonic: monotonic) }
            }, isClosed: true)
    }

    /// An operation that became ready when it started, and was enqueued then or before.
    package mutating func run(
        _ id: UInt64, _ name: String, enqueued: Int64? = nil, from start: Int64, to end: Int64,
        after predecessor: UInt64? = nil, parent: UInt64? = nil
    ) {
        let operation = OperationID(id)
        add(
            enqueued ?? start,
            .enqueued(
                .init(
                    operation: operation, kind: "Work", name: name, queue: QueueID(1),
                    parent: parent.map { OperationID($0) },
                    dependencies: predecessor.map { [OperationID($0)] } ?? [])))
        add(start, .ready(operation))
        add(start, .executing(operation))
        add(end, .finished(operation, .succeeded))
    }

    package mutating func send(_ id: UInt64, at time: Int64) { add(time, .contextSent(OperationID(id))) }

    /// Without an operation, the process received it.
    package mutating func receive(_ traceparent: String, for id: UInt64? = nil, at time: Int64) {
        add(time, .contextReceived(id.map { OperationID($0) }, traceparent: traceparent))
    }

    package mutating func add(_ time: Int64, _ body: LogEvent.Body) {
        events.append(LogEvent(time: time, thread: 7, body))
    }

    /// What the process sends of its operation.
    package func traceparent(_ id: UInt64) -> String {
        let identifiers = SpanIdentifiers(
            host: header.host, process: header.process, processID: header.processID, start: header.start)
        return TraceContext(identifiers.span(id)).traceparent
    }

    /// In the order of their times, as a log has them.
    package var contents: EventLogContents {
        var header = header
        let ordered = events.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        header.lastAlive = ordered.last?.element.time ?? 0
        return EventLogContents(header: header, events: ordered.map(\.element))
    }
}

package func merged(_ logs: MadeUpLog...) throws -> TraceMerge {
    try TraceMerge(logs.map { (path: "\($0.header.process).optrace", contents: $0.contents) })
}

/// A client whose operation `fetch` waits for `serve` of a server, which has another clock, and for what that
/// added.
package func clientAndServer(serverStart: Int64 = 1_000) -> (client: MadeUpLog, server: MadeUpLog) {
    var client = MadeUpLog("client", pid: 100)
    client.add(0, .queueOpened(QueueID(1), name: "requests", limit: 2, isSuspended: false))
    client.run(1, "prepare", from: 0, to: 1_000)
    client.run(2, "fetch", enqueued: 10, from: 1_000, to: 9_000, after: 1)
    client.run(3, "show", enqueued: 20, from: 9_000, to: 10_000, after: 2)
    client.send(2, at: 2_000)
    var server = MadeUpLog("server", pid: 200, start: serverStart)
    server.add(0, .queueOpened(QueueID(1), name: "requests", limit: 2, isSuspended: false))
    server.receive(client.traceparent(2), for: 1, at: 2_000)
    server.run(1, "serve", from: 2_000, to: 6_000)
    server.run(2, "read", from: 3_000, to: 5_000, parent: 1)
    return (client, server)
}
