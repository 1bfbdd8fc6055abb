public import InspectorColumns

/// A complete log in memory: what the operations of one run did.
///
/// Operations and queues are identified by their index, in the order in which the log first names them. A
/// trace takes about 100 bytes an operation and 8 an edge, plus names: see `OperationColumns`.
public struct Trace: Sendable {
    /// The program, the machine, and how complete the log is.
    public var header: LogHeader
    /// In the order in which the log first names them.
    public package(set) var operations: TracedOperations
    /// Predecessor → successor, without duplicates, in the order in which the log names them.
    public var edges: [Edge]
    /// In the order in which the log first names them.
    public var queues: [TracedQueue]
    /// The program's own marks, in the order of the log.
    public var marks: [TraceMark]
    /// Threads that waited for an operation or a queue, ordered by the start of the wait.
    public var blockingWaits: [BlockingWait]
    /// When threads were on processors.
    package var threadTimes = ThreadTimes()
    /// What threads executed, looked at from time to time.
    package var stackSamples = StackSamples()
    /// What Swift tasks did.
    package var tasks = TraceTasks()
    /// What bodies used, as their threads' own clocks say, by operation.
    package var bodyUses: [Int32: BodyUse] = [:]
    /// The threads of bodies that began on another thread than the execution, by operation.
    package var bodyThreads: [Int32: ProcessThread] = [:]
    /// The operations that finished on another thread than their body began on, and whose body never ended,
    /// as far as the log says. So it is not known when their bodies left the starting thread.
    package var finishedElsewhere: Set<Int32> = []
    /// What searches of memory found for operations that executed, by operation. The texts are those of
    /// `tasks`.
    package var searches: [Int32: TraceTasks.Search] = [:]
    /// Contexts that operations, or processes as a whole, received from other processes; in the order of the
    /// log.
    public var receivedContexts: [ReceivedContext]
    /// Starts and finishes that the log has again, after the first, which is stored with the operation. This
    /// project's recorder logs none.
    package var repeatedTransitions: [RepeatedTransition]
    /// For a file of OpenTelemetry, what an export of it must not change.
    package var origins = SpanOrigins()
    /// What is missing or could not be used, one sentence each. Empty for a log that was closed cleanly.
    public var losses: [String]
    /// For files that are not logs: how they were interpreted, and what else they contain. One sentence each.
    public var notes: [String]

    package init(header: LogHeader) {
        self.header = header
        operations = TracedOperations([])
        edges = []
        queues = []
        marks = []
        blockingWaits = []
        receivedContexts = []
        repeatedTransitions = []
        losses = []
        notes = []
    }

    /// The processes of the operations: one, except in a merged trace.
    public var processes: [LogProcess] {
        header.processes.isEmpty ? [LogProcess(header)] : header.processes
    }

    /// As in the header.
    package var isOfAnotherProgram: Bool { header.isOfAnotherProgram }

    /// Whether the trace has several processes.
    public var isMerged: Bool { header.processes.count > 1 }

    /// The last time that the log of the operation's process covers.
    ///
    /// - Parameter end: the last time that the whole trace covers.
    package func lastMoment(of operation: Int, end: Int64) -> Int64 {
        guard isMerged else { return end }
        let process = header.processes[Int(operations.store.columns.processes[operation])]
        return process.isClosed || process.lastAlive <= 0 ? end : min(end, process.lastAlive)
    }

    /// Whether it is the first thread of a process, on Linux. Elsewhere the log does not say which one is.
    ///
    /// - Parameters:
    ///   - thread: the operating system's number.
    ///   - process: index into ``processes``.
    package func isMainThread(_ thread: UInt64, ofProcess process: Int) -> Bool {
        processes.indices.contains(process)
            && processes[process].knownProcessID.map { UInt64(clamping: $0) == thread } ?? false
    }

    /// Whether two operations, given by their indices, belong to different processes. False if an index is
    /// negative.
    package func isAcrossProcesses(_ first: Int, _ second: Int) -> Bool {
        guard min(first, second) >= 0 else { return false }
        let processes = operations.store.columns.processes
        return processes[first] != processes[second]
    }

    /// What a body used, in nanoseconds. Not negative.
    package struct BodyUse: Sendable {
        package var onCPU: Int64
        /// Nil if it is not known.
        package var waitedForCPU: Int64?
        /// How long after the finish this was read. Up to so much of each part does not belong to the
        /// execution.
        package var afterFinish: Int64

        /// - Parameter finish: nil if the operation had not finished.
        package init(onCPU: Int64, waitedForCPU: Int64?, readAt time: Int64, finish: Int64?) {
            self.onCPU = onCPU
            self.waitedForCPU = waitedForCPU
            afterFinish = finish.map { max(0, TraceMoment.bounded(time) - TraceMoment.bounded($0)) } ?? 0
        }
    }

    /// A second occurrence of a transition that an operation makes only once.
    package struct RepeatedTransition: Hashable, Sendable {
        package enum Transition: Hashable, Sendable { case executing, finished }

        package var transition: Transition
        /// Index into `operations`.
        package var operation: Int
        /// Nanoseconds since the start of the trace.
        package var time: Int64

        package init(transition: Transition, operation: Int, time: Int64) {
            self.transition = transition
            self.operation = operation
            self.time = time
        }
    }

    /// The kinds of operations, each once. The first is always `?`, for operations of unknown kind.
    public var kinds: [String] { operations.store.columns.kindTexts.map { operations.store.texts[$0] } }

    /// A dependency: `successor` waits for `predecessor`. Both are indices into `operations`.
    public struct Edge: Hashable, Sendable {
        // Half the memory of two `Int`s: there may be many millions of edges.
        @usableFromInline let from: Int32
        @usableFromInline let to: Int32

