import EventLog
import InspectorColumns

/// A row for each Swift task of a trace.
struct TasksTable {
    static let columns =
        TableWriter.runColumns + TableWriter.programColumns + TaskColumn<TaskRow>.all.map(\.name) + [
            "is_critical", "created_utc_ns", "started_utc_ns", "finished_utc_ns",
        ]

    let exported: ExportedTrace

    func write(_ writer: consuming TableWriter, _ emit: ([UInt8]) -> Void) {
        let tasks = exported.whole.trace.tasks
        let lifetimes = TaskLifetimes(tasks, exported.processorUse)
        let processes = exported.trace.processes
        for (index, entry) in tasks.entries.enumerated() {
            writer.addRun(exported)
            writer.addProgram(exported, processes[Int(entry.process)])
            let row = TaskRow(lifetimes, index)
            for column in TaskColumn<TaskRow>.all { writer.add(column.value(row)) }
            writer.add(exported.whole.criticalPath.contains(operation: tasks.operation(of: index)))
            writer.add(entry.created.flatMap(exported.absolute))
            writer.add(tasks.runs(of: index).first.flatMap { exported.absolute($0.start) })
            writer.add(entry.finished.flatMap(exported.absolute))
            writer.endRow(emit)
        }
        emit(writer.bytes)
    }
}

/// A row for each run of each Swift task of a trace, with what the task awaited after it.
struct TaskRunsTable {
    static let columns =
        TableWriter.runColumns + [
            "task", "number", "kind", "executor_kind", "executor", "executor_id", "thread", "start_ns",
            "end_ns", "awaits", "awaited_task", "next_executor", "ready_ns", "resumed_by", "place",
        ]

    let exported: ExportedTrace

    func write(_ writer: consuming TableWriter, _ emit: ([UInt8]) -> Void) {
        let tasks = exported.trace.tasks
        func executor(_ index: Int32) -> TraceTasks.Executor? {
            index == TraceTasks.none ? nil : tasks.executors[Int(index)]
        }
        for (index, run) in tasks.runs.enumerated() {
            let task = Int(run.task)
            let own = executor(run.executor)
            writer.addRun(exported)
            writer.add(OperationID(tasks.entries[task].identifier).description)
            writer.add(index - tasks.firstRuns[task] + 1)
            writer.add(tasks.kind(of: task))
            writer.add(own.map { "\($0.kind)" })
            writer.add(own?.name)
            writer.add(own?.id.description)
            writer.add(run.thread)
            writer.add(run.start)
            writer.add(run.end)
            writer.add(run.awaits.map { "\($0)" })
            writer.add(
                run.awaited == TraceTasks.none
                    ? nil : OperationID(tasks.entries[Int(run.awaited)].identifier).description)
            writer.add(executor(run.nextExecutor)?.name)
            writer.add(run.ready)
            writer.add(run.by == 0 ? nil : OperationID(run.by).description)
            writer.add(run.place == 0 ? nil : tasks.texts[run.place])
            writer.endRow(emit)
        }
        emit(writer.bytes)
    }
}
