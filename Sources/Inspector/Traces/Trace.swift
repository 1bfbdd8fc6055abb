public import InspectorColumns

/// A log read back, whole: what the operations of one run did.
///
/// Operations and queues are named by their index; they keep the order in which the log first names them. A
/// trace takes about 100 bytes an operation and 8 an edge, and their names: see `OperationColumns`.
public struct Trace: Sendable {
    /// The program, the machine, and how complete the log is.
    public var header: LogHeader
    /// In the order in which the log first names them.
    public package(set) var operations: TracedOperations
    /// Predecessor → successor, without duplicates, in the order in which the log names them.
    public var edges: [Edge]
    /// In the order in which the log first names them.
    public var queues: [TracedQueue]
    /// What the program said itself, in the order of the log.
    public var marks: [TraceMark]
    /// Threads that waited for an operation or a queue, in the order of their beginnings.
    public var blockingWaits: [BlockingWait]
    /// What other processes told this one, or those of a merged trace, of operations of theirs; in the order
    /// of the log.
    public var receivedContexts: [ReceivedContext]
    /// Starts and finishes that the log holds again, after the first, which stands with the operation. The
    /// recorder logs none.
    package var repeatedTransitions: [RepeatedTransition]
    /// What is missing or could not be used, one sentence each. Empty for a log that was closed cleanly.
    public var losses: [String]
    /// How the file was understood, where it is not a log: what its things were taken for, and what it has
    /// besides. One sentence each.
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

    /// The processes that the operations are of: one, but in a merged trace.
    public var processes: [LogProcess] {
        header.processes.isEmpty ? [LogProcess(header)] : header.processes
    }

    /// Whether it is one of several processes.
    public var isMerged: Bool { header.processes.count > 1 }

    /// Whether two operations, by their indices, are of different processes; not so where either is none.
    package func isAcrossProcesses(_ first: Int, _ second: Int) -> Bool {
        guard min(first, second) >= 0 else { return false }
        let processes = operations.store.columns.processes
        return processes[first] != processes[second]
    }

    /// A transition that an operation can make once, and that the log holds once more.
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

    /// The kinds of operations, each once. The first is `?`, of those whose kind is not known; there need be
    /// none of it.
    public var kinds: [String] { operations.store.columns.kindTexts.map { operations.store.texts[$0] } }

    /// A dependency: `successor` waits for `predecessor`. Both are indices into `operations`.
    public struct Edge: Hashable, Sendable {
        // Half the room of two `Int`s: there may be many millions.
        @usableFromInline let from: Int32
        @usableFromInline let to: Int32

        /// Index into `Trace.operations`: the one that is waited for.
        @inlinable public var predecessor: Int { Int(from) }
        /// Index into `Trace.operations`: the one that waits.
        @inlinable public var successor: Int { Int(to) }

        /// To look for in a trace's edges. Indices beyond 32 bits become the largest of these.
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
        get { has(index) ? TraceMoment(notBefore: notBefore(index), notAfter: notAfter(index)) : nil }
        set {
            if let moment = newValue {
                set(index, notBefore: moment.notBefore, notAfter: moment.notAfter)
            } else {
                remove(index)
            }
        }
    }
}

/// What an operation, or a process as a whole, was told that it was caused by.
public struct ReceivedContext: Hashable, Sendable {
    /// Nanoseconds since the start of the trace.
    public var time: Int64
    /// Index into `Trace.processes`.
    public var process: Int
    /// Index into `Trace.operations`; nil for all of the process that nothing else caused.
    public var operation: Int?
    /// The operation in the other process, and the run that it belongs to.
    public var context: TraceContext
}

/// Something that the program said of itself, with `Recorder.mark`.
public struct TraceMark: Sendable {
    /// Nanoseconds since the start of the trace.
    public var time: Int64
    /// The operating system's number of the thread.
    public var thread: UInt64
    /// Index into `Trace.processes`.
    public var process: Int
    /// As the program gave it: not safe for a terminal.
    public var text: String
    /// Index into `Trace.operations`: whose body it was said in.
    public var operation: Int?

    package init(time: Int64, thread: UInt64, process: Int = 0, text: String, operation: Int? = nil) {
        self.time = time
        self.thread = thread
        self.process = process
        self.text = text
        self.operation = operation
    }
}

/// A thread that did nothing but wait, with `waitUntilFinished` or `waitUntilAllOperationsAreFinished`.
public struct BlockingWait: Sendable {
    /// An index into `Trace.operations`, or one into `Trace.queues`.
    public enum Target: Hashable, Sendable {
        /// Until this operation has finished.
        case operation(Int)
        /// Until this queue is empty.
        case queue(Int)
    }

    /// What the thread waited for.
    public var target: Target
    /// Index into `Trace.operations`: in whose body the thread waited.
    public var operation: Int?
    /// The operating system's number of the thread.
    public var thread: UInt64
    /// Index into `Trace.processes`.
    public var process: Int
    /// Nanoseconds since the start of the trace.
    public var start: Int64
    /// Nil where the wait did not end before the log did.
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
    /// As it stands in the log. A merge gives queues new ones.
    public var id: QueueID
    /// Empty where it has none. Several queues may have the same.
    public var name: String
    /// Index into `Trace.processes`.
    public var process: Int
    /// `maxConcurrentOperationCount` over time, the first entry at the moment the queue was first seen; -1
    /// means the system's own.
    public var limits: [(time: Int64, limit: Int)]
    /// When it was suspended: from, and up to (the end of the trace when it was never resumed).
    public var suspensions: [Range<Int64>]
    /// When everything in it was cancelled, in the order of the log.
    public var cancellations: [Int64]

    /// In a merged trace the name of its process, among those of the others.
    var processName: String?

    /// Its own name, or its identifier where it has none.
    package var ownName: String { name.isEmpty ? "queue \(id)" : name }

    /// The same, with the process in a merged trace.
    package var displayName: String { processName.map { "\(ownName) in \($0)" } ?? ownName }

    /// Whether somebody who names a queue so, or gives that ID, means this one.
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
