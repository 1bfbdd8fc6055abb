import InspectorTraces

/// What rows of Swift tasks are about.
public enum TaskGrouping: String, Hashable, Sendable, CustomStringConvertible {
    /// The function that a task was written in.
    case kind
    /// The executor of the first run: an actor, the main actor, the global executor or one of the program's.
    case executor

    /// The heading of the column.
    public var description: String { rawValue }
}

/// Tasks with something in common, and how long the parts of their lifetimes took.
package struct TaskGroup: Sendable {
    package let name: String
    /// As indices.
    package let tasks: [Int]
    package let runs: Int
    package let succeeded, failed, cancelled, unfinished: Int
    package let lifetime: Distribution
    /// By ``TaskPart``.
    private let parts: [Distribution]
    /// By `ExecutionParts.Part`; empty if nobody recorded when threads were on processors.
    private let running: [Distribution]
    /// Whether the waits for processors of all tasks are, and so what was blocked. Nil if nobody recorded it.
    package let isRunningExact: Bool?

    package subscript(part: TaskPart) -> Distribution { parts[part.rawValue] }

    /// How long the threads were on processors and off them while a task was running. Nil if that was not
    /// recorded.
    package subscript(part: ExecutionParts.Part) -> Distribution? {
        running.isEmpty ? nil : running[part.rawValue]
    }

    private init(_ name: String, _ tasks: [Int], _ lifetimes: TaskLifetimes) {
        self.name = name
        self.tasks = tasks
        let trace = lifetimes.tasks
        runs = tasks.reduce(0) { $0 + trace.runs(of: $1).count }
        var counts = (succeeded: 0, failed: 0, cancelled: 0, unfinished: 0)
        for task in tasks {
            switch trace.entries[task].outcome {
            case .succeeded: counts.succeeded += 1
            case .failed: counts.failed += 1
            case .cancelled: counts.cancelled += 1
            case nil: counts.unfinished += 1
            }
        }
        (succeeded, failed, cancelled, unfinished) = counts
        let times = tasks.map(lifetimes.parts)
        lifetime = Distribution(times.map(\.total))
        parts = TaskPart.allCases.map { part in Distribution(times.map { $0[part] }) }
        let runs = tasks.compactMap(lifetimes.runningParts)
        isRunningExact = runs.isEmpty ? nil : runs.allSatisfy(\.isExact)
        running =
            runs.isEmpty
            ? [] : ExecutionParts.Part.allCases.map { part in Distribution(runs.map { $0[part] }) }
    }

    /// Those with the most running time first. Linear in runs, plus sorting.
    package static func all(_ lifetimes: TaskLifetimes, by grouping: TaskGrouping) -> [TaskGroup] {
        let trace = lifetimes.tasks
        var members: [String: [Int]] = [:]
        for task in trace.entries.indices {
            let name =
                switch grouping {
                case .kind: trace.kind(of: task)
                case .executor: lifetimes.executorName(of: task)
                }
            members[name, default: []].append(task)
        }
        return members.map { TaskGroup($0.key, $0.value, lifetimes) }.sorted {
            ($1[.running].total, $0.name) < ($0[.running].total, $1.name)
        }
    }
}

extension TaskLifetimes {
    /// The name of the executor of the first run; `-` for a task that never ran, or on an unknown one.
    package func executorName(of task: Int) -> String {
        guard let run = tasks.runs(of: task).first, run.executor != TraceTasks.none else { return "-" }
        return tasks.executors[Int(run.executor)].name
    }

    /// From the first event of a task to the end of the log, in nanoseconds.
    package var span: Int64 {
        let start = tasks.entries.indices.reduce(tasks.end) { min($0, range(of: $1).lowerBound) }
        return tasks.end - start
    }
}
