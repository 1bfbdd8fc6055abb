import CLogFormat
import EventLog
import InspectorColumns

/// Assigns the events of a log to Swift tasks.
struct TaskCollector {
    private var tasks = TraceTasks()
    private var indices = IndexTable()
    /// By their number in the log, in the order in which it first names them.
    private var executors: [UInt64: Int32] = [:]
    /// Those that the log opened. One thread may name an executor before another has opened it.
    private var openedExecutors: [TraceTasks.Executor?] = []
    /// For each task, its last run; and for each run, the run before it.
    private var lastRuns: [Int32] = []
    private var earlierRuns: [Int32] = []
    /// Tasks that run now.
    private var isRunning: [Bool] = []
    private var running = RunningTasks()
    /// When tasks were enqueued that do not run yet.
    private var ready: [PossibleTime] = []
    /// When the continuations that they await were resumed, and they were not enqueued since.
    private var resumed: [PossibleTime] = []
    /// The number of each kind, by the number of its text.
    private var kindOfText: [UInt32: Int32] = [:]
    private var contradictions = 0
    private var selfAwaits = 0
    private var unendedRuns = 0

    /// What was left out, one sentence each.
    var losses: [String] {
        var losses: [String] = []
        if contradictions > 0 {
            losses.append(
                Prose.counted(
                    contradictions, "event of tasks contradicts an earlier one",
                    "events of tasks contradict earlier ones")
                    + " (a task created or finished twice, or a run that ended before it began) and "
                    + "\(contradictions == 1 ? "was" : "were") left out")
        }
        if selfAwaits > 0 {
            losses.append(
                Prose.counted(selfAwaits, "task awaits itself", "tasks await themselves")
                    + "; what \(selfAwaits == 1 ? "it awaits" : "they await") is shown as unknown")
        }
        if unendedRuns > 0 {
            losses.append(
                Prose.counted(unendedRuns, "run of a task has no end", "runs of tasks have no end")
                    + ", so \(unendedRuns == 1 ? "its length is" : "their lengths are") unknown")
        }
        let unopened = openedExecutors.count { $0 == nil }
        if unopened > 0 {
            losses.append(
                Prose.counted(
                    unopened, "executor is used but not described", "executors are used but not described")
                    + "; runs on \(unopened == 1 ? "it have" : "them have") an unknown executor")
        }
        return losses
    }

    mutating func open(_ event: EventFields, _ texts: InternedTexts) {
        let index = Int(executor(event.subject))
        guard openedExecutors[index] == nil else {
            contradictions += 1
            return
        }
        openedExecutors[index] = .init(
            id: QueueID(event.subject), kind: .init(rawValue: event.choice) ?? .pool,
            name: texts[event.text], process: event.process)
    }

    mutating func create(_ event: EventFields, _ texts: InternedTexts) {
        let task = index(of: event)
        // The first event of a task is its creation.
        guard tasks.entries[task].created == nil, lastRuns[task] == TraceTasks.none,
            tasks.entries[task].finished == nil
        else {
            contradictions += 1
            return
        }
        tasks.entries[task].created = event.time
        tasks.entries[task].kind = kind(event.text, texts)
        tasks.entries[task].creation = .init(rawValue: event.choice) ?? .unstructured
        tasks.entries[task].priority = UInt8(clamping: event.taskPriority)
        tasks.entries[task].parent = event.parent ?? 0
        if event.flag { becomeReady(task, event) }
    }

    mutating func enqueue(_ event: EventFields) {
        let task = index(of: event)
        becomeReady(task, event)
        let run = lastRuns[task]
        guard run != TraceTasks.none else {
            if event.executor != nil { tasks.firstExecutors[Int32(task)] = executor(event) }
            return
        }
        if let by = event.parent { tasks.runs[Int(run)].by = by }
        refine(run, event.awaited)
    }

    mutating func resume(_ event: EventFields) {
        let task = index(of: event)
        let run = lastRuns[task]
        guard run != TraceTasks.none else { return }
        resumed[task].wrappedValue = event.time
        tasks.runs[Int(run)].by = event.parent ?? 0
        refine(run, event.awaited)
    }

    mutating func begin(_ event: EventFields) {
        let task = index(of: event)
        guard tasks.entries[task].finished == nil else {
            contradictions += 1
            return
        }
        if isRunning[task] {
            // Its end was lost, and with it how long it took: the time until now is unknown.
            unendedRuns += 1
            let run = Int(lastRuns[task])
            tasks.runs[run].end = tasks.runs[run].start
            running.end(task, on: thread(ofRun: run))
        }
        if let name = event.name { tasks.entries[task].name = name }
        let earlier = lastRuns[task]
        if earlier == TraceTasks.none, !tasks.firstExecutors.isEmpty {
            tasks.firstExecutors[Int32(task)] = nil
        }
        // A task whose continuation is resumed while it leaves its thread goes on there, and is not enqueued.
        if earlier != TraceTasks.none, let time = ready[task].wrappedValue ?? resumed[task].wrappedValue {
            // Somebody may wake a task before it has left its thread.
            tasks.runs[Int(earlier)].ready = min(max(time, tasks.runs[Int(earlier)].end), event.time)
        }
        ready[task].wrappedValue = nil
        resumed[task].wrappedValue = nil
        isRunning[task] = true
        running.begin(task, on: ProcessThread(process: event.process, number: event.thread))
        lastRuns[task] = Int32(tasks.runs.count)
        earlierRuns.append(earlier)
        tasks.runs.append(
            .init(
                task: Int32(task), executor: executor(event), thread: event.thread, start: event.time,
                end: event.time))
    }

