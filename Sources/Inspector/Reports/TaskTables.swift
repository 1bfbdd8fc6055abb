/// Where the time of Swift tasks went, as tables: a row for each function or executor, or for each task.
struct TaskTables: Sendable {
    private let lifetimes: TaskLifetimes
    private var content: Content
    /// How many rows there would be without a limit.
    let total: Int

    private enum Content {
        case groups(TaskGrouping, [TaskGroup])
        /// As indices.
        case tasks([Int])
    }

    /// - Parameters:
    ///   - grouping: nil for a row for each task.
    ///   - limit: the largest number of rows; nil for all.
    init(_ timings: TraceTimings, by grouping: TaskGrouping?, limit: Int?) {
        let tasks = timings.trace.tasks
        let lifetimes = TaskLifetimes(tasks, tasks.isEmpty ? nil : ProcessorUse(timings))
        self.lifetimes = lifetimes
        if let grouping {
            let groups = TaskGroup.all(lifetimes, by: grouping)
            total = groups.count
            content = .groups(grouping, Array(groups.prefix(limit ?? .max)))
        } else {
            let running = tasks.entries.indices.map { lifetimes.parts(of: $0)[.running] }
            let sorted = tasks.entries.indices.sorted { (running[$1], $0) < (running[$0], $1) }
            total = sorted.count
            content = .tasks(Array(sorted.prefix(limit ?? .max)))
        }
    }

    /// With these numbers of groups and tasks at most.
    func shortened(to fewGroups: Int, _ fewTasks: Int) -> TaskTables {
        var tables = self
        switch content {
        case .groups(let grouping, let groups):
            tables.content = .groups(grouping, Array(groups.prefix(fewGroups)))
        case .tasks(let tasks): tables.content = .tasks(Array(tasks.prefix(fewTasks)))
        }
        return tables
    }

    /// What the rows are about, as in the headings.
    var noun: String {
        switch content {
        case .groups(let grouping, _): "task \(grouping)"
        case .tasks: "task"
        }
    }

    var shown: Int {
        switch content {
        case .groups(_, let groups): groups.count
        case .tasks(let tasks): tasks.count
        }
    }

    // MARK: For people

    var tables: [TextTable] {
        if lifetimes.tasks.isEmpty { return [] }
        return switch content {
        case .groups(let grouping, let groups):
            [lives(grouping, groups), parts(grouping, groups), outcomes(grouping, groups)].compactMap { $0 }
        case .tasks(let tasks): [self.tasks(tasks)]
        }
    }

    private func lives(_ grouping: TaskGrouping, _ groups: [TaskGroup]) -> TextTable {
        var table = TextTable(
            title: "Tasks by \(grouping), and how many were alive on average",
            columns: [.name("\(grouping)"), .number("count"), .number("runs"), .number("alive")]
                + TimingTable.statistics)
        for group in groups {
            table.rows.append(
                [
                    group.name, Prose.grouped(group.tasks.count), Prose.grouped(group.runs),
                    average(group.lifetime),
                ]
                    + TimingTable.statistics(group.lifetime))
        }
        return table
    }

    private func parts(_ grouping: TaskGrouping, _ groups: [TaskGroup]) -> TextTable {
        var table = TextTable(
            title: "What tasks by \(grouping) did, and how many did it on average"
                + (groups.contains { $0.isRunningExact == false } ? " (≈ estimated)" : ""),
            columns: [.group("\(grouping)"), .word("part"), .number("tasks")] + TimingTable.statistics)
        for group in groups {
            for part in TaskPart.allCases where group[part].max > 0 {
                table.rows.append(
                    [group.name, part.row.label, average(group[part])] + TimingTable.statistics(group[part]))
                if part == .running { table.rows += runs(group) }
            }
        }
        return table
    }

    /// What the threads did while tasks of a group were running, if that was recorded.
    private func runs(_ group: TaskGroup) -> [[String]] {
        guard let measured = group[.unmeasured], measured.total < group[.running].total else { return [] }
        return ExecutionParts.Part.allCases.compactMap { part in
            guard let times = group[part], times.max > 0 else { return nil }
            let isEstimate = part.row.isEstimated && group.isRunningExact == false
            return [group.name, (isEstimate ? "· ≈ " : "· ") + part.label, average(times)]
                + TimingTable.statistics(times)
        }
    }

    private func average(_ distribution: Distribution) -> String {
        Prose.average(of: distribution.total, in: lifetimes.span)
    }

