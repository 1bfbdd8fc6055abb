internal import EventLog
import InspectorColumns

/// What a Swift task spent its lifetime on, with what it awaited, who resumed it, and who had its actor. For
/// a trace that has its tasks as operations.
struct TaskAnswer {
    private struct Share {
        var total: Int64 = 0
        var count = 0
        /// With the run that it follows.
        var longest: (length: Int64, run: Int?) = (0, nil)
    }

    /// A smaller share of the lifetime is not mentioned.
    private static let leastShare: Int64 = 100

    /// May be set to another one of the trace.
    var task: Int
    private let trace: Trace
    private let lifetimes: TaskLifetimes
    private let waits: TaskWaits

    /// Nil if the index is not one of a task.
    init?(_ analysis: TraceAnalysis, of index: Int) {
        guard let task = analysis.trace.task(index),
            let waits = TaskWaits(analysis.trace, analysis.timings.transitions)
        else { return nil }
        self.init(task, in: analysis.trace, TaskLifetimes(analysis.trace.tasks), waits)
    }

    /// Constant time.
    init(_ task: Int, in trace: Trace, _ lifetimes: TaskLifetimes, _ waits: TaskWaits) {
        self.task = task
        self.trace = trace
        self.lifetimes = lifetimes
        self.waits = waits
    }

    /// `380 ms awaiting its continuation, which resume 3 resumed; 12.0 ms running`: the longest first. Nil
    /// for a lifetime without length.
    var parts: Phrase? {
        var shares = [Share](repeating: Share(), count: TaskPart.allCases.count)
        lifetimes.forEach(of: task) { part, range, run in
            let length = range.upperBound - range.lowerBound
            shares[part.rawValue].total += length
            shares[part.rawValue].count += 1
            if length > shares[part.rawValue].longest.length {
                shares[part.rawValue].longest = (length, run)
            }
        }
        let whole = shares.reduce(0) { $0 + $1.total }
        let shown = TaskPart.allCases.filter {
            shares[$0.rawValue].total > 0 && shares[$0.rawValue].total >= whole / Self.leastShare
        }.sorted { (shares[$1.rawValue].total, $0.rawValue) < (shares[$0.rawValue].total, $1.rawValue) }
        return shown.reduce(nil) { list, part in
            let phrase = phrase(part, shares[part.rawValue])
            return list.map { Phrase(.andTaskPart, .phrase($0), .phrase(phrase)) } ?? phrase
        }
    }

    private func phrase(_ part: TaskPart, _ share: Share) -> Phrase {
        let time = Phrase.Argument.time(share.total)
        let what = activity(part, after: share.longest.run)
        switch part {
        case _ where share.count == 1: break
        case .running: return Phrase(.taskRunning, time, .number(share.count))
        case .executor, .actor, .task, .group, .continuation:
            return Phrase(
                .severalTaskParts, time, .sentence(part.row.phrase), .number(share.count),
                .time(share.longest.length), .phrase(what))
        case .sleep, .unknown: break
        }
        return Phrase(.ofPart, time, .phrase(what))
    }

    /// What the task did in a stretch of its lifetime, after a duration: `awaiting its continuation, which
    /// resume 3 resumed`.
    ///
    /// - Parameter run: the run that the stretch belongs to or follows; nil before the first one.
    func activity(_ part: TaskPart, after run: Int?) -> Phrase {
        let next = trace.tasks.run(after: run, of: task)
        let wake = run.flatMap { waits.wake(after: $0, before: next) }
        switch part {
        case .running: return Phrase(.running)
        case .sleep: return Phrase(.sleeping)
        case .unknown: return Phrase(.unknownPart)
        case .task:
            let awaited = run.map { trace.tasks.runs[$0].awaited } ?? TraceTasks.none
            return awaited == TraceTasks.none
                ? Phrase(.awaitingTask)
                : Phrase(.awaiting, .operation(waits.operation(of: Int(awaited))))
        case .group:
            return Phrase(
                .awaitingGroup, .phrase(wake.map { Phrase(.untilFinished, .operation($0.operation)) }))
        case .continuation:
            return Phrase(
                .awaitingContinuation,
                .phrase(wake.map { Phrase(.resumedBy, .operation($0.operation)) } ?? searched(after: run)))
        case .executor, .actor: return waiting(for: next, after: run)
        }
    }

    /// Who could resume it after its last run, if the memory of its process was searched for that.
    private func searched(after run: Int?) -> Phrase? {
        guard let search = trace.tasks.searches[Int32(task)], trace.tasks.run(after: run, of: task) == nil,
            trace.tasks.entries[task].finished == nil
        else { return nil }
        if search.holder != 0 { return Phrase(.heldBy, .name(trace.tasks.texts[search.holder])) }
        return Phrase(search.unseen == 0 ? .resumedByNothing : .possiblyResumedByNothing)
    }

    private func waiting(for next: Int?, after run: Int?) -> Phrase {
        let ready = run.map { trace.tasks.runs[$0].ready } ?? trace.tasks.entries[task].enqueued
        let executor =
            next.map { trace.tasks.runs[$0].executor }
            ?? run.map { trace.tasks.runs[$0].nextExecutor } ?? TraceTasks.none
        var holder: Phrase?
        if let next, let ready, let wait = waits.holder(before: next, since: ready) {
            holder = Phrase(.hadBy, .operation(wait.operation))
        }
        guard executor != TraceTasks.none else { return Phrase(.waitingForExecutor, .phrase(holder)) }
        let known = trace.tasks.executors[Int(executor)]
        return switch known.kind {
        case .pool: Phrase(.waitingForPool)
        case .main: Phrase(.waitingForMainActor, .phrase(holder))
        case .actor: Phrase(.waitingForActor, .name(known.name), .phrase(holder))
        case .custom: Phrase(.waitingForNamed, .name(known.name), .phrase(holder))
        }
    }

    // MARK: The story

    /// Its creation, and the stretches of its lifetime.
    var beginnings: [StoryEvent] {
        let created = StoryEvent(time: lifetimes.range(of: task).lowerBound, duration: 0, what: creation)
        var events = [created]
        lifetimes.forEach(of: task) { part, stretch, run in
            events.append(
                StoryEvent(
                    time: stretch.lowerBound, duration: stretch.upperBound - stretch.lowerBound,
                    what: event(part, run)))
        }
        return events
    }

    /// How it was created, and by what.
    var creation: Phrase {
        let entry = trace.tasks.entries[task]
        if entry.created == nil { return Phrase(.createdEarlier) }
        let parent = trace.operations[waits.operation(of: task)].parent
        return Phrase(
            Self.template(entry.creation), .phrase(parent.map { Phrase(.byParent, .operation($0)) }))
    }

    /// A stretch of its lifetime.
    ///
    /// - Parameter run: the run that the stretch belongs to or follows; nil before the first one.
    func event(_ part: TaskPart, _ run: Int?) -> Phrase {
        guard part == .running, let run else { return activity(part, after: run) }
        let known = trace.tasks.runs[run]
        let executor = known.executor == TraceTasks.none ? nil : trace.tasks.executors[Int(known.executor)]
        return Phrase(
            .ranOn, .phrase(executor.map { Phrase(.onExecutor, .name($0.name)) }), .text("\(known.thread)"))
    }

    private static func template(_ creation: LogEvent.Creation) -> Phrase.Template {
        switch creation {
        case .unstructured: .created
        case .asyncLet: .createdAsyncLet
        case .groupChild: .createdGroupChild
        case .immediate: .createdImmediate
        }
    }
}
