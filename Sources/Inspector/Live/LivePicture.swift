import EventLog

/// What a running program does at one moment, as plain values for a screen. Names are as in the log, not safe
/// for a terminal. All parts are from the same moment.
struct LivePicture: Sendable {
    struct Queue: Sendable {
        /// The index in the order in which the log names queues.
        var number: Int
        var name: String
        var limit: Int
        var executing: Int
        /// How many wait for a dependency.
        var pending: Int
        var ready: Int
        /// How long it has been suspended, in nanoseconds; nil if it is not.
        var suspended: Int64?
        var finished: Int
        var finishedPerSecond: Int
        var lacksSlots: Bool
        /// Nanoseconds since one of its operations last started or finished. Nil while it has operations, or
        /// is suspended.
        var idle: Int64?

        var waiting: Int { pending + ready }
    }

    /// An operation that executes or waits.
    struct Row: Sendable {
        var operation: UInt64
        var name: String
        var kind: String
        var queue: String
        /// Nanoseconds for which it has been executing, or waiting since its enqueue.
        var duration: Int64
        var thread: UInt64
        /// What it waits for, or what its thread is blocked in. Empty if unknown.
        var reason: String
    }

    var header: LogHeader
    /// The basis of all this; nil for a picture without findings.
    var moment: LiveMoment?
    var standing = LiveStanding.running
    var executing = 0
    var waiting = 0
    var finished = 0
    var failed = 0
    var cancelled = 0
    /// Operations that were open when events were missed, without any later event.
    var lost = 0
    var finishedPerSecond = 0
    var eventsPerSecond = 0
    /// Finishes in each of the last seconds, the oldest first.
    var history: [Int] = []
    /// How far the picture is behind the program, in nanoseconds; nil if everything that was written is in
    /// it.
    var behind: Int64?
    /// One sentence each, not safe for a terminal.
    var losses: [String] = []
    var origins: [LiveFindings.Origin] = []
    /// In the order in which the log names them.
    var queues: [Queue] = []
    /// Nil without Swift tasks.
    var tasks: Tasks?
    /// The longest first, as many as requested.
    var executingRows: [Row] = []
    var waitingRows: [Row] = []
    /// Present hazards, then past ones; the newest first in each.
    var hazards: [LiveHazards.Entry] = []
    var hazardCount = 0
    /// What the threads of executing operations do, by operation.
    var threads: [UInt64: LiveThreads.Use] = [:]
    /// How executions are split, the kind with the most measured time first.
    var kinds: [LiveKind] = []
}

/// Whether the followed program is running.
package enum LiveStanding: Hashable, Sendable {
    case running
    /// For this many nanoseconds, the recorder has given no sign of life although its process holds the log:
    /// the process is stopped, or the machine was asleep.
    case silent(Int64)
    /// The log was closed.
    case ended
    /// The process is gone without having closed its log.
    case killed

    /// Whether nothing more will come.
    package var isOver: Bool { self == .ended || self == .killed }
}
