import EventLog
import Foundation
import Inspector
import MemorySearch
import ProgramRecording

/// What can be seen of a process that writes no log: its threads, and, after a search of its memory, its
/// operation queues and its suspended Swift tasks. What happened before is not seen.
struct OutsideView {
    /// Tasks that await the same at the same place.
    struct Group {
        let place: TaskState
        let members: [SuspendedTask]
    }

    struct TaskState: Hashable {
        /// Without the number of an awaited task.
        let reason: SuspendedTask.Reason
        let functions: [String]
        let verdict: ResumeSearch.Verdict
    }

    let process: Int32
    let program: String
    let threads: ProgramThreads
    /// Those that nothing can resume first. Nil if the memory was not searched.
    let tasks: [Group]?
    let queues: [OutsideQueue]
    private let isSearched: Bool
    /// Why nothing is proven; a clause that can follow "because".
    let unseen: String?
    /// Why the memory was not searched, although that was asked for; a clause.
    let unsearched: String?

    init(
        process: Int32, program: String, threads: [ThreadStacks.Thread], tasks: [SuspendedTask]?,
        queues: [FoundQueue]? = nil, unseen: String? = nil, unsearched: String? = nil
    ) {
        (self.process, self.program) = (process, program)
        (self.unseen, self.unsearched) = (unseen, unsearched)
        self.threads = ProgramThreads(threads, of: process)
        isSearched = queues != nil
        self.queues = (queues ?? []).map { OutsideQueue($0, unseen: unseen) }.sorted { $0.rank < $1.rank }
        self.tasks = tasks.map(Self.groups)
    }

    private static func groups(_ tasks: [SuspendedTask]) -> [Group] {
        let places = Dictionary(grouping: tasks) { task in
            var reason = task.reason
            if case .task = reason { reason = .task(nil) }
            return TaskState(reason: reason, functions: task.functions, verdict: task.verdict)
        }
        return places.map(Group.init).sorted { rank($0) < rank($1) }
    }

    private static func rank(_ group: Group) -> (Int, Int, UInt32) {
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
        for group in threads.groups.prefix(Self.most) {
            lines.append("  \(group.name), \(group.doing)")
            if !group.place.functions.isEmpty { lines.append(Self.stack(group.place.functions)) }
        }
        lines += Self.rest(threads.groups.map(\.members.count))
        if threads.idle > 0 {
            let others = threads.groups.isEmpty ? "thread" : "more thread"
            lines.append(
                "  \(Prose.counted(threads.idle, others, others + "s")) "
                    + "\(threads.idle == 1 ? "waits" : "wait") for work")
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
            lines += Self.rest(tasks.map(\.members.count))
        }
        return lines.map { Prose.wrapped($0, to: width, indent: $0.hasPrefix("      ") ? 8 : 4) }
            .joined(separator: "\n") + "\n"
    }

    /// - Parameter counts: how many are at each place.
    private static func rest(_ counts: [Int]) -> [String] {
        let left = counts.dropFirst(most).reduce(0, +)
        return left > 0 ? ["  \(Prose.grouped(left)) more at other places: --format json has all"] : []
    }

    private static func stack(_ functions: [String]) -> String {
        "      in " + ProgramThreads.functions(functions)
    }

    private func sentence(_ group: Group) -> String {
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
            guard let holder = group.place.verdict.holder else { return awaits }
            return "\(awaits); "
                + TaskStandstillText.resumption(holder: holder, unseen: unseen ?? "", count: count)
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
        object.add("idleThreads", threads.idle)
        object.add(
            "threads", threads.groups.flatMap { group in group.members.map { Self.object($0, group) } })
        if isSearched { object.add("queues", queues.map(\.object)) }
        if let tasks { object.add("tasks", tasks.flatMap { group in group.members.map(Self.object) }) }
        object.add("unseen", unseen)
        object.add("unsearched", unsearched)
        return object.closed + Array("\n".utf8)
    }

    private static func object(_ thread: ThreadStacks.Thread, _ group: ProgramThreads.Group) -> JSONObject {
        var object = JSONObject()
        object.add("thread", thread.number)
        object.add("name", thread.name)
        object.add("state", group.isRunnable ? "runnable" : "blocked")
        object.add("work", "\(group.place.work)")
        object.add("place", group.place.functions)
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
        task.verdict.add(to: &object)
        return object
    }
}

extension ResumeSearch.Verdict {
    func add(to object: inout JSONObject) {
        guard let holder else { return }
        object.add("isLost", holder.isEmpty)
        if !holder.isEmpty { object.add("holder", holder) }
    }
}