    /// It goes on on another executor, without leaving its thread.
    mutating func move(_ event: EventFields) {
        let task = index(of: event)
        guard isRunning[task] else { return }
        tasks.moves.append(.init(run: lastRuns[task], time: event.time, executor: executor(event)))
    }

    mutating func end(_ event: EventFields) {
        let task = index(of: event)
        guard isRunning[task] else {
            // A task may have run already when the log began.
            if tasks.entries[task].created != nil || lastRuns[task] != TraceTasks.none { contradictions += 1 }
            return
        }
        let run = Int(lastRuns[task])
        isRunning[task] = false
        running.end(task, on: thread(ofRun: run))
        tasks.runs[run].end = max(tasks.runs[run].start, event.time)
        let isKnown = event.awaited == .continuation && tasks.runs[run].awaits != nil
        if !isKnown { tasks.runs[run].awaits = event.awaited }
        tasks.runs[run].nextExecutor = executor(event)
        tasks.runs[run].place = event.text
        guard let awaited = event.predecessors.first else { return }
        let index = index(of: awaited, event.process)
        if index == task {
            selfAwaits += 1
            tasks.runs[run].awaits = .unknown
        } else {
            tasks.runs[run].awaited = Int32(index)
        }
    }

    mutating func cancel(_ event: EventFields) {
        let task = index(of: event)
        // A task may be cancelled again and again.
        if tasks.entries[task].cancelled == nil { tasks.entries[task].cancelled = event.time }
    }

    /// The last search counts.
    mutating func search(_ event: EventFields) {
        tasks.searches[Int32(index(of: event))] = .init(
            time: event.time, holder: event.text, unseen: event.name ?? 0)
    }

    mutating func finish(_ event: EventFields) {
        let task = index(of: event)
        guard tasks.entries[task].finished == nil else {
            contradictions += 1
            return
        }
        tasks.entries[task].finished = event.time
        tasks.entries[task].outcome =
            switch event.ending {
            case .succeeded: .succeeded
            case .cancelled: .cancelled
            case .failed: .failed(event.text)
            }
        if isRunning[task] {
            isRunning[task] = false
            let run = Int(lastRuns[task])
            running.end(task, on: thread(ofRun: run))
            tasks.runs[run].end = max(tasks.runs[run].start, event.time)
        }
    }

    /// Keeps the task in whose run an operation was enqueued, unless it was enqueued in the body of another
    /// operation that began during that run.
    ///
    /// - Parameters:
    ///   - operation: an index into the trace's operations.
    ///   - bodyBegan: when the operation started in whose body it was enqueued.
    mutating func enqueueOperation(_ operation: Int, _ event: EventFields, bodyBegan: Int64?) {
        if let task = task(of: event, after: bodyBegan) { tasks.enqueuers[Int32(operation)] = task }
    }

    /// Keeps the task in whose run an operation finished, unless the operation's body began during that run.
    mutating func finishOperation(_ operation: Int, _ event: EventFields, bodyBegan: Int64?) {
        if let task = task(of: event, after: bodyBegan) { tasks.finishers[Int32(operation)] = task }
    }

    /// Not `consuming`: the arrays would be copied where they are mended.
    ///
    /// - Parameter end: the last time that the log covers.
    mutating func finish(_ texts: InternedTexts, at end: Int64) -> TraceTasks {
        for task in isRunning.indices where isRunning[task] {
            let run = Int(lastRuns[task])
            tasks.runs[run].end = max(tasks.runs[run].start, end)
        }
        for task in ready.indices where lastRuns[task] != TraceTasks.none {
            guard let time = ready[task].wrappedValue else { continue }
            let run = Int(lastRuns[task])
            tasks.runs[run].ready = max(tasks.runs[run].end, time)
        }
        placeExecutors()
        sortRuns()
        tasks.texts = texts
        tasks.end = end
        nameKinds()
        return tasks
    }

    // MARK: Inside

    /// The task that runs on the event's thread, if its run began after that moment.
    private func task(of event: EventFields, after moment: Int64?) -> Int32? {
        guard !isRunning.isEmpty,
            let task = running.innermost(
                on: ProcessThread(process: event.process, number: event.thread))
        else { return nil }
        return moment.map { tasks.runs[Int(lastRuns[Int(task)])].start >= $0 } ?? true ? task : nil
    }