    /// The groups with tasks that did not succeed, if any.
    private func outcomes(_ grouping: TaskGrouping, _ groups: [TaskGroup]) -> TextTable? {
        let counts: [(heading: String, count: (TaskGroup) -> Int)] = [
            ("failed", { $0.failed }), ("cancelled", { $0.cancelled }), ("not finished", { $0.unfinished }),
        ]
        let shown = counts.filter { column in groups.contains { column.count($0) > 0 } }
        if shown.isEmpty { return nil }
        var table = TextTable(
            title: "Tasks that failed, were cancelled or did not finish, by \(grouping)",
            columns: [.name("\(grouping)"), .number("count")] + shown.map { .number($0.heading) })
        for group in groups where shown.contains(where: { $0.count(group) > 0 }) {
            table.rows.append(
                [group.name, Prose.grouped(group.tasks.count)] + shown.map { Prose.grouped($0.count(group)) })
        }
        return table
    }

    private func tasks(_ indices: [Int]) -> TextTable {
        let trace = lifetimes.tasks
        let rows = indices.map { TaskRow(lifetimes, $0) }
        let sum = rows.reduce(into: TaskParts()) { $0 += $1.parts }
        let parts = TaskPart.allCases.filter { $0 == .running || sum[$0] > 0 }
        var table = TextTable(
            title: "Tasks, longest running first",
            columns: [.name("task"), .word("outcome")] + parts.map { .number($0.row.label) } + [
                .number("lifetime", or: "life")
            ])
        table.narrowestName = 12
        for row in rows {
            let outcome =
                switch row.entry.outcome {
                case .succeeded: ""
                case .cancelled: "cancelled"
                case .failed: "failed"
                case nil: "not finished"
                }
            let name = row.entry.name == 0 ? trace.kind(of: row.task) : trace.texts[row.entry.name]
            let times = parts.map { row.parts[$0] }
            table.rows.append(
                [name, outcome]
                    + times.map { $0 == 0 ? "-" : DurationFormat.text(nanoseconds: $0) }
                    + [DurationFormat.text(nanoseconds: row.parts.total)])
        }
        return table
    }

    // MARK: For programs

    /// What `by` is in JSON.
    var word: String {
        switch content {
        case .groups(let grouping, _): grouping == .kind ? "task-kind" : "executor"
        case .tasks: "task"
        }
    }

    /// The headings, and then the cells of each row.
    func forEachLine(_ body: ([String]) -> Void) {
        switch content {
        case .groups(let grouping, let groups):
            body(["\(grouping)"] + TaskColumn<TaskGroup>.all.map(\.name))
            for group in groups {
                body(
                    [CSVText.inert(group.name)] + TaskColumn<TaskGroup>.all.map { Self.cell($0.value(group)) }
                )
            }
        case .tasks(let tasks):
            body(TaskColumn<TaskRow>.all.map(\.name))
            for task in tasks {
                let row = TaskRow(lifetimes, task)
                body(TaskColumn<TaskRow>.all.map { Self.cell($0.value(row)) })
            }
        }
    }

    var rows: AnySequence<JSONObject> {
        switch content {
        case .groups(let grouping, let groups):
            AnySequence(
                groups.lazy.map { group in
                    var object = JSONObject()
                    object.add("\(grouping)", group.name)
                    for column in TaskColumn<TaskGroup>.all {
                        Self.add(column.key, column.value(group), to: &object)
                    }
                    return object
                })
        case .tasks(let tasks):
            AnySequence(
                tasks.lazy.map { [lifetimes] task in
                    let row = TaskRow(lifetimes, task)
                    var object = JSONObject()
                    for column in TaskColumn<TaskRow>.all {
                        Self.add(column.key, column.value(row), to: &object)
                    }
                    return object
                })
        }
    }

    private static func cell<Row>(_ value: TaskColumn<Row>.Value) -> String {
        switch value {
        case .text(let text): text.map(CSVText.inert) ?? ""
        case .number(let number): number.map { String($0) } ?? ""
        case .flag(let flag): flag.map { String($0) } ?? ""
        }
    }

    private static func add<Row>(_ key: String, _ value: TaskColumn<Row>.Value, to object: inout JSONObject) {
        switch value {
        case .text(let text): object.add(key, text)
        case .number(let number): object.add(key, number)
        case .flag(let flag): if let flag { object.add(key, flag) }
        }
    }
}
