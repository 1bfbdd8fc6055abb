package import EventLog
package import InspectorTraces

/// Four operations and when their threads were on processors, in milliseconds: one calculates and is
/// preempted, one sleeps, one is asynchronous, and of one the switches are unknown.
package func switched() -> Trace { Trace(SwitchedLog().contents) }

/// The log of ``switched()``, to be changed.
package struct SwitchedLog {
    private static let ms: Int64 = 1_000_000
    private static let (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (11, 12, 13, 14)
    private let queue = QueueID(1)
    package var events: [LogEvent] = []

    package init() {
        add(0, 1, .queueOpened(queue, name: "work", limit: 3, isSuspended: false))
        add(0, 1, .enqueued(enqueue(1, "calculate")))
        add(0, 1, .enqueued(enqueue(2, "fetch")))
        add(0, 1, .enqueued(enqueue(3, "load", after: 1)))
        add(0, 1, .enqueued(enqueue(4, "store", after: 3)))
        run(1, Self.first, from: 1, to: 41)
        left(Self.first, at: 11, after: 11, .preempted)
        left(Self.first, at: 31, after: 10, .preempted)
        left(Self.first, at: 90, after: 49, .blocked)
        run(2, Self.second, from: 1, to: 61, body: 6)
        left(Self.second, at: 6, after: 6, .blocked)
        run(3, Self.third, from: 41, to: 81)
        left(Self.third, at: 44, after: 4, .blocked)
        left(Self.third, at: 64, after: 2, .blocked)
        left(Self.third, at: 90, after: 11, .unknown)
        add(65, Self.third, .waitedForCPU(nanoseconds: 3 * Self.ms))
        add(85, Self.third, .waitedForCPU(nanoseconds: 0))
        run(4, Self.fourth, from: 81, to: 91)
    }

    package var contents: EventLogContents {
        let header = LogHeader(
            process: "switched", processID: 7, host: "host", start: 0, isClosed: true,
            lastAlive: 91 * Self.ms)
        let ordered = events.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        return EventLogContents(header: header, events: ordered.map(\.element))
    }

    private mutating func add(_ milliseconds: Int64, _ thread: UInt64, _ event: LogEvent.Body) {
        events.append(LogEvent(time: milliseconds * Self.ms, thread: thread, event))
    }

    private func enqueue(_ number: UInt64, _ name: String, after: UInt64? = nil) -> LogEvent.Enqueue {
        LogEvent.Enqueue(
            operation: OperationID(number), kind: "Work", name: name, queue: queue,
            dependencies: after.map { [OperationID($0)] } ?? [])
    }

    /// - Parameter body: when an asynchronous operation's body returns.
    private mutating func run(
        _ number: UInt64, _ thread: UInt64, from start: Int64, to end: Int64, body: Int64? = nil
    ) {
        let id = OperationID(number)
        add(start, thread, .ready(id))
        add(start, thread, .executing(id))
        if let body {
            add(start, thread, .bodyBegan(id))
            add(body, thread, .bodyEnded(id))
        }
        add(end, thread, .finished(id, .succeeded))
    }

    private mutating func left(
        _ thread: UInt64, at end: Int64, after length: Int64, _ departure: LogEvent.Departure
    ) {
        add(end, thread, .leftCPU(afterNanoseconds: length * Self.ms, departure))
    }
}
