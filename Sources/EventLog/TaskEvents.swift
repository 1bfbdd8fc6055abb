import CLogFormat

// What the events of Swift tasks say.

extension LogEvent {
    /// What is known about a task when it is seen for the first time.
    public struct TaskCreation: Hashable, Sendable {
        /// The task. Its number is the runtime's, plus 2^40.
        public var task: OperationID
        /// The function that it was written in; or the location of its code, as `path+0x1f@89ab`, until that
        /// was looked up. If the compiler made that function, and it captured a closure: `>` and that one's
        /// location.
        public var kind: String
        /// How it was created.
        public var creation: Creation
        /// The task that it is a child of; or else the task or operation that created it.
        public var parent: OperationID?
        /// As the runtime numbers priorities: 25 is high, 21 the default, 17 low, 9 background.
        public var priority: Int
        /// Whether it was enqueued on the global executor at this moment.
        public var isQueued: Bool
        /// The location of its code, if the kind is its name.
        public var origin: String?

        /// By default it has no parent and no origin.
        public init(
            task: OperationID, kind: String, creation: Creation, parent: OperationID? = nil, priority: Int,
            isQueued: Bool, origin: String? = nil
        ) {
            self.task = task
            self.kind = kind
            self.creation = creation
            self.parent = parent
            self.priority = priority
            self.isQueued = isQueued
            self.origin = origin
        }
    }

    /// How a task was created.
    public enum Creation: UInt8, CaseIterable, Sendable {
        /// `Task {}` or `Task.detached {}`, or the main task.
        case unstructured = 0
        /// `async let`.
        case asyncLet = 1
        /// `addTask` of a task group.
        case groupChild = 2
        /// `Task.immediate {}`: it began on its creator's thread.
        case immediate = 3
    }

    /// Why a run of a task ended.
    public struct Suspension: Hashable, Sendable {
        /// What it awaits.
        public var awaits: Awaited
        /// The task that it awaits.
        public var task: OperationID?
        /// The executor that it waits for.
        public var executor: QueueID?
        /// The function that goes on; or the location of its code, as `path+0x1f@89ab`, until that was looked
        /// up. Empty if it is unknown.
        public var place: String

        /// By default it awaits no task and no executor.
        public init(awaits: Awaited, task: OperationID? = nil, executor: QueueID? = nil, place: String = "") {
            self.awaits = awaits
            self.task = task
            self.executor = executor
            self.place = place
        }
    }

    /// What a suspended task awaits.
    public enum Awaited: UInt8, CaseIterable, Sendable {
        /// The recorder cannot tell.
        case unknown = 0
        /// Another task's result.
        case task = 1
        /// Somebody resumes its continuation.
        case continuation = 2
        /// A child of its task group finishes.
        case group = 3
        /// The executor that it goes on on.
        case executor = 4
        /// Time passes.
        case sleep = 5
        /// Nothing: it let others run.
        case yield = 6
    }

    /// What a search of the memory of its process found for a task that awaits its continuation.
    public struct TaskSearch: Hashable, Sendable {
        /// A task of the log.
        public var task: OperationID
        /// What could still resume it, such as `an object of type Cache`; empty if nothing could.
        public var holder: String
        /// What could not be searched, such as `it uses io_uring`; empty if everything was.
        public var unseen: String

        /// By default everything was searched.
        public init(task: OperationID, holder: String, unseen: String = "") {
            (self.task, self.holder, self.unseen) = (task, holder, unseen)
        }
    }

    /// What executes the code of tasks.
    public enum ExecutorKind: UInt8, CaseIterable, Sendable {
        /// The global concurrent executor: the runtime's pool of threads.
        case pool = 0
        /// The main actor.
        case main = 1
        /// An actor that the runtime schedules.
        case actor = 2
        /// An executor of the program's own.
        case custom = 3
    }
}

extension OperationID {
    /// Whether it identifies a Swift task.
    public var isTask: Bool { rawValue >= LOG_FIRST_TASK }
}

/// A value of an event that is one of a few words. Its number is in the log.
package enum EventChoice: Hashable, Sendable {
    case creation, awaited, executorKind

    /// By number.
    package var words: [StaticString] {
        switch self {
        case .creation: ["unstructured", "asyncLet", "groupChild", "immediate"]
        case .awaited: ["unknown", "task", "continuation", "group", "executor", "sleep", "yield"]
        case .executorKind: ["pool", "main", "actor", "custom"]
        }
    }
}
