import EventLog
import Foundation
import Inspector
import MemorySearch

/// What can be seen of a process that writes no log: its threads, and, after a search of its memory, its
/// operation queues and its suspended Swift tasks. What happened before is not seen.
struct OutsideView {
    /// Threads that are at the same place, or tasks that await the same there.
    struct Group<Member, Place: Hashable> {
        let place: Place
        var members: [Member]
    }

    struct ThreadState: Hashable {
        let place: ThreadPlace
        let isRunnable: Bool
        let isFirst: Bool
    }

    struct TaskState: Hashable {
        /// Without the number of an awaited task.
        let reason: SuspendedTask.Reason
        let functions: [String]
        let verdict: ResumeSearch.Verdict
    }

    let process: Int32
    let program: String
    /// In the order in which they should be read: the first thread of the program, then what holds most.
    let threads: [Group<ThreadStacks.Thread, ThreadState>]
    /// Threads of pools without work, and the like.
    let idle: Int
    /// Those that nothing can resume first. Nil if the memory was not searched.
    let tasks: [Group<SuspendedTask, TaskState>]?
    let queues: [OutsideQueue]
    /// Why nothing is proven; a clause that can follow "because".
    let unseen: String?

    init(
        process: Int32, program: String, threads: [ThreadStacks.Thread], tasks: [SuspendedTask]?,
        queues: [FoundQueue] = [], unseen: String? = nil
    ) {
        (self.process, self.program, self.unseen) = (process, program, unseen)
        let groups = Self.groups(threads) { thread in
            ThreadState(
                place: ThreadPlace(thread.frames), isRunnable: thread.isRunnable,
                isFirst: thread.number == process)
        }
        let working = groups.filter { !$0.place.place.functions.isEmpty || $0.place.isRunnable }
        idle = threads.count - working.reduce(0) { $0 + $1.members.count }
        self.threads = working.sorted { Self.rank($0) < Self.rank($1) }
        let executing = Set(
            threads.lazy.filter { ThreadPlace($0.frames).work == .operation }.map(\.number))
        self.queues = queues.map { OutsideQueue($0, executing: executing, unseen: unseen) }
        self.tasks = tasks.map { tasks in
            Self.groups(tasks) { task in
                var reason = task.reason
                if case .task = reason { reason = .task(nil) }
                return TaskState(reason: reason, functions: task.functions, verdict: task.verdict)
            }.sorted { Self.rank($0) < Self.rank($1) }
        }
    }

    private static func groups<Member, Place>(
        _ members: [Member], _ place: (Member) -> Place
    ) -> [Group<Member, Place>] {
        var groups: [Group<Member, Place>] = []
        var known: [Place: Int] = [:]
        for member in members {
            let place = place(member)
            if let index = known[place] {
                groups[index].members.append(member)
            } else {
                known[place] = groups.count
                groups.append(Group(place: place, members: [member]))
            }
        }
        return groups
    }

    private static func rank(_ group: Group<ThreadStacks.Thread, ThreadState>) -> (Int, Int, Int32) {
        (group.place.isFirst ? 0 : 1, -group.members.count, group.members[0].number)
    }

    private static func rank(_ group: Group<SuspendedTask, TaskState>) -> (Int, Int, UInt32) {
        let order =
            switch (group.place.verdict, group.place.reason) {
            case (.unreachable, _): 0
            case (_, .continuation): 1
            case (_, .executor): 2
            default: 3
            }
        return (order, -group.members.count, group.members[0].number)
    }

    // MARK: Text

    /// The most places that the text shows, of threads and of tasks.
    private static let most = 20

    /// - Parameter width: nil for lines of any length.
    func text(width: Int?) -> String {
        var lines = ["\(TerminalText.escaped(program)) (pid \(process)), not recorded"]
        lines += ["", "Threads"]
        for group in threads.prefix(Self.most) {
            lines.append("  " + heading(group))
            if !group.place.place.functions.isEmpty { lines.append(Self.stack(group.place.place.functions)) }
        }
        lines += Self.rest(threads)
        if idle > 0 {
            let others = threads.isEmpty ? "thread" : "more thread"
            lines.append(
                "  \(Prose.counted(idle, others, others + "s")) \(idle == 1 ? "waits" : "wait") for work")
        }
        if !queues.isEmpty {
            lines += ["", "Queues"]
            for queue in queues.prefix(Self.most) { lines += queue.lines }
            let left = queues.count - Self.most
            if left > 0 { lines.append("  " + Prose.counted(left, "more queue", "more queues")) }
        }
        if let tasks {
            lines += ["", tasks.isEmpty ? "No Swift task is suspended." : "Suspended tasks"]
            for group in tasks.prefix(Self.most) {
                lines.append("  " + sentence(group))
                if !group.place.functions.isEmpty { lines.append(Self.stack(group.place.functions)) }
            }
            lines += Self.rest(tasks)
        }
        return lines.map { Prose.wrapped($0, to: width, indent: $0.hasPrefix("      ") ? 8 : 4) }
            .joined(separator: "\n") + "\n"
    }

