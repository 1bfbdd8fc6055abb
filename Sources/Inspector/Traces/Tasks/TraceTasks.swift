package import EventLog

/// The Swift tasks of a trace, with everything that they did. A task is an index, in the order in which the
/// log first names them. Takes about 80 bytes a task and 64 a run.
package struct TraceTasks: Sendable {
    /// Means no index.
    package static var none: Int32 { -1 }

    /// What executed tasks.
    package struct Executor: Hashable, Sendable {
        package var id: QueueID
        package var kind: LogEvent.ExecutorKind
        /// The type of an actor or of an executor of the program's own.
        package var name: String
        /// Index into the trace's processes.
        package var process: Int32

        package init(id: QueueID, kind: LogEvent.ExecutorKind, name: String, process: Int32) {
            (self.id, self.kind, self.name, self.process) = (id, kind, name, process)
        }
    }

    /// A task itself. Times are nanoseconds since the start of the trace.
    package struct Entry: Sendable {
        package var identifier: UInt64
        /// The number in the log of the task or operation that it belongs to; 0 for none.
        package var parent: UInt64 = 0
        /// Nil for a task that was created before the log began.
        @PossibleTime package var created: Int64? = nil
        /// When it was first enqueued on an executor; nil if it began at once.
        @PossibleTime package var enqueued: Int64? = nil
        @PossibleTime package var cancelled: Int64? = nil
        @PossibleTime package var finished: Int64? = nil
        /// Index into `kinds`.
        package var kind: Int32 = 0
        /// The number of its own name; 0 for none.
        package var name: UInt32 = 0
        /// Index into the trace's processes.
        package var process: Int32
        package var outcome: Outcome?
        package var creation = LogEvent.Creation.unstructured
        package var priority: UInt8 = 0

        package init(identifier: UInt64, process: Int32) {
            (self.identifier, self.process) = (identifier, process)
        }
    }

    package enum Outcome: Sendable, Equatable {
        case succeeded, cancelled
        /// With the number of the name of its error's type.
        case failed(UInt32)
    }

    /// A run of a task on a thread, and what the task awaited afterwards.
    package struct Run: Sendable {
        package var task: Int32
        /// Index into `executors`; `none` for an unknown one.
        package var executor: Int32
        package var thread: UInt64
        package var start: Int64
        /// For a run that goes on, the end of the trace.
        package var end: Int64
        /// When the task was enqueued again, at most the start of the next run; nil if that is not known.
        @PossibleTime package var ready: Int64? = nil
        package var awaits: LogEvent.Awaited?
        /// The task that it awaits, as an index, and the executor that it waits for; `none` for none.
        package var awaited: Int32 = none
        package var nextExecutor: Int32 = none
        /// The text of the place in the code; 0 if unknown.
        package var place: UInt32 = 0
        /// The number in the log of the task or operation that made it ready; 0 for none.
        package var by: UInt64 = 0

        package init(task: Int32, executor: Int32, thread: UInt64, start: Int64, end: Int64) {
            (self.task, self.executor, self.thread) = (task, executor, thread)
            (self.start, self.end) = (start, end)
        }
    }

    /// A task went on on another executor, on its thread, within a run.
    package struct Move: Sendable {
        /// Index into `runs`.
        package var run: Int32
        package var time: Int64
        /// Index into `executors`; `none` for an unknown one.
        package var executor: Int32
    }

    /// What a search of the memory of its process found for a task that awaited its continuation, or for an
    /// operation that executed.
    package struct Search: Sendable {
        package var time: Int64
        /// The text of what could still resume or finish it; 0 if nothing could.
        package var holder: UInt32
        /// The text of what could not be searched; 0 if everything was.
        package var unseen: UInt32

        package init(time: Int64, holder: UInt32, unseen: UInt32) {
            (self.time, self.holder, self.unseen) = (time, holder, unseen)
        }

        /// Whether nothing in its process could resume or finish it.
        package var isProof: Bool { holder == 0 && unseen == 0 }
    }

    package var entries: [Entry] = []
    /// Sorted by task, and by time for each task.
    package var runs: [Run] = []
    /// In the order of the log.
    package var moves: [Move] = []
    /// For each task, where its runs begin; and the end.
    package var firstRuns: [Int] = [0]
    package var executors: [Executor] = []
    /// Each kind once. The first is for tasks whose function is not known.
    package var kinds = ["Task"]
    package var texts = InternedTexts()
    /// The task in whose run an operation was enqueued, by the operation's index.
    package var enqueuers: [Int32: Int32] = [:]
    /// For tasks that were enqueued on another executor than the global one and never ran: that executor,
    /// as an index; `none` for an unknown one.
    package var firstExecutors: [Int32: Int32] = [:]
    /// The task in whose run an operation finished that did not begin in that run, by the operation's index.
    package var finishers: [Int32: Int32] = [:]
    /// What searches found, by task.
    package var searches: [Int32: Search] = [:]
    /// The index of the first task among the trace's operations, and what woke tasks; see
    /// `Trace.withTasks()`.
    package internal(set) var asOperations: AsOperations?
    /// The last time that the log covers.
    package var end: Int64 = 0

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    package func runs(of task: Int) -> ArraySlice<Run> { runs[firstRuns[task]..<firstRuns[task + 1]] }

    package func kind(of task: Int) -> String { kinds[Int(entries[task].kind)] }

    /// Those that await a continuation at the end.
    package var awaitingContinuation: [OperationID] {
        entries.indices.filter { task in
            guard entries[task].finished == nil, let run = runs(of: task).last else { return false }
            return run.awaits == .continuation && run.ready == nil
        }.map { OperationID(entries[$0].identifier) }
    }

    /// Whether it awaits a continuation that nothing in its process could resume.
    package func isProvenLost(_ task: Int) -> Bool {
        guard let search = searches[Int32(task)] else { return false }
        return search.isProof && entries[task].finished == nil
    }

    /// Adds what searches at the end of the trace found.
    package mutating func take(_ found: [LogEvent.TaskSearch]) {
        let byTask = Dictionary(found.map { ($0.task.rawValue, $0) }, uniquingKeysWith: { $1 })
        for (index, entry) in entries.enumerated() {
            guard let search = byTask[entry.identifier] else { continue }
            searches[Int32(index)] = Search(
                time: end, holder: texts.number(of: search.holder), unseen: texts.number(of: search.unseen))
        }
    }

    /// The first that is known of a task; nil if the log only names it.
    package func start(of task: Int) -> Int64? {
        let entry = entries[task]
        let first = runs(of: task).first?.start
        let start = entry.created ?? min(entry.enqueued ?? .max, first ?? .max, entry.finished ?? .max)
        return start == .max ? nil : start
    }

    /// The run of a task that follows a run, as an index into `runs`; after nil, the first one. Nil after the
    /// last.
    package func run(after run: Int?, of task: Int) -> Int? {
        let next = run.map { $0 + 1 } ?? firstRuns[task]
        return next < firstRuns[task + 1] ? next : nil
    }

    /// The last run of a task that began by then, as an index into `runs`. Logarithmic.
    package func run(of task: Int, at moment: Int64) -> Int? {
        let runs = runs(of: task)
        let place = runs.partitioningIndex { $0.start > moment }
        return place == runs.startIndex ? nil : place - 1
    }
}