    private func thread(ofRun run: Int) -> ProcessThread {
        ProcessThread(
            process: tasks.entries[Int(tasks.runs[run].task)].process, number: tasks.runs[run].thread)
    }

    private mutating func becomeReady(_ task: Int, _ event: EventFields) {
        ready[task].wrappedValue = event.time
        if tasks.entries[task].enqueued == nil, lastRuns[task] == TraceTasks.none {
            tasks.entries[task].enqueued = event.time
        }
    }

    /// The recorder learns how tasks sleep and yield when the first ones go on.
    private mutating func refine(_ run: Int32, _ awaited: LogEvent.Awaited) {
        // Nil if the task is resumed before it has left its thread.
        let awaits = tasks.runs[Int(run)].awaits
        guard awaited == .sleep || awaited == .yield, awaits == .continuation || awaits == nil else { return }
        tasks.runs[Int(run)].awaits = awaited
    }

    private mutating func executor(_ event: EventFields) -> Int32 {
        event.executor.map { executor($0.rawValue) } ?? TraceTasks.none
    }

    /// The index of an executor in `openedExecutors`.
    private mutating func executor(_ identifier: UInt64) -> Int32 {
        if let known = executors[identifier] { return known }
        let index = Int32(openedExecutors.count)
        executors[identifier] = index
        openedExecutors.append(nil)
        return index
    }

    /// Replaces the indices of executors by those of the executors that were opened.
    private mutating func placeExecutors() {
        var places: [Int32] = []
        for executor in openedExecutors {
            places.append(executor == nil ? TraceTasks.none : Int32(tasks.executors.count))
            if let executor { tasks.executors.append(executor) }
        }
        guard places.contains(TraceTasks.none) else { return }
        func place(_ executor: Int32) -> Int32 {
            executor == TraceTasks.none ? executor : places[Int(executor)]
        }
        tasks.firstExecutors = tasks.firstExecutors.mapValues(place)
        for move in tasks.moves.indices { tasks.moves[move].executor = place(tasks.moves[move].executor) }
        for run in tasks.runs.indices {
            tasks.runs[run].executor = place(tasks.runs[run].executor)
            tasks.runs[run].nextExecutor = place(tasks.runs[run].nextExecutor)
        }
    }

    private mutating func kind(_ text: InternedTexts.Number, _ texts: InternedTexts) -> Int32 {
        if let known = kindOfText[text] { return known }
        let kind = Int32(tasks.kinds.count)
        tasks.kinds.append(texts[text])
        kindOfText[text] = kind
        return kind
    }

    private mutating func index(of event: EventFields) -> Int { index(of: event.subject, event.process) }

    private mutating func index(of identifier: UInt64, _ process: Int32) -> Int {
        let (index, isNew) = indices.index(of: identifier &- LOG_FIRST_TASK)
        if isNew {
            tasks.entries.append(.init(identifier: identifier, process: process))
            lastRuns.append(TraceTasks.none)
            isRunning.append(false)
            ready.append(.init(wrappedValue: nil))
            resumed.append(.init(wrappedValue: nil))
        }
        return index
    }

    /// Orders runs by their tasks, where they are. Linear.
    private mutating func sortRuns() {
        var first = [Int](repeating: 0, count: tasks.entries.count + 1)
        for run in tasks.runs { first[Int(run.task) + 1] += 1 }
        for task in first.indices.dropFirst() { first[task] += first[task - 1] }
        // From here on, the place of each run instead of the run before it.
        var places = earlierRuns
        earlierRuns = []
        for task in tasks.entries.indices {
            var place = first[task + 1]
            var run = lastRuns[task]
            while run != TraceTasks.none {
                place -= 1
                let earlier = places[Int(run)]
                places[Int(run)] = Int32(truncatingIfNeeded: place)
                run = earlier
            }
        }
        for move in tasks.moves.indices { tasks.moves[move].run = places[Int(tasks.moves[move].run)] }
        for run in places.indices {
            // Each exchange brings one run to its place.
            while places[run] != run {
                let place = Int(places[run])
                tasks.runs.swapAt(run, place)
                places.swapAt(run, place)
            }
        }
        tasks.firstRuns = first
    }

    /// Replaces the locations of code by the functions that it belongs to, where their files are found.
    private mutating func nameKinds() {
        var names = CodeNames()
        names.learn(tasks.kinds.dropFirst().flatMap { CodeNames.codes(ofTask: $0) })
        var numbers: [String: Int32] = [tasks.kinds[0]: 0]
        var kinds = [tasks.kinds[0]]
        let renumbered = tasks.kinds.map { kind -> Int32 in
            let name = names.kind(ofTask: kind) ?? kinds[0]
            if let known = numbers[name] { return known }
            numbers[name] = Int32(kinds.count)
            kinds.append(name)
            return Int32(kinds.count - 1)
        }
        for task in tasks.entries.indices {
            tasks.entries[task].kind = renumbered[Int(tasks.entries[task].kind)]
        }
        tasks.kinds = kinds
    }
}
