import InspectorColumns

/// What decides the wording of an operation's story: everything about the operation but its names, times and
/// numbers. Operations with the same facts share a ``StoryPattern``, so a page contains few patterns for many
/// operations.
struct StoryFacts: Hashable {
    enum Queue: UInt8 { case unknown, named, nameless }
    enum Parent: UInt8 {
        case unknown, ofProcess
        /// In another process; the name says in which only if it is shared.
        case remote, remoteOfSharedName
        /// Had finished when the operation was added.
        case earlier, earlierOfSharedName
    }
    enum Dependency: UInt8 { case none, finished, unfinished, neverAdded }
    enum Number: UInt8 { case none, one, several }
    /// What most of an execution was for.
    enum Activity: UInt8 {
        case itself, preparation, preparationWithMark, blocked
        /// Its children were executing.
        case oneChild, children
    }
    /// What the operation cost the run.
    enum Cost: UInt8 { case unknown, none, delay }
    /// How much later it could have finished, and whether that differs if only dependencies count.
    enum Slack: UInt8 { case unknown, none, noneRecorded, same, different }
    /// What the run would have saved without it.
    enum Saving: UInt8 { case unknown, none, some }

    /// Some parts of a lifetime. It is made for each operation of a page, so it must not allocate.
    struct Parts: Hashable {
        fileprivate private(set) var bits: UInt8 = 0

        var isEmpty: Bool { bits == 0 }
        func contains(_ part: LifetimeParts.Part) -> Bool { bits & 1 << part.rawValue != 0 }
        mutating func insert(_ part: LifetimeParts.Part) { bits |= 1 << part.rawValue }
    }

    var isAdded = false
    var isTask = false
    var isReady = false
    var isStarted = false
    var isFinished = false
    var isCancelled = false
    var hasFailed = false
    var finishedCancelled = false
    /// Of an operation that was never added.
    var dependents = Number.none

    var hasOwnKind = false
    var hasOwnName = false
    /// The parts of its lifetime that took any time.
    var spent = Parts()
    var longest = LifetimeParts.Part.execution
    /// Whether the reason that it has not finished is in itself.
    var explainsItself = false
    var activity = Activity.itself

    var queue = Queue.unknown
    var parent = Parent.unknown
    var dependency = Dependency.none
    var hasSeveralDependencies = false
    var slots = Number.none
    /// Whether its start is known only as an interval, which began after all known waits.
    var startsLate = false
    var hasThread = false
    /// The parts of its execution, the longest first; empty if nothing was measured, nil if nothing is known.
    var executionParts: [ExecutionParts.Part]?
    var areEstimated = false
    /// Whether its body began or ended noticeably after the start or before the end of its execution.
    var bodyBeganLate = false
    var bodyEndedEarly = false

    var cost = Cost.unknown
    var slack = Slack.unknown
    var saving = Saving.unknown

    /// Only what usually differs: a page asks for each of its operations.
    func hash(into hasher: inout Hasher) {
        var word = UInt64(spent.bits)
        word = word << 8 | UInt64(longest.rawValue)
        word = word << 8 | UInt64(parent.rawValue)
        word = word << 8 | UInt64(dependency.rawValue)
        word = word << 8 | UInt64(activity.rawValue)
        word = word << 8 | UInt64(slack.rawValue)
        hasher.combine(word)
        if let executionParts { hasher.combine(executionParts) }
    }
}

/// A time of an operation, which fills in a phrase or says when an event of its story was. Nanoseconds.
enum StoryTime: Hashable {
    // Moments, since the start of the trace.
    case enqueued, ready, resumed, slotTaken, dispatched, start, bodyBegan, bodyEnded, cancelled, end
    // Durations.
    case total
    case part(LifetimeParts.Part)
    case executionPart(ExecutionParts.Part)
    /// From its start to its end.
    case executing
    /// From the last known wait to the first moment at which it may have started.
    case lateness
    /// From its start to its body.
    case preparation
    /// Its longest wait that blocked a thread.
    case blocking
    /// Its execution without its children, and the rest of it.
    case own, covered
    case delaying, makespan, slack, slackThroughDependencies, saving

    /// The page's word for it.
    var word: String {
        switch self {
        case .part(let part): part.name
        case .executionPart(let part): part.row.key
        default: "\(self)"
        }
    }
}

/// Everything else of an operation that fills in a phrase.
enum StoryValue: String {
    // Operations.
    case itself, lastDependency, firstDependent, parent, remoteCause
    // Numbers.
    case dependencies, children, otherDependents, slots, delayingPercent
    // Texts of the program.
    case kind, identifier, queue, thread, process, remoteProcess, message, mark
    /// Why it has not finished.
    case standstill
    // Phrases that are made from other operations.
    case blocker, slotReason, slotHolders, taskReason
}