    private static func rest<Member, Place>(_ groups: [Group<Member, Place>]) -> [String] {
        let left = groups.dropFirst(most).reduce(0) { $0 + $1.members.count }
        return left > 0 ? ["  \(Prose.grouped(left)) more at other places: --format json has all"] : []
    }

    private static func stack(_ functions: [String]) -> String {
        "      in "
            + AwaitStack.shown(functions).map { TerminalText.shortened($0, toColumns: 60) }
            .joined(separator: " ← ")
    }

    private func heading(_ group: Group<ThreadStacks.Thread, ThreadState>) -> String {
        let first = group.members[0]
        let who: String
        if group.place.isFirst {
            who = "main thread"
        } else if group.members.count > 1 {
            who = Prose.counted(group.members.count, "thread", "threads")
        } else {
            who = "thread \(first.number)"
        }
        let what = group.place.isRunnable ? "on a CPU" : "blocked"
        return switch group.place.place.work {
        case .task: "\(who), \(what) in \(group.members.count == 1 ? "a task" : "tasks")"
        case .operation: "\(who), \(what) in \(group.members.count == 1 ? "an operation" : "operations")"
        case .other: "\(who), \(what)"
        }
    }

    private func sentence(_ group: Group<SuspendedTask, TaskState>) -> String {
        let count = group.members.count
        let who =
            count == 1 ? "task \(group.members[0].number)" : Prose.counted(count, "task", "tasks")
        func verb(_ one: String, _ several: String) -> String { count == 1 ? one : several }
        switch group.place.reason {
        case .task:
            if count == 1, case .task(let number?) = group.members[0].reason {
                return "\(who) awaits task \(number)"
            }
            return "\(who) \(verb("awaits another task", "await other tasks"))"
        case .sleep: return "\(who) \(verb("sleeps", "sleep"))"
        case .group: return "\(who) \(verb("awaits its task group", "await their task groups"))"
        case .executor: return "\(who) \(verb("waits", "wait")) for a thread or an actor"
        case .continuation:
            let awaits = "\(who) \(verb("awaits its continuation", "await their continuations"))"
            switch group.place.verdict {
            case .held(let holder):
                return "\(awaits); " + TaskStandstillText.resumption(holder: holder, unseen: "", count: count)
            case .unreachable:
                return "\(awaits); "
                    + TaskStandstillText.resumption(holder: "", unseen: unseen ?? "", count: count)
            case .unknown: return awaits
            }
        }
    }

    // MARK: JSON

    private static let jsonVersion = 1

    /// As `Documentation/schemas/process.schema.json` says.
    var json: [UInt8] {
        var object = JSONObject()
        object.add("format", "opviz-process")
        object.add("version", Self.jsonVersion)
        object.add("process", program)
        object.add("pid", process)
        object.add("idleThreads", idle)
        object.add("threads", threads.flatMap { group in group.members.map { Self.object($0, group.place) } })
        if let tasks {
            object.add("queues", queues.map(\.object))
            object.add("tasks", tasks.flatMap { group in group.members.map(Self.object) })
            object.add("unseen", unseen)
        }
        return object.closed + Array("\n".utf8)
    }

    private static func object(_ thread: ThreadStacks.Thread, _ state: ThreadState) -> JSONObject {
        var object = JSONObject()
        object.add("thread", thread.number)
        object.add("name", thread.name)
        object.add("state", state.isRunnable ? "runnable" : "blocked")
        object.add("work", "\(state.place.work)")
        object.add("place", state.place.functions)
        object.add(
            "stack",
            thread.frames.map { frame in
                var object = JSONObject()
                object.add("function", frame.function)
                object.add("module", String(FilePath.name(frame.module)))
                return object
            })
        return object
    }

    private static func object(_ task: SuspendedTask) -> JSONObject {
        var object = JSONObject()
        object.add("task", task.number)
        switch task.reason {
        case .task(let number):
            object.add("awaits", "task")
            object.add("awaitedTask", number)
        case .continuation: object.add("awaits", "continuation")
        case .sleep: object.add("awaits", "sleep")
        case .group: object.add("awaits", "group")
        case .executor: object.add("awaits", "executor")
        }
        object.add("place", task.functions)
        switch task.verdict {
        case .unreachable: object.add("isLost", true)
        case .held(let holder):
            object.add("isLost", false)
            object.add("holder", holder)
        case .unknown: break
        }
        return object
    }
}
