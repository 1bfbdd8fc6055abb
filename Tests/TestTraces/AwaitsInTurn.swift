package import EventLog
package import InspectorTraces

/// Two Swift tasks, the first of which awaits in `page()` one thing after the other. In nanoseconds.
package enum AwaitsInTurn {
    package static let contents = EventLogContents(
        header: LogHeader(process: "x", processID: 1, host: "h", start: 5, isClosed: true), events: events)

    package static let trace = Trace(contents)

    /// Tasks whose times together exceed every integer.
    package static var longTrace: Trace {
        let events =
            [LogEvent(time: 0, thread: 1, .executorOpened(pool, .pool, name: "pool"))]
            + (1...12).flatMap { task(UInt64($0), [0, 1 << 60], places: []) }
        let header = LogHeader(process: "x", processID: 1, host: "h", start: 5, isClosed: true)
        let inOrder = events.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element)
        return Trace(EventLogContents(header: header, events: inOrder))
    }

    private static let pool = QueueID(1)

    private static var events: [LogEvent] {
        var events = [LogEvent(time: 0, thread: 1, .executorOpened(pool, .pool, name: "pool"))]
        // Three waits of 500, 900 and 400 with 100 of running before each, and one elsewhere.
        events += task(
            1, [0, 100, 600, 700, 1_600, 1_700, 2_100, 2_200, 2_500, 2_600],
            places: ["page()", "page()", "page()", "close()"])
        // A task that awaits something once has nothing to await at once.
        events += task(2, [0, 100, 1_400, 1_500], places: ["page()"])
        return events.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }.map(\.element)
    }

    /// - Parameter times: begin and end of each run.
    private static func task(_ thread: UInt64, _ times: [Int64], places: [String]) -> [LogEvent] {
        let task = OperationID(1 << 40 + thread)
        var events: [LogEvent] = []
        func add(_ time: Int64, _ body: LogEvent.Body, on thread: UInt64) {
            events.append(LogEvent(time: time, thread: thread, body))
        }
        func enqueue(_ time: Int64, after: LogEvent.Awaited) {
            add(time, .taskEnqueued(task, executor: pool, by: nil, after: after), on: 9)
        }
        enqueue(times[0], after: .unknown)
        for run in 0..<times.count / 2 {
            add(times[2 * run], .runBegan(task, executor: pool, name: nil), on: thread)
            let end = times[2 * run + 1]
            guard run < places.count else {
                add(end, .finished(task, .succeeded), on: thread)
                break
            }
            add(end, .runEnded(task, .init(awaits: .continuation, place: places[run])), on: thread)
            enqueue(times[2 * run + 2], after: .continuation)
        }
        return events
    }
}
