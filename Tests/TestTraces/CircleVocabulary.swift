package import EventLog
package import InspectorTraces

/// Builds traces in which operations and Swift tasks wait for each other in circles.
package protocol CircleVocabulary {}

extension CircleVocabulary {
    package typealias Event = (time: Int64, thread: UInt64, body: LogEvent.Body)

    package var pool: QueueID { QueueID(1) }
    package var main: QueueID { QueueID(2) }
    package var cache: QueueID { QueueID(3) }
    package var uploads: QueueID { QueueID(4) }
    package var mainQueue: QueueID { QueueID(5) }
    package var upload: OperationID { OperationID(1) }

    package func task(_ number: UInt64) -> OperationID { OperationID(1 << 40 + number) }

    package func created(
        _ time: Int64, _ number: UInt64, _ name: String, by parent: OperationID? = nil,
        _ creation: LogEvent.Creation = .unstructured
    ) -> Event {
        (
            time, 1,
            .taskCreated(
                .init(
                    task: task(number), kind: name, creation: creation, parent: parent, priority: 21,
                    isQueued: true))
        )
    }

    package func begun(_ time: Int64, _ number: UInt64, on thread: UInt64, _ executor: QueueID) -> Event {
        (time, thread, .runBegan(task(number), executor: executor, name: nil))
    }

    package func ended(
        _ time: Int64, _ number: UInt64, on thread: UInt64, _ suspension: LogEvent.Suspension
    ) -> Event {
        (time, thread, .runEnded(task(number), suspension))
    }

    package func added(
        _ time: Int64, _ operation: OperationID, _ name: String, to queue: QueueID,
        after dependencies: [OperationID] = []
    ) -> [Event] {
        let enqueue = LogEvent.Enqueue(
            operation: operation, kind: "Work", name: name, queue: queue, dependencies: dependencies)
        let isReady = dependencies.isEmpty
        return [(time, 1, .enqueued(enqueue))] + (isReady ? [(time, 1, .ready(operation))] : [])
    }

    /// - Parameter times: in milliseconds.
    package func trace(
        isClosed: Bool = false, dropped: UInt64 = 0, end: Int64 = 3_000, _ times: [Event]
    ) -> Trace {
        let opened: [Event] = [
            (0, 1, .executorOpened(pool, .pool, name: "pool")),
            (0, 1, .executorOpened(main, .main, name: "main actor")),
            (0, 1, .executorOpened(cache, .actor, name: "Cache")),
            (0, 1, .queueOpened(uploads, name: "uploads", limit: 1, isSuspended: false)),
            (
                0, 1,
                .queueOpened(mainQueue, name: "NSOperationQueue Main Queue", limit: 1, isSuspended: false)
            ),
        ]
        let events = (opened + times).enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        return Trace(
            EventLogContents(
                header: LogHeader(
                    process: "x", processID: 1, host: "h", start: 5, droppedEvents: dropped,
                    isClosed: isClosed, lastAlive: ms(end)),
                events: events.map {
                    LogEvent(time: ms($0.element.time), thread: $0.element.thread, $0.element.body)
                }))
    }

    /// `fill()` and `load()` await each other, and `show()` the first of them.
    package var awaitCircle: [Event] {
        [
            created(0, 1, "show()"), begun(0, 1, on: 1, pool), created(1, 2, "fill()", by: task(1)),
            ended(2, 1, on: 1, .init(awaits: .task, task: task(2))),
            begun(3, 2, on: 2, pool), created(3, 3, "load()", by: task(2)),
            ended(4, 2, on: 2, .init(awaits: .task, task: task(3))),
            begun(5, 3, on: 3, pool), ended(6, 3, on: 3, .init(awaits: .task, task: task(2))),
        ]
    }

    /// A task on an actor blocks its thread until an operation finishes, which created a task that needs the
    /// actor.
    package func actorCircle(
        blocks: Bool = true, returns: Bool = false, needs executor: QueueID? = nil
    ) -> [Event] {
        var events = [created(0, 1, "flush()"), begun(1, 1, on: 2, cache)]
        events += added(2, upload, "upload", to: uploads)
        if blocks { events.append((3, 2, .waitBegan(.queue(uploads), by: nil))) }
        events += [
            (4, 3, .executing(upload)), created(5, 2, "sender()", by: upload), begun(6, 2, on: 4, pool),
            ended(7, 2, on: 4, .init(awaits: .executor, executor: executor ?? cache)),
        ]
        if returns { events.append((8, 3, .bodyEnded(upload))) }
        return events
    }

    /// A task on the main actor blocks its thread until an operation finishes that depends on one of the main
    /// queue.
    package func mainActorCircle() -> [Event] {
        var events = [created(0, 1, "show()"), begun(1, 1, on: 1, main)]
        events += added(2, upload, "upload", to: uploads)
        events += added(2, OperationID(2), "refresh", to: mainQueue, after: [])
        events += added(2, OperationID(3), "index", to: uploads, after: [OperationID(2)])
        events += [
            (3, 1, .waitBegan(.operation(OperationID(3)), by: nil)), (4, 3, .executing(upload)),
            (5, 3, .finished(upload, .succeeded)),
        ]
        return events
    }
}
