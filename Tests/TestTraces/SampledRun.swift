package import EventLog
package import InspectorTraces

/// A log with samples of stacks, in the words of a test:
///
///     var run = SampledRun(rate: 1000)
///     run.execute("Decode", 0..<50, thread: 7)
///     run.sample(["main", "decode", "inflate"], 3, at: 10, thread: 7)
///
/// Times are milliseconds.
package struct SampledRun {
    package private(set) var events: [LogEvent] = []
    private var stacks: [[String]: Int64] = [:]
    private var operations: UInt64 = 0

    package init(rate: Int = 1000, lost: Int64 = 0, withoutCallers: String? = nil) {
        events.append(
            LogEvent(
                time: 0, thread: 0,
                .sampling(perSecond: rate, lost: lost, withoutCallers: withoutCallers)))
        events.append(
            LogEvent(time: 0, thread: 1, .queueOpened(QueueID(1), name: "", limit: -1, isSuspended: false)))
    }

    package mutating func execute(
        _ kind: String, name: String? = nil, _ range: Range<Int64>, thread: UInt64
    ) {
        operations += 1
        let id = OperationID(operations)
        let (start, end) = (range.lowerBound * 1_000_000, range.upperBound * 1_000_000)
        events.append(
            LogEvent(
                time: start, thread: thread,
                .enqueued(LogEvent.Enqueue(operation: id, kind: kind, name: name, queue: QueueID(1)))))
        events.append(LogEvent(time: start, thread: thread, .ready(id)))
        events.append(LogEvent(time: start, thread: thread, .executing(id)))
        events.append(LogEvent(time: end, thread: thread, .finished(id, .succeeded)))
    }

    /// Samples of a stack, the outermost function first, one each millisecond. A function may be followed by
    /// `@` and its file.
    package mutating func sample(
        _ stack: [String], _ count: Int64 = 1, at time: Int64, thread: UInt64,
        _ state: LogEvent.SampledState = .executing
    ) {
        let number = define(stack)
        for index in 0..<count {
            events.append(
                LogEvent(time: (time + index) * 1_000_000, thread: thread, .sampled(stack: number, state)))
        }
    }

    /// The thread was on a processor for so long until then.
    package mutating func leaveCPU(
        at time: Int64, after length: Int64, _ departure: LogEvent.Departure = .blocked, thread: UInt64
    ) {
        events.append(
            LogEvent(
                time: time * 1_000_000, thread: thread,
                .leftCPU(afterNanoseconds: length * 1_000_000, departure)))
    }

    private mutating func define(_ stack: [String]) -> Int64 {
        if let known = stacks[stack] { return known }
        let caller = stack.count > 1 ? define(Array(stack.dropLast())) : nil
        let parts = (stack.last ?? "").split(separator: "@")
        let number = Int64(stacks.count + 1)
        stacks[stack] = number
        events.append(
            LogEvent(
                time: 0, thread: 0,
                .frame(
                    stack: number, caller: caller, function: parts.first.map { String($0) } ?? "",
                    module: parts.count > 1 ? String(parts[1]) : "app")))
        return number
    }

    package var contents: EventLogContents {
        let sorted = events.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        return EventLogContents(
            header: LogHeader(
                process: "app", processID: 1, host: "box", start: 0, isClosed: true,
                lastAlive: sorted.last?.time ?? 0),
            events: sorted)
    }

    package var trace: Trace { Trace(contents) }

    /// From the start of a thread to an operation's `main`, as Foundation's frames are.
    package static let start = [
        "clone3@libc.so.6", "start_thread@libc.so.6", "_dispatch_worker_thread@libdispatch.so",
        "OperationQueue._execute(_:)@libFoundation.so", "Operation.start()@libFoundation.so",
    ]
}