        /// Index into `Trace.operations`: the operation that the other one waits for.
        @inlinable public var predecessor: Int { Int(from) }
        /// Index into `Trace.operations`: the operation that waits.
        @inlinable public var successor: Int { Int(to) }

        /// An edge to look up in a trace. Clamps indices to 32 bits.
        public init(predecessor: Int, successor: Int) {
            from = Int32(clamping: predecessor)
            to = Int32(clamping: successor)
        }
    }
}

/// A moment in nanoseconds since the start of the trace, and how precisely it is known.
public struct TraceMoment: Hashable, Sendable {
    /// It had not happened before this.
    public var notBefore: Int64
    /// It had happened by then.
    public var notAfter: Int64

    /// Whether the moment is known to the nanosecond.
    @inlinable public var isExact: Bool { notBefore == notAfter }

    /// A moment known as an interval, `notBefore` at most `notAfter`.
    @inlinable
    public init(notBefore: Int64, notAfter: Int64) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// A moment known to the nanosecond.
    @inlinable
    public init(_ exact: Int64) { self.init(notBefore: exact, notAfter: exact) }

    /// The nearest time within ± 36 years of the start of the trace: no difference of two of these overflows.
    @inlinable
    public static func bounded(_ time: Int64) -> Int64 { min(max(time, -(1 << 60)), 1 << 60) }
}

extension MomentColumn {
    public subscript(index: Int) -> TraceMoment? {
        // Loops over all operations ask for several moments of each.
        @inlinable @inline(__always)
        get { bounds(index).map { TraceMoment(notBefore: $0.notBefore, notAfter: $0.notAfter) } }
        set {
            if let moment = newValue {
                set(index, notBefore: moment.notBefore, notAfter: moment.notAfter)
            } else {
                remove(index)
            }
        }
    }
}

/// A context that an operation, or a process as a whole, received as its cause.
public struct ReceivedContext: Hashable, Sendable {
    /// Nanoseconds since the start of the trace.
    public var time: Int64
    /// Index into `Trace.processes`.
    public var process: Int
    /// Index into `Trace.operations`; nil for the process as a whole, which covers its operations without
    /// another cause.
    public var operation: Int?
    /// The operation in the other process, and the run that it belongs to.
    public var context: TraceContext
}

/// A mark that the program added with `Recorder.mark`.
public struct TraceMark: Sendable {
    /// Nanoseconds since the start of the trace.
    public var time: Int64
    /// The operating system's number of the thread.
    public var thread: UInt64
    /// Index into `Trace.processes`.
    public var process: Int
    /// As the program wrote it: not safe for a terminal.
    public var text: String
    /// Index into `Trace.operations`: the operation in whose body it was added.
    public var operation: Int?

    package init(time: Int64, thread: UInt64, process: Int = 0, text: String, operation: Int? = nil) {
        self.time = time
        self.thread = thread
        self.process = process
        self.text = text
        self.operation = operation
    }
}

/// A thread that was blocked in `waitUntilFinished` or `waitUntilAllOperationsAreFinished`.
public struct BlockingWait: Sendable {
    /// An index into `Trace.operations` or `Trace.queues`.
    public enum Target: Hashable, Sendable {
        /// Waits until this operation has finished.
        case operation(Int)
        /// Waits until this queue is empty.
        case queue(Int)
    }

    /// What the thread waited for.
    public var target: Target
    /// Index into `Trace.operations`: the operation in whose body the thread waited.
    public var operation: Int?
    /// The operating system's number of the thread.
    public var thread: UInt64
    /// Index into `Trace.processes`.
    public var process: Int
    /// Nanoseconds since the start of the trace.
    public var start: Int64
    /// Nil if the wait did not end before the log.
    public var end: Int64?

    package init(
        target: Target, operation: Int? = nil, thread: UInt64, process: Int = 0, start: Int64,
        end: Int64? = nil
    ) {
        self.target = target
        self.operation = operation
        self.thread = thread
        self.process = process
        self.start = start
        self.end = end
    }
}

/// One queue of a trace.
public struct TracedQueue: Sendable {
    /// The identifier in the log. A merge assigns new ones.
    public var id: QueueID
    /// Empty if it has no name. Several queues may have the same name.
    public var name: String
    /// Index into `Trace.processes`.
    public var process: Int
    /// `maxConcurrentOperationCount` over time. The first entry is for the time when the queue was first
    /// seen. -1 means that the system decides.
    public var limits: [(time: Int64, limit: Int)]
    /// When it was suspended, each as a start and an end (the end of the trace if it was never resumed).
    public var suspensions: [Range<Int64>]
    /// When all its operations were cancelled, in the order of the log.
    public var cancellations: [Int64]

    /// In a merged trace, the name of its process.
    package internal(set) var processName: String?

    /// Whether it is `OperationQueue.main`, whose operations run on the main actor's thread: its name is
    /// Foundation's.
    package var isMain: Bool { name == "NSOperationQueue Main Queue" }

    /// The queue's name, or its identifier if it has no name.
    package var ownName: String { name.isEmpty ? "queue \(id)" : name }

    /// The same, with the process in a merged trace.
    package var displayName: String { processName.map { "\(ownName) in \($0)" } ?? ownName }

    /// Whether the text is a name or the ID of this queue.
    package func isCalled(_ text: String) -> Bool {
        text == name || text == displayName || text == id.description
    }

    package init(id: QueueID, name: String, process: Int = 0) {
        self.id = id
        self.name = name
        self.process = process
        limits = []
        suspensions = []
        cancellations = []
    }
}
