import EventLog

/// A run with more kinds, queues, actors or tasks than fit into an output, or with longer names: its
/// operations execute one after the other, each a dependency of the next.
struct CrowdedRun {
    var operations = 1000
    var kinds = 3
    var queues = 1
    var tasks = 0
    /// Of kinds, operations, queues, functions and the program, in letters.
    var nameLength = 8
    /// Of this many operations, one fails, and one never finishes.
    var failures = 13
    /// How many functions are sampled in each operation.
    var functions = 0

    private static let step: Int64 = 10_000
    /// The first of this many operations depends on nothing.
    private static let chain = 100
    private static let firstTask: UInt64 = 1 << 40

    /// In the order of time.
    var contents: EventLogContents {
        var events: [LogEvent] = []
        func add(_ time: Int64, _ thread: UInt64, _ body: LogEvent.Body) {
            events.append(LogEvent(time: time, thread: thread, body))
        }
        if functions > 0 { addFunctions(add) }
        for queue in 1...UInt64(queues) {
            add(
                0, 1,
                .queueOpened(
                    QueueID(queue), name: name("queue", Int(queue)), limit: Int(queue % 3) + 1,
                    isSuspended: false))
        }
        for index in 0..<operations { addOperation(index, add) }
        for index in 0..<tasks { addTask(index, add) }
        let order = events.indices.sorted { (events[$0].time, $0) < (events[$1].time, $1) }
        return EventLogContents(
            header: LogHeader(
                process: name("program", 0), processID: 7, host: "box", start: 5, isClosed: true),
            events: order.map { events[$0] })
    }

    private func name(_ word: String, _ number: Int) -> String {
        let name = "\(word) \(number)"
        return name + String(repeating: "x", count: max(0, nameLength - name.count))
    }

    private func addFunctions(_ add: (Int64, UInt64, LogEvent.Body) -> Void) {
        add(0, 0, .sampling(perSecond: 1000, lost: 0, withoutCallers: nil))
        for function in 1...Int64(functions) {
            add(
                0, 0,
                .frame(
                    stack: function, caller: nil, function: name("function", Int(function)), module: "app"))
        }
    }

    private func addOperation(_ index: Int, _ add: (Int64, UInt64, LogEvent.Body) -> Void) {
        let (operation, start) = (OperationID(UInt64(index) + 1), Int64(index) * Self.step)
        let thread = UInt64(index % 4) + 2
        add(
            min(start, Int64(index / 2) * Self.step), 1,
            .enqueued(
                .init(
                    operation: operation, kind: name("Kind", index % kinds), name: name("operation", index),
                    queue: QueueID(UInt64(index % queues) + 1),
                    dependencies: index % Self.chain == 0 ? [] : [OperationID(UInt64(index))])))
        add(start, 1, .ready(operation))
        add(start + 500, thread, .executing(operation))
        let end = start + 8_000 + Int64(index * 7919 % 1500)
        if functions > 0 {
            add(end - 10, thread, .sampled(stack: Int64(index % functions) + 1, .executing))
        }
        if index % failures == 6, index + 1 < operations, (index + 1) % Self.chain == 0 { return }
        let isFailed = index % failures == 5
        add(end, thread, .finished(operation, isFailed ? .failed(message: name("error", index)) : .succeeded))
    }

    /// Each waits for an actor of its own.
    private func addTask(_ index: Int, _ add: (Int64, UInt64, LogEvent.Body) -> Void) {
        let task = OperationID(Self.firstTask + UInt64(index))
        let (start, thread) = (Int64(index) * Self.step / 2, UInt64(index % 4) + 10)
        let actor = QueueID(UInt64(queues + 1 + index))
        add(start, 1, .executorOpened(actor, .actor, name: name("Actor", index)))
        add(
            start, 1,
            .taskCreated(
                .init(
                    task: task, kind: name("function", index), creation: .unstructured, priority: 21,
                    isQueued: true)))
        add(start + 10, thread, .runBegan(task, executor: nil, name: nil))
        add(start + 1000, thread, .runEnded(task, .init(awaits: .executor, executor: actor)))
        add(start + 1000, thread, .taskEnqueued(task, executor: actor, by: task, after: .executor))
        add(start + 1200, thread, .runBegan(task, executor: actor, name: nil))
        add(start + 4000, thread, .finished(task, .succeeded))
    }
}
