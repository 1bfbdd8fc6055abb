import CRecorder
import Dispatch
import Foundation

/// One log while it is written: gives out identifiers, puts events in order, and writes them in the background.
///
/// Whoever appends an event only puts it into a buffer, under a lock; encoding and writing happen on a queue of
/// libdispatch, at most `flushDelay` later.
final class EventLogWriter: Sendable {
    /// How long an event may wait in memory: what a killed process loses.
    private static let flushDelay = DispatchTimeInterval.milliseconds(100)
    /// So many waiting events are written at once.
    private static let flushCount = 8_192
    /// More waiting events than this are dropped and counted: the disk does not keep up.
    private static let waitingLimit = 1_000_000

    private struct Pending {
        var events: [LogEvent] = []
        var droppedEvents: UInt64 = 0
        var isFlushScheduled = false
        var isClosed = false
    }

    private enum Flush { case atOnce, soon }

    let path: String
    let registry = OperationRegistry()
    private let clock: RecorderClock
    private let origin: UInt64
    private let pending = Locked(Pending())
    private let output: LogOutput
    private let queue = DispatchQueue(label: "opviz.recorder", qos: .utility)

    init(path: String, clock: RecorderClock) throws(RecorderError) {
        Fork.watch()
        self.clock = clock
        origin = clock.monotonic()
        output = try LogOutput(path: path, start: clock.wall())
        self.path = output.path
    }

    /// Nanoseconds since the start of the log.
    var now: Int64 { Int64(clamping: clock.monotonic() &- origin) }

    /// Appends an event that happens now, on this thread. Any thread; takes no lock but its own.
    ///
    /// - Parameter notBefore: the start of the interval, where the time is not exact.
    /// - Returns: its time, in nanoseconds since the start of the log.
    @discardableResult
    func append(_ body: LogEvent.Body, notBefore: Int64? = nil) -> Int64 {
        let thread = recorder_thread_number()
        let (time, flush): (Int64, Flush?) = pending.withLock { pending in
            // The time is taken with the lock held, so that the order in the log is the order of the times.
            let time = now
            guard !pending.isClosed else { return (time, nil) }
            guard pending.events.count < Self.waitingLimit else {
                pending.droppedEvents += 1
                return (time, nil)
            }
            pending.events.append(LogEvent(time: time, notBefore: notBefore, thread: thread, body))
            if pending.events.count == Self.flushCount { return (time, .atOnce) }
            guard !pending.isFlushScheduled else { return (time, nil) }
            pending.isFlushScheduled = true
            return (time, .soon)
        }
        switch flush {
        case .atOnce: queue.async { self.flush() }
        case .soon: queue.asyncAfter(deadline: .now() + Self.flushDelay) { self.flush() }
        case nil: break
        }
        return time
    }

    /// Writes what waits. On `queue` only.
    private func flush() {
        let (events, dropped) = pending.withLock { pending in
            pending.isFlushScheduled = false
            let events = pending.events
            pending.events = []
            return (events, pending.droppedEvents)
        }
        output.write(events, dropped: dropped, aliveAt: now)
    }

    /// Writes what waits and ends the log. Later events are ignored.
    func close() throws(RecorderError) {
        let isFirst = pending.withLock { pending in
            defer { pending.isClosed = true }
            return !pending.isClosed
        }
        guard isFirst else { return }
        let failure = queue.sync {
            flush()
            return output.end()
        }
        if let failure { throw failure }
    }
}
