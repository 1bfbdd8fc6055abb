import EventLog

extension LivePicture {
    /// What the Swift tasks do.
    struct Tasks: Sendable {
        struct Executor: Sendable {
            var id: UInt64
            var name: String
            var running: Int
            var waiting: Int
            /// How long the first task has waited for it, in nanoseconds; nil if none waits.
            var longest: Int64?
        }

        /// The parts that tasks are in, in their usual order.
        var parts: [(part: TaskPart, count: Int)]
        var finished: Int
        var failed: Int
        /// Those that are used, the one with the longest queue first.
        var executors: [Executor]

        /// Nil without tasks. Linear in tasks.
        init?(_ tasks: LiveTasks, at now: Int64, text: (UInt32) -> String) {
            if tasks.isEmpty { return nil }
            parts = TaskPart.allCases.map { ($0, tasks.count($0)) }.filter { $0.1 > 0 }
            finished = tasks.finished
            failed = tasks.failed
            let firstWaits = tasks.firstWaits
            executors = tasks.executors.filter { $0.value.running + $0.value.waiting > 0 }.map {
                id, executor in
                let name = text(executor.name)
                return Executor(
                    id: id, name: name.isEmpty ? "global executor" : name, running: executor.running,
                    waiting: executor.waiting, longest: firstWaits[id].map { max(0, now - $0) })
            }.sorted { ($1.waiting, $1.running, $0.id) < ($0.waiting, $0.running, $1.id) }
        }

        /// `3 tasks running, 200 awaiting continuations, 40 sleeping, 1,234 finished, 2 of them failed`.
        var sentence: String {
            var counts = parts.map { "\(Prose.grouped($0.count)) \($0.part.row.phrase)" }
            counts.append("\(Prose.grouped(finished)) finished")
            if failed > 0 { counts.append("\(Prose.grouped(failed)) of them failed") }
            return "tasks: " + counts.joined(separator: ", ")
        }
    }
}
