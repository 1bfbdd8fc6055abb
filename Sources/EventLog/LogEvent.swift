/// Identifies an operation within one log. Never reused, not even when the operation's memory is.
public struct OperationID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Unique within its log only: two logs may both have this number.
    public var rawValue: UInt64

    /// The operation with this number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// `0x` and lower-case hexadecimal digits, as it stands in a log.
    public var description: String { "0x" + String(rawValue, radix: 16) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Identifies a queue within one log. Never reused.
public struct QueueID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Unique within its log only: two logs may both have this number.
    public var rawValue: UInt64

    /// The queue with this number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// `0x` and lower-case hexadecimal digits, as it stands in a log.
    public var description: String { "0x" + String(rawValue, radix: 16) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// How an operation finished.
public enum Outcome: Hashable, Sendable {
    /// It finished, and neither failed nor was cancelled. An operation whose class reports no errors cannot
    /// fail.
    case succeeded
    /// The message is the description of the error, as the program gave it.
    case failed(message: String)
    /// It finished after it was cancelled.
    case cancelled
}

/// One entry of an event log.
public struct LogEvent: Hashable, Sendable {
    /// Nanoseconds since the start of the trace. For a time that is known only as an interval, its end:
    /// the event had happened by then.
    public var time: Int64

    /// Nanoseconds since the start of the trace, at most `time`: the event had not happened before this.
    /// `nil` when the time is exact.
    public var notBefore: Int64?

    /// The operating system's number of the thread that the event happened on (for an interval: that it
    /// was noticed on).
    public var thread: UInt64

    /// Index into the processes of a merged log's header; 0 in a log of one process.
    public var process: Int

    /// What happened.
    public var body: Body

    /// An event at `time`, or with `notBefore` at some time from then to `time`.
    public init(time: Int64, notBefore: Int64? = nil, thread: UInt64, process: Int = 0, _ body: Body) {
        self.time = time
        self.notBefore = notBefore
        self.thread = thread
        self.process = process
        self.body = body
    }

    /// What happened, and to which operation or queue.
    public enum Body: Hashable, Sendable {
        /// An operation was added to a queue.
        case enqueued(Enqueue)
        /// An operation is named by an edge, but was never added to an observed queue up to now.
        case sighted(OperationID, kind: String, name: String?)
        /// From then on the operation waits for the predecessor.
        case dependencyAdded(OperationID, predecessor: OperationID)
        /// From then on it no longer waits for the predecessor.
        case dependencyRemoved(OperationID, predecessor: OperationID)
        /// The operation waits for no other operation any more.
        case ready(OperationID)
        /// The operation was started.
        case executing(OperationID)
        /// The flag was set. The operation still has to finish.
        case cancelled(OperationID)
        /// The operation finished, and how.
        case finished(OperationID, Outcome)
        /// The body, `main()`, was entered. For an operation that works on after its body has returned, the
        /// time between `executing` and `finished` is the longer one.
        case bodyBegan(OperationID)
        /// The body returned. The operation may still work on.
        case bodyEnded(OperationID)
        /// It waited for a slot of its queue until then, and from then on for a thread. No recorder sees
        /// that: other files state it.
        case slotFree(OperationID)
        /// The operation's context was asked for, to be sent to another process.
        case contextSent(OperationID)
        /// Somebody asked the operation for `isFinished`, and the answer was true, but its queue had not been
        /// notified of that. Until it is, the operation keeps its slot and its dependents wait. Logged once
        /// an operation.
        case unnotifiedFinish(OperationID)
        /// Something in another process caused the operation, or this process if no operation is given. The
        /// text is a `traceparent`, see ``TraceContext``, as long as nobody damages the log.
        case contextReceived(OperationID?, traceparent: String)
        /// A queue was seen for the first time.
        case queueOpened(QueueID, name: String, limit: Int, isSuspended: Bool)
        /// The queue has another name from then on.
        case queueRenamed(QueueID, name: String)
        /// The queue starts no more operations.
        case suspended(QueueID)
        /// The queue starts operations again.
        case resumed(QueueID)
        /// The limit is `maxConcurrentOperationCount`; -1 means the system's own.
        case limitChanged(QueueID, limit: Int)
        /// Everything in the queue was cancelled, with `cancelAllOperations()`.
        case allCancelled(QueueID)
        /// The program said something, while it was in the body of an operation or not.
        case marked(String, by: OperationID?)
        /// A thread begins to wait until an operation has finished, or a queue is empty; in the body of an
        /// operation or not. The next `waitEnded` on the thread that has no other beginning ends it.
        case waitBegan(WaitTarget, by: OperationID?)
        /// The wait that this thread began last is over.
        case waitEnded
    }

    /// What a thread waits for.
    public enum WaitTarget: Hashable, Sendable {
        /// Until this operation has finished.
        case operation(OperationID)
        /// Until this queue is empty.
        case queue(QueueID)
    }
}
