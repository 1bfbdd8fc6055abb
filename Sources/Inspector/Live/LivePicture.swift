import EventLog

/// What a running program does at one moment, as plain values: what a screen shows. Names are as in the log,
/// not safe for a terminal. No part is of another moment than the others.
struct LivePicture: Sendable {
    struct Queue: Sendable {
        /// In the order in which the log names them.
        var number: Int
        var name: String
        var limit: Int
        var executing: Int
        /// Waiting for a dependency.
        var pending: Int
        var ready: Int
        /// For how long, in nanoseconds; nil where it is not.
        var suspended: Int64?
        var finished: Int
        var finishedPerSecond: Int
        var isFull: Bool

        var waiting: Int { pending + ready }
    }

    /// An operation that executes, or waits.
    struct Row: Sendable {
        var operation: UInt64
        var name: String
        var kind: String
        var queue: String
        /// Nanoseconds that it has been executing, or that it has been waiting since its enqueue.
        var duration: Int64
        var thread: UInt64
        /// What it waits for; what its thread is blocked in. Empty where nothing is known.
        var reason: String
    }

    var header: LogHeader
    /// What all of this was made from; nil for a picture without findings.
    var moment: LiveMoment?
    var standing = LiveStanding.running
    var executing = 0
    var waiting = 0
    var finished = 0
    var failed = 0
    var cancelled = 0
    /// Open when events were missed, and not heard of since.
    var lost = 0
    var finishedPerSecond = 0
    var eventsPerSecond = 0
    /// Finishes in each of the last seconds, the oldest first.
    var history: [Int] = []
    /// How far behind the program the picture is, nanoseconds; nil where all that was written is in it.
    var behind: Int64?
    /// One sentence each, not safe for a terminal.
    var losses: [String] = []
    var origins: [LiveFindings.Origin] = []
    /// In the order in which the log names them.
    var queues: [Queue] = []
    /// Longest first, as many as were asked for.
    var executingRows: [Row] = []
    var waitingRows: [Row] = []
    /// Those that there are now, then those that there were; of each the newest first.
    var hazards: [LiveHazards.Entry] = []
    var hazardCount = 0
}

/// Whether the program whose log is followed is there.
package enum LiveStanding: Hashable, Sendable {
    case running
    /// The recorder has given no sign of life for so long, in nanoseconds, though its process holds the log:
    /// the process is stopped, or the machine was asleep.
    case silent(Int64)
    /// The log was closed.
    case ended
    /// The process is gone, and has not closed its log.
    case killed

    /// Nothing more will come.
    package var isOver: Bool { self == .ended || self == .killed }
}
