import EventLog
import InspectorColumns
import WaitDiagnosis

/// Sentences about tasks that stand still.
package struct TaskStandstillText {
    private let trace: Trace
    private let tasks: TraceTasks
    private let names: OperationNames
    private let thread: (ProcessThread) -> String?

    /// - Parameters:
    ///   - trace: one that has its tasks as operations.
    ///   - thread: what a thread does at the moment; nil if that is not known.
    package init(_ trace: Trace, thread: @escaping (ProcessThread) -> String?) {
        self.trace = trace
        tasks = trace.tasks
        names = OperationNames(trace, longestName: 80)
        self.thread = thread
    }

    /// What most tasks wait for at the end of a trace, if it has stood still for a noticeable time. Nil
    /// also if events were lost, which may have ended it.
    ///
    /// - Parameter trace: one that has its tasks as operations.
    package static func line(_ trace: Trace, _ blockers: Blockers) -> String? {
        guard trace.header.droppedEvents == 0, let first = TaskStandstills(trace, blockers).all.first,
            trace.tasks.end - first.since >= UnfinishedReport.shortest
        else { return nil }
        return TaskStandstillText(trace) { _ in nil }.sentence(first)
    }

    /// - Parameter countsWaiting: whether to say how many tasks wait for it.
    package func sentence(_ standstill: TaskStandstills.Standstill, countsWaiting: Bool = true) -> String {
        let task = standstill.tasks[0]
        var sentence = standstill.isCircle ? circle(standstill.tasks) : claim(task, standstill)
        if standstill.alike > 0 {
            sentence +=
                "; " + Prose.counted(standstill.alike, "more task", "more tasks")
                + " of \(TerminalText.shortened(tasks.kind(of: task))) "
                + "\(standstill.alike == 1 ? "does" : "do") the same"
        }
        if countsWaiting, standstill.waiting > 0 {
            let count = Prose.counted(standstill.waiting, "task waits", "tasks wait")
            sentence += "; \(count) for \(standstill.isCircle || standstill.alike > 0 ? "them" : "it")"
        }
        if let parent = operation(of: task) {
            sentence += "; operation \(names[parent]), which created it, has not finished"
        }
        return sentence
    }

    package func name(ofOperation operation: Int) -> String { names[operation] }

    package func name(_ task: Int) -> String { names[tasks.operation(of: task)] }

    /// `, in fetch(_:) ← page(_:)`; empty for an empty stack.
    package static func place(_ stack: AwaitStack) -> String {
        let functions = stack.shown.map { TerminalText.shortened($0, toColumns: 60) }
        return functions.isEmpty ? "" : ", in " + functions.joined(separator: " ← ")
    }

    private func circle(_ members: [Int]) -> String {
        let isWhole = members.count <= StandstillText.longestCircle
        let shown = isWhole ? members + [members[0]] : Array(members.prefix(StandstillText.longestCircle))
        return shown.map { name($0) }.joined(separator: " awaits ")
            + (isWhole ? "" : ", and so on, \(Prose.grouped(members.count)) tasks in all")
            + ": none of them can go on"
    }

    private func claim(_ task: Int, _ standstill: TaskStandstills.Standstill) -> String {
        let time = "for \(DurationFormat.text(nanoseconds: max(0, tasks.end - standstill.since)))"
        let place = Self.place(AwaitPlaces.stacks([standstill.place])[0])
        switch standstill.state {
        case .running:
            let run = tasks.runs(of: task).last
            let number = run?.thread ?? 0
            let does = thread(ProcessThread(process: tasks.entries[task].process, number: number))
            return "\(name(task)) has been running \(time), on thread \(number)"
                + (does.map { ", which is \($0)" } ?? "")
        case .executor(let executor): return "\(name(task)) has waited for \(self.executor(executor)) \(time)"
        case .awaiting(.sleep): return "\(name(task)) has slept \(time)\(place)"
        case .awaiting(.continuation):
            return "\(name(task)) has awaited its continuation \(time)\(place); \(resumption(of: task))"
        case .awaiting(.group): return "\(name(task)) has awaited its task group \(time)\(place)"
        case .awaiting(.task):
            let awaited = tasks.runs(of: task).last.map { Int($0.awaited) } ?? -1
            let what =
                awaited >= 0 ? "\(name(awaited)), which has finished," : "a task that is not in the log"
            return "\(name(task)) has awaited \(what) \(time)\(place)"
        case .awaiting: return "\(name(task)) has been suspended \(time)\(place)"
        }
    }

    /// What is known of who could resume a task that awaits its continuation.
    private func resumption(of task: Int) -> String {
        guard let search = tasks.searches[Int32(task)] else { return "nothing has resumed it" }
        return Self.resumption(holder: tasks.texts[search.holder], unseen: tasks.texts[search.unseen])
    }

    /// What a search of the memory says of tasks that await their continuations.
    ///
    /// - Parameters:
    ///   - holder: what leads to them; empty for nothing.
    ///   - unseen: what the search could not see; empty for nothing.
    package static func resumption(holder: String, unseen: String, count: Int = 1) -> String {
        let (them, its) = count == 1 ? ("it", "its continuation") : ("them", "their continuations")
        // What leads to a task may have its handle only.
        if !holder.isEmpty {
            let shown = TerminalText.shortened(holder, toColumns: 60)
            return "nothing has resumed \(them); \(shown) may hold \(its)"
        }
        return unseen.isEmpty
            ? "nothing in the process can resume \(them): \(its) \(count == 1 ? "is" : "are") lost"
            : "possibly nothing can resume \(them): nothing in its memory leads to \(them), but "
                + TerminalText.shortened(unseen, toColumns: 60)
    }

    package func executor(_ executor: Int32) -> String { tasks.nameInProse(ofExecutor: executor) }

    /// The operation that has not finished in which the task was created, or a task that created it.
    private func operation(of task: Int) -> Int? {
        let columns = trace.operations.store.columns
        var (index, steps) = (tasks.operation(of: task), 0)
        while trace.task(index) != nil, steps < 1_000 {
            let parent = Int(columns.parents[index])
            guard parent >= 0, parent != index, parent < columns.count else { return nil }
            (index, steps) = (parent, steps + 1)
        }
        return trace.task(index) == nil && columns.enqueued.has(index) && !columns.finished.has(index)
            ? index : nil
    }
}
