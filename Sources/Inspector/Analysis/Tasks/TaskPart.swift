package import EventLog

/// A part of the lifetime of a Swift task. The parts of a task are its lifetime, exactly.
package enum TaskPart: Int, CaseIterable, Sendable {
    case executor, running, task, group, continuation, actor, sleep, unknown

    /// The words for a part.
    package struct Row: Sendable {
        /// In tables.
        package let label: String
        /// In JSON and CSV, without the unit.
        package let column: String
        /// After a duration.
        package let phrase: String
        /// What the task waits for meanwhile, for a column.
        package let object: String
        /// The same of one task, after a duration: `awaiting its continuation`.
        package let activity: String
    }

    package var row: Row { Self.rows[rawValue] }

    private static let rows = [
        Row(
            label: "executor wait", column: "executor_wait", phrase: "waiting for executors",
            object: "an executor",
            activity: "waiting for its executor"),
        Row(
            label: "running", column: "running", phrase: "running", object: "itself",
            activity: "running"),
        Row(
            label: "awaiting task", column: "awaiting_task", phrase: "awaiting tasks", object: "a task",
            activity: "awaiting a task"),
        Row(
            label: "awaiting group", column: "awaiting_group", phrase: "awaiting task groups",
            object: "its task group",
            activity: "awaiting its task group"),
        Row(
            label: "awaiting continuation", column: "awaiting_continuation", phrase: "awaiting continuations",
            object: "its continuation",
            activity: "awaiting its continuation"),
        Row(
            label: "awaiting actor", column: "awaiting_actor", phrase: "awaiting actors", object: "its actor",
            activity: "waiting for its actor"),
        Row(
            label: "sleeping", column: "sleeping", phrase: "sleeping", object: "sleep",
            activity: "sleeping"),
        Row(
            label: "unknown", column: "unknown", phrase: "unknown", object: "unknown",
            activity: "unknown"),
    ]

    /// The part that a task is in after a run until it is enqueued again; nil if it then waits for an
    /// executor.
    package init?(_ awaited: LogEvent.Awaited) {
        switch awaited {
        case .task: self = .task
        case .group: self = .group
        case .continuation: self = .continuation
        case .sleep: self = .sleep
        case .unknown: self = .unknown
        case .executor, .yield: return nil
        }
    }
}

/// How long the parts of a lifetime took, in nanoseconds.
package struct TaskParts: Hashable, Sendable {
    private var values = SIMD8<Int64>()

    package init() {}

    package subscript(part: TaskPart) -> Int64 {
        get { values[part.rawValue] }
        set { values[part.rawValue] = newValue }
    }

    package var total: Int64 { values.wrappedSum() }

    package static func += (sum: inout Self, parts: Self) { sum.values &+= parts.values }
}

extension LifetimeParts {
    /// The parts of a task as those of an operation, for sums over both: its executor is its queue, and an
    /// actor is a slot; what it awaits is a dependency. Sleeping and what is not known are unknown.
    package init(_ task: TaskParts) {
        self = [
            .dependency: task[.task] + task[.group] + task[.continuation], .slot: task[.actor],
            .dispatch: task[.executor], .execution: task[.running],
            .unknown: task[.sleep] + task[.unknown],
        ]
    }
}
