import EventLog

/// What is known of one operation of a running program. Texts are numbers of its log.
struct LiveOperation {
    /// A time that no event has.
    static let never = Int64.min

    enum Phase: Int, CaseIterable {
        /// Not enqueued as far as is known: named by an edge, or its enqueue was not read.
        case unseen
        /// Enqueued, and not ready.
        case pending
        case ready
        case executing
        case finished
        /// What it did since events were missed is not known.
        case lost
    }

    let id: UInt64
    /// Nil while nothing says.
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
    /// That it started on.
    var thread: UInt64 = 0
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
    var predecessors: [UInt64] = []

    init(_ id: UInt64) { self.id = id }

    var phase: Phase {
        if isLost { return .lost }
        if finished != Self.never { return .finished }
        if executing != Self.never { return .executing }
        if enqueued == Self.never { return .unseen }
        return ready == Self.never ? .pending : .ready
    }

    /// It was enqueued or has started, and has not finished.
    var isOpen: Bool {
        switch phase {
        case .pending, .ready, .executing: true
        case .unseen, .finished, .lost: false
        }
    }
}
