import CLogFormat
import EventLog
import InspectorColumns

extension TraceTasks {
    /// Where the tasks are among the operations of a trace that has them there.
    package struct AsOperations: Sendable {
        /// Index into the trace's operations of the first task. The others follow in their order.
        package let first: Int
        /// For each run, the operation or task that made its task ready afterwards, as an index into the
        /// trace's operations; `none` if that is not known, and for a task that enqueued itself.
        package let wakers: [Int32]
    }
}

extension TraceTasks {
    /// The index of a task among the operations of a trace that has its tasks there.
    package func operation(of task: Int) -> Int { (asOperations?.first ?? 0) + task }
}

extension Trace {
    /// The same trace with its Swift tasks as operations, after the others: analyses find operations and
    /// tasks in one place. The trace itself if it has no tasks.
    ///
    /// A task was enqueued when it was created, started with its first run, and is a child of the task or
    /// operation that created it. It has no queue. An operation that a task enqueued is a child of that task.
    /// Linear in operations, tasks and runs.
    package func withTasks() -> Trace {
        if tasks.isEmpty || tasks.asOperations != nil { return self }
        var trace = self
        var columns = operations.store.columns
        var texts = operations.store.texts
        let first = columns.count
        for (operation, task) in tasks.enqueuers {
            columns.parents[Int(operation)] = Int32(first) + task
        }
        let places = Places(self)
        let kinds = tasks.kinds.map { columns.kind(texts.number(of: $0), texts) }
        for task in tasks.entries.indices {
            append(task, to: &columns, kinds, parent: places.index(of: tasks.entries[task].parent))
        }
        trace.operations = TracedOperations(OperationStore(columns, texts))
        trace.tasks.asOperations = .init(
            first: first,
            wakers: tasks.runs.map { run in
                let waker = places.index(of: run.by) ?? TraceTasks.none
                return waker == Int32(first) + run.task ? TraceTasks.none : waker
            })
        return trace
    }

    /// The task that an operation of the trace is; nil for an operation.
    ///
    /// - Parameter operation: an index into the trace's operations.
    package func task(_ operation: Int) -> Int? {
        guard let first = tasks.asOperations?.first, operation >= first else { return nil }
        return operation - first
    }

    private func append(_ task: Int, to columns: inout OperationColumns, _ kinds: [Int32], parent: Int32?) {
        let entry = tasks.entries[task]
        let run = tasks.runs(of: task).first
        let index = columns.count
        columns.append(entry.identifier)
        columns.kinds[index] = kinds[Int(entry.kind)]
        if entry.name != 0 { columns.names[index] = entry.name }
        if let parent, Int(parent) != index { columns.parents[index] = parent }
        if entry.process != 0 { columns.processes[index] = entry.process }
        func moment(_ time: Int64?) -> TraceMoment? { time.map { TraceMoment($0) } }
        columns.enqueued[index] = moment(tasks.start(of: task))
        columns.ready[index] = moment(entry.enqueued ?? run?.start)
        columns.executing[index] = moment(run?.start)
        columns.cancelled[index] = moment(entry.cancelled)
        columns.finished[index] = moment(entry.finished)
        switch entry.outcome {
        case .succeeded: columns.outcomes[index] = OperationColumns.succeeded
        case .cancelled: columns.outcomes[index] = OperationColumns.cancelled
        case .failed(let type): columns.outcomes[index] = OperationColumns.failed + type
        case nil: break
        }
        if let run {
            columns.threads[index] = columns.thread(ProcessThread(process: entry.process, number: run.thread))
        }
    }

    /// The index of each number of the log.
    private struct Places {
        private var operations = IndexTable()
        private var tasks = IndexTable()
        private let first: Int

        init(_ trace: Trace) {
            first = trace.operations.count
            operations.reserve(first)
            for identifier in trace.operations.store.columns.identifiers {
                _ = operations.index(of: identifier)
            }
            for entry in trace.tasks.entries { _ = tasks.index(of: entry.identifier &- LOG_FIRST_TASK) }
        }

        /// Nil for 0 and for one that is not in the trace.
        func index(of identifier: UInt64) -> Int32? {
            if identifier == 0 { return nil }
            let index =
                OperationID(identifier).isTask
                ? tasks.existingIndex(of: identifier - LOG_FIRST_TASK).map { first + $0 }
                : operations.existingIndex(of: identifier)
            return index.map { Int32(truncatingIfNeeded: $0) }
        }
    }
}

extension Prose {
    /// `3 operations and 4 tasks`.
    package static func counted(operations: Int, tasks: Int) -> String {
        let parts = [(operations, "operation"), (tasks, "task")].filter {
            $0.0 > 0 || tasks == 0 && $0.1 != "task"
        }
        return list(parts.map { counted($0.0, $0.1) })
    }
}
