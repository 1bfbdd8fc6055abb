import EventLog
import InspectorHazards
import InspectorText
package import MemorySearch

/// Where the threads of a process are, those at the same place together.
package struct ProgramThreads {
    package struct Group {
        package let place: ThreadPlace
        package let isRunnable: Bool
        /// Whether it is the first thread of the program.
        package let isFirst: Bool
        package let members: [ThreadStacks.Thread]

        /// `main thread`, `thread 4713` or `2 threads`.
        package var name: String {
            if isFirst { return "main thread" }
            return members.count > 1
                ? Prose.counted(members.count, "thread", "threads") : "thread \(members[0].number)"
        }

        /// `blocked in a task`; without the functions.
        package var doing: String {
            let what = isRunnable ? "on a CPU" : "blocked"
            return switch place.work {
            case .task: "\(what) in \(members.count == 1 ? "a task" : "tasks")"
            case .operation: "\(what) in \(members.count == 1 ? "an operation" : "operations")"
            case .other: what
            }
        }
    }

    /// In the order in which they should be read: the first thread, then what holds most.
    package let groups: [Group]
    /// Threads of pools without work, and the like.
    package let idle: Int

    /// - Parameter process: the number of the process, which is that of its first thread.
    package init(_ threads: [ThreadStacks.Thread], of process: Int32) {
        struct Key: Hashable {
            let place: ThreadPlace
            let isRunnable, isFirst: Bool
        }
        let places = Dictionary(grouping: threads) { thread in
            Key(
                place: ThreadPlace(thread.frames), isRunnable: thread.isRunnable,
                isFirst: thread.number == process)
        }
        let groups = places.map { key, members in
            Group(place: key.place, isRunnable: key.isRunnable, isFirst: key.isFirst, members: members)
        }
        let working = groups.filter {
            !$0.place.functions.isEmpty || $0.isRunnable || $0.place.work != .other
        }
        idle = threads.count - working.reduce(0) { $0 + $1.members.count }
        self.groups = working.sorted { Self.rank($0) < Self.rank($1) }
    }

    private static func rank(_ group: Group) -> (Int, Int, Int32) {
        (group.isFirst ? 0 : 1, -group.members.count, group.members[0].number)
    }

    /// What a thread does, with the functions: `blocked, in DispatchSemaphore.wait() ← Config.load()`. Nil
    /// for one that is not among them.
    func sentence(ofThread number: UInt64) -> String? {
        groups.first { $0.members.contains { $0.number == number } }.map {
            ($0.isRunnable ? "on a CPU" : "blocked") + Self.place($0)
        }
    }

    /// The same, and whether it is in a task or an operation.
    static func sentence(_ group: Group) -> String { group.doing + place(group) }

    private static func place(_ group: Group) -> String {
        group.place.functions.isEmpty ? "" : ", in " + functions(group.place.functions)
    }

    /// `fetch(_:) ← page(_:)`, safe for a terminal.
    package static func functions(_ functions: [String]) -> String {
        AwaitStack.shown(functions).map { TerminalText.shortened($0, toColumns: 60) }.joined(separator: " ← ")
    }
}
