package import EventLog
package import InspectorTraces

/// A run of two operations and two Swift tasks, in nanoseconds.
///
/// An operation, `request`, creates a task, `load`, which enqueues an operation, `fetch`, and awaits its
/// continuation; `fetch` resumes it. Then `load` waits for an actor that the task `other` has, and finishes
/// `request`.
package enum MixedTrace {
    package static let load = OperationID(1 << 40)
    package static let other = OperationID(1 << 40 + 1)
    package static let request = OperationID(1)
    package static let fetch = OperationID(2)
    private static let cache = QueueID(9)
    package static let header = LogHeader(
        process: "x", processID: 1, host: "h", start: 5, isClosed: true)

    /// With the tasks as operations: `request`, `fetch`, `load`, `other`.
    package static var trace: Trace { trace(of: events).withTasks() }

    /// The same with the tasks apart, as a reader gives it.
    package static var untouched: Trace { trace(of: events) }

    /// The same without `other`.
    package static var withoutOtherTask: Trace { trace(of: events.filter { $0.thread != 5 }).withTasks() }

    private static func trace(of events: [LogEvent]) -> Trace {
        Trace(EventLogContents(header: header, events: events))
    }

    package static var events: [LogEvent] {
        bodies.map { LogEvent(time: $0.time, thread: $0.thread, $0.body) }
    }

    private static var bodies: [(time: Int64, thread: UInt64, body: LogEvent.Body)] {
        [
            (0, 1, .enqueued(.init(operation: request, kind: "Request", queue: QueueID(1)))),
            (0, 1, .ready(request)), (10, 2, .executing(request)),
            (
                20, 2,
                .taskCreated(
                    .init(
                        task: load, kind: "load()", creation: .unstructured, parent: request, priority: 21,
                        isQueued: true))
            ),
            (22, 2, .executorOpened(cache, .actor, name: "Cache")),
            (30, 3, .runBegan(load, executor: nil, name: nil)),
            (35, 3, .enqueued(.init(operation: fetch, kind: "Fetch", queue: QueueID(1)))),
            (35, 3, .ready(fetch)), (40, 3, .runEnded(load, .init(awaits: .continuation))),
            (50, 4, .executing(fetch)),
            (
                60, 5,
                .taskCreated(
                    .init(task: other, kind: "other()", creation: .unstructured, priority: 21, isQueued: true)
                )
            ),
            (80, 5, .runBegan(other, executor: nil, name: nil)),
            (85, 5, .taskMoved(other, executor: cache)),
            (90, 4, .taskEnqueued(load, executor: nil, by: fetch, after: .continuation)),
            (95, 3, .runBegan(load, executor: nil, name: nil)), (100, 4, .finished(fetch, .succeeded)),
            (105, 3, .runEnded(load, .init(awaits: .executor, executor: cache))),
            (105, 3, .taskEnqueued(load, executor: cache, by: load, after: .executor)),
            (120, 5, .finished(other, .succeeded)),
            (125, 3, .runBegan(load, executor: cache, name: nil)),
            (148, 3, .finished(request, .succeeded)), (150, 3, .finished(load, .succeeded)),
        ]
    }
}
