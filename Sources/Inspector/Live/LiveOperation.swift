import EventLog

/// One operation of a running program. Texts are numbers in its log.
struct LiveOperation {
    /// A time that does not occur.
    static let never = Int64.min

    enum Phase: Int, CaseIterable {
        /// Not known to be enqueued: an edge names it, or its enqueue was not read.
        case unseen
        /// Enqueued, but not ready.
        case pending
        case ready
        case executing
        case finished
        /// Events were missed, so its present state is unknown.
        case lost
    }

    let id: UInt64
    /// Nil until it is known.
    var kind: UInt32?
    /// 0 for none.
    var name: UInt32 = 0
    /// Index into the live queues, or -1.
    var queue: Int32 = -1
    var priority: Int32 = 0
    var ending = EventFields.Ending.succeeded
    var isLost = false
    /// The message of a failure, 0 for none, and the last mark of its body.
    var message: UInt32 = 0
    var mark: UInt32 = 0
    /// 0 for none: no log gives that number.
    var parent: UInt64 = 0
    /// The thread that it started on.
    var thread: UInt64 = 0
    /// The thread that began its body.
    var bodyThread: UInt64 = 0
    // Nanoseconds since the start of the log.
    var enqueued = never
    var ready = never
    var executing = never
    var bodyBegan = never
    var bodyEnded = never
    var cancelled = never
    var finished = never
    var unnotifiedFinish = never
    var marked = never
    // When the clocks of its body's thread were read, and what it used until then, in nanoseconds.
    var usesRead = never
    var usedCPU = never
    var waitedForCPU = never
    var predecessors: [UInt64] = []

    init(_ id: UInt64) { self.id = id }

    var phase: Phase {
        if isLost { return .lost }
        if finished != Self.never { return .finished }
        if executing != Self.never { return .executing }
        if enqueued == Self.never { return .unseen }
        return ready == Self.never ? .pending : .ready
    }

    /// Whether its thread has left its body: it executes elsewhere.
    var isOffThread: Bool { bodyEnded != Self.never }

    /// Whether it was enqueued or has started, but has not finished.
    var isOpen: Bool {
        switch phase {
        case .pending, .ready, .executing: true
        case .unseen, .finished, .lost: false
        }
    }
}
