package import InspectorTraces

/// A column of tables of Swift tasks for programs: its name in CSV, and what is in it. Times are nanoseconds.
package struct TaskColumn<Row>: Sendable {
    package enum Value {
        case text(String?)
        case number(Int64?)
        case flag(Bool?)
    }

    package let name: String
    /// The name in JSON: `runningOnCPUMeanNs` for `running_on_cpu_mean_ns`.
    package let key: String
    package let value: @Sendable (Row) -> Value

    /// - Parameter key: nil if it follows from the name.
    fileprivate init(name: String, key: String? = nil, _ value: @escaping @Sendable (Row) -> Value) {
        (self.name, self.key, self.value) = (name, key ?? name.jsonKey, value)
    }
}

extension String {
    fileprivate var jsonKey: String {
        let words = split(separator: "_")
        return words.dropFirst().reduce(String(words[0])) {
            $0 + ($1 == "cpu" ? "CPU" : $1.prefix(1).uppercased() + $1.dropFirst())
        }
    }
}

extension TaskPart.Row {
    /// The name in JSON, without the unit: `awaitingTask`.
    package var key: String { column.jsonKey }
}

extension TaskColumn<TaskGroup> {
    /// After the name of the group.
    package static let all: [TaskColumn] =
        [
            TaskColumn(name: "count") { .number(Int64($0.tasks.count)) },
            TaskColumn(name: "runs") { .number(Int64($0.runs)) },
            TaskColumn(name: "succeeded") { .number(Int64($0.succeeded)) },
            TaskColumn(name: "failed") { .number(Int64($0.failed)) },
            TaskColumn(name: "cancelled") { .number(Int64($0.cancelled)) },
            TaskColumn(name: "unfinished") { .number(Int64($0.unfinished)) },
        ] + statistics("lifetime", \.lifetime)
        + TaskPart.allCases.flatMap { part in statistics(part.row.column) { $0[part] } }
        + ExecutionParts.Part.ofRuns.flatMap { part in statistics(part.columnOfRuns) { $0[part] } }
        + [TaskColumn(name: "running_is_estimated") { .flag($0.isRunningExact.map(!)) }]

    private static func statistics(
        _ name: String, _ distribution: @escaping @Sendable (TaskGroup) -> Distribution?
    ) -> [TaskColumn] {
        Distribution([]).statistics.indices.map { index in
            TaskColumn(name: "\(name)_\(Distribution([]).statistics[index].name)_ns") {
                .number(distribution($0)?.statistics[index].nanoseconds)
            }
        }
    }
}

extension ExecutionParts.Part {
    /// Those that a run can have: a task is on a thread while it is running.
    fileprivate static let ofRuns = allCases.filter { $0 != .offThread }

    fileprivate var columnOfRuns: String { "running_" + row.column }
}

/// A task, and what a table says of it.
package struct TaskRow: Sendable {
    package let lifetimes: TaskLifetimes
    package let task: Int
    package let parts: TaskParts
    /// Nil if nobody recorded when threads were on processors.
    package let runningParts: ExecutionParts?

    package init(_ lifetimes: TaskLifetimes, _ task: Int) {
        self.lifetimes = lifetimes
        self.task = task
        parts = lifetimes.parts(of: task)
        runningParts = lifetimes.runningParts(of: task)
    }

    package var entry: TraceTasks.Entry { lifetimes.tasks.entries[task] }
}

extension TaskColumn<TaskRow> {
    package static let all: [TaskColumn] =
        [
            TaskColumn(name: "task", key: "operation") { .text("\(OperationID($0.entry.identifier))") },
            TaskColumn(name: "kind") { .text($0.lifetimes.tasks.kind(of: $0.task)) },
            TaskColumn(name: "name") { row in
                .text(row.entry.name == 0 ? nil : row.lifetimes.tasks.texts[row.entry.name])
            },
            TaskColumn(name: "parent") { row in
                .text(row.entry.parent == 0 ? nil : "\(OperationID(row.entry.parent))")
            },
            TaskColumn(name: "creation") { .text("\($0.entry.creation)") },
            TaskColumn(name: "executor") { .text($0.lifetimes.executorName(of: $0.task)) },
            TaskColumn(name: "priority") { .number(Int64($0.entry.priority)) },
            TaskColumn(name: "outcome") { .text(outcome($0.entry.outcome)) },
            TaskColumn(name: "error") { row in
                guard case .failed(let type) = row.entry.outcome else { return .text(nil) }
                return .text(row.lifetimes.tasks.texts[type])
            },
            TaskColumn(name: "created_ns") { .number($0.entry.created) },
            TaskColumn(name: "started_ns") { .number($0.lifetimes.tasks.runs(of: $0.task).first?.start) },
            TaskColumn(name: "finished_ns") { .number($0.entry.finished) },
            TaskColumn(name: "runs") { .number(Int64($0.lifetimes.tasks.runs(of: $0.task).count)) },
            TaskColumn(name: "lifetime_ns") { .number($0.parts.total) },
        ]
        + TaskPart.allCases.map { part in
            TaskColumn(name: part.row.column + "_ns") { .number($0.parts[part]) }
        }
        + ExecutionParts.Part.ofRuns.map { part in
            TaskColumn(name: part.columnOfRuns + "_ns") { .number($0.runningParts?[part]) }
        }
        + [TaskColumn(name: "running_is_estimated") { .flag(($0.runningParts?.isExact).map(!)) }]

    private static func outcome(_ outcome: TraceTasks.Outcome?) -> String {
        switch outcome {
        case .succeeded: "succeeded"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case nil: "unfinished"
        }
    }
}
