/// Identifies an operation within one log. Never reused, not even when the operation's memory is.
public struct OperationID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Unique within its log only: two logs may both have this number.
    public var rawValue: UInt64

    /// The operation with this number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// `0x` and lower-case hexadecimal digits, as in a log.
    public var description: String { "0x" + String(rawValue, radix: 16) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Identifies a queue within one log. Never reused.
public struct QueueID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Unique within its log only: two logs may both have this number.
    public var rawValue: UInt64

    /// The queue with this number.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// `0x` and lower-case hexadecimal digits, as in a log.
    public var description: String { "0x" + String(rawValue, radix: 16) }

    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// How an operation finished.
public enum Outcome: Hashable, Sendable {
    /// It finished without failing or being cancelled. An operation whose class reports no errors cannot
    /// fail.
    case succeeded
    /// The message is the description of the error, as the program gave it.
    case failed(message: String)
    /// It finished after it was cancelled.
    case cancelled
}

/// One entry of an event log.
public struct LogEvent: Hashable, Sendable {
    /// Nanoseconds since the start of the trace. If the time is known only as an interval, its end: the event
    /// had happened by then.
    public var time: Int64

    /// Nanoseconds since the start of the trace, at most `time`: the event had not happened before this.
    /// `nil` if the time is exact.
    public var notBefore: Int64?

    /// The operating system's number of the thread on which the event happened; for an interval, on which it
    /// was noticed.
    public var thread: UInt64

    /// Index into the processes of a merged log's header; 0 in a log of one process.
    public var process: Int

    /// What happened.
    public var body: Body

    /// An event at `time`; with `notBefore`, at some time between the two.
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
        /// An edge names an operation that was not added to an observed queue so far.
        case sighted(OperationID, kind: String, name: String?)
        /// From then on the operation waits for the predecessor.
        case dependencyAdded(OperationID, predecessor: OperationID)
        /// From then on it no longer waits for the predecessor.
        case dependencyRemoved(OperationID, predecessor: OperationID)
        /// The operation does not wait for other operations any more.
        case ready(OperationID)
        /// The operation was started.
        case executing(OperationID)
        /// The operation was cancelled: its flag was set. It still has to finish.
        case cancelled(OperationID)
        /// The operation finished, and how.
        case finished(OperationID, Outcome)
        /// The body, `main()`, began. If an operation continues after its body has returned, the time from
        /// `executing` to `finished` is longer than the body.
        case bodyBegan(OperationID)
        /// The body returned. The operation may still be working.
        case bodyEnded(OperationID)
        /// What the body used until this time, in nanoseconds, as its thread's own clocks say: the time on
        /// processors, and the time that the thread waited for one; nil if that is not known. Logged before
        /// the event that ends the body.
        case bodyUsed(OperationID, onCPU: Int64, waitedForCPU: Int64?)
        /// It waited for a slot of its queue until this time, and for a thread from then on. No recorder can
        /// see this; files of other programs state it.
        case slotFree(OperationID)
        /// The operation's context was requested, to be sent to another process.
        case contextSent(OperationID)
        /// Somebody read the operation's `isFinished` as true, but its queue had not been notified. Until it
        /// is, the operation keeps its slot and its dependents wait. Logged once per operation.
        case unnotifiedFinish(OperationID)
        /// The memory of the process was searched for what could still finish the operation.
        case operationSearched(OperationSearch)
        /// Something in another process caused the operation; or this process, without an operation. The text
        /// is a `traceparent`, see ``TraceContext``, unless the log is damaged.
        case contextReceived(OperationID?, traceparent: String)
        /// A queue was seen for the first time.
        case queueOpened(QueueID, name: String, limit: Int, isSuspended: Bool)
        /// The queue got another name.
        case queueRenamed(QueueID, name: String)
        /// The queue stopped starting operations.
        case suspended(QueueID)
        /// The queue starts operations again.
        case resumed(QueueID)
        /// The limit is `maxConcurrentOperationCount`; -1 means that the system decides.
        case limitChanged(QueueID, limit: Int)
        /// Everything in the queue was cancelled, with `cancelAllOperations()`.
        case allCancelled(QueueID)
        /// A task is seen for the first time.
        case taskCreated(TaskCreation)
        /// A task waits for its executor, the global one if that is nil, because another task or operation
        /// made it ready, or nobody. If it was suspended in the runtime: what it had awaited.
        case taskEnqueued(OperationID, executor: QueueID?, by: OperationID?, after: Awaited)
        /// A run of a task begins on this thread. The name comes with the first run.
        case runBegan(OperationID, executor: QueueID?, name: String?)
        /// The run of a task ends on this thread: it is suspended. The last run ends when the task finishes.
        case runEnded(OperationID, Suspension)
        /// The continuation that a task awaits is resumed on this thread, in a task, in an operation or
        /// neither; and what it had awaited.
        case taskResumed(OperationID, by: OperationID?, after: Awaited)
        /// The running task goes on on that executor, without being suspended.
        case taskMoved(OperationID, executor: QueueID?)
        /// A task was cancelled, and by which task or operation, if by one. It still has to finish.
        case taskCancelled(OperationID, by: OperationID?)
        /// The memory of the process was searched for what could still resume the task.
        case taskSearched(TaskSearch)
        /// An executor is used for the first time.
        case executorOpened(QueueID, ExecutorKind, name: String)
        /// The program added a mark, inside or outside of an operation's body.
        case marked(String, by: OperationID?)
        /// A thread began to wait for an operation to finish, or for a queue to become empty, inside or
        /// outside of an operation's body. The next unmatched `waitEnded` on the thread ends the wait.
        case waitBegan(WaitTarget, by: OperationID?)
        /// The wait that this thread began last ended.
        case waitEnded
        /// The thread left a processor, after this long on it.
        case leftCPU(afterNanoseconds: Int64, Departure)
        /// The time that the thread waited for a processor since the last event of this kind of the thread.
        case waitedForCPU(nanoseconds: Int64)
        /// Context switches were lost for this long.
        case switchesLost(nanoseconds: Int64)
        /// A function that samples were taken in, with all its callers: the stack with this number. It is
        /// that of `caller`, and this function on top of it. A stack is defined once, after its caller.
        case frame(stack: Int64, caller: Int64?, function: String, module: String?)
        /// What the thread was doing, looked at from outside.
        case sampled(stack: Int64, SampledState)
        /// The sampling rate per processor, and how many samples were lost. If the program was built without
        /// frame pointers, its file is named: its functions have no callers.
        case sampling(perSecond: Int, lost: Int64, withoutCallers: String?)
    }

    /// What a search of the memory of its process found for an operation that executes without a thread.
    public struct OperationSearch: Hashable, Sendable {
        /// An operation of the log.
        public var operation: OperationID
        /// What could still finish it, such as `an object of type Cache`; empty if nothing could: only its
        /// queue leads to it.
        public var holder: String
        /// What could not be searched, such as `it uses io_uring`; empty if everything was.
        public var unseen: String

        /// By default everything was searched.
        public init(operation: OperationID, holder: String, unseen: String = "") {
            (self.operation, self.holder, self.unseen) = (operation, holder, unseen)
        }
    }

    /// What a thread was doing in a sample.
    public enum SampledState: Hashable, Sendable {
        /// It executed the function on top of the stack.
        case executing
        /// It was in the kernel, called by the function on top of the stack.
        case inKernel
        /// It left the processor to wait, in the function on top of the stack.
        case blocked
    }

    /// Why a thread left a processor.
    public enum Departure: Hashable, Sendable {
        /// The thread ended, or the recording did.
        case unknown
        /// Another thread took the processor.
        case preempted
        /// The thread waits: it sleeps, or it is in a system call.
        case blocked
    }

    /// What a thread waits for.
    public enum WaitTarget: Hashable, Sendable {
        /// Waits until this operation has finished.
        case operation(OperationID)
        /// Waits until this queue is empty.
        case queue(QueueID)
    }
}
