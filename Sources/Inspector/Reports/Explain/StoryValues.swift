import InspectorColumns

/// The times and values that fill in the patterns of stories.
extension StoryMaker {
    /// How many operations that had a slot are named.
    static let shownHolders = 3

    /// What happened to an operation.
    func story(
        of index: Int, _ holders: [SlotHolders.Holder], _ task: TaskAnswer?
    ) -> (answer: Phrase, events: [StoryEvent], cost: [Phrase]) {
        let pattern = StoryPattern(facts(of: index))
        func filled(_ phrase: Phrase) -> Phrase {
            phrase.filled {
                time($0, of: index)
            } value: {
                value($0, of: index, holders, task)
            }
        }
        var events = pattern.events.map { event in
            StoryEvent(
                time: time(event.at, of: index), duration: event.lasting.map { time($0, of: index) } ?? 0,
                what: filled(event.what))
        }
        if let end = events.popLast() {
            if let task { events = task.beginnings + events }
            events += others(of: index) + [end]
        }
        return (filled(pattern.answer), StoryEvent.sorted(events), pattern.cost.map(filled))
    }

    /// Its marks, and its waits that blocked a thread.
    private func others(of index: Int) -> [StoryEvent] {
        let said = (marks[index] ?? []).map {
            StoryEvent(time: $0.time, duration: 0, what: Phrase(.said, .text($0.text)))
        }
        let blocked = (blockingWaits[index] ?? []).map { wait in
            StoryEvent(
                time: wait.start, duration: max(0, length(wait)),
                what: Phrase(.blocked, wait.target.argument(in: trace)))
        }
        return said + blocked
    }

    private func value(
        _ name: StoryValue, of index: Int, _ holders: [SlotHolders.Holder], _ task: TaskAnswer?
    ) -> Phrase.Argument {
        func operation(_ other: Int?) -> Phrase.Argument { other.map { .operation($0) } ?? .phrase(nil) }
        let remoteCause = causes.remoteCause(of: index)
        switch name {
        case .itself: return .operation(index)
        case .lastDependency: return operation(causes.lastDependency(of: index))
        case .firstDependent: return operation(dependents[index]?.min())
        case .parent: return operation(parent(of: index))
        case .remoteCause: return operation(remoteCause)
        case .dependencies: return .number(Int(dependencyCounts[index]))
        case .children: return .number(Int(childCounts[index]))
        case .otherDependents: return .number((dependents[index]?.count ?? 1) - 1)
        case .slots: return .number(slots(of: index))
        case .delayingPercent:
            let share = Double(time(.delaying, of: index)) / Double(max(1, analysis.makespan)) * 100
            return .number(Int(share.rounded()))
        case .kind: return .name(trace.operations[index].kind)
        case .identifier: return .text("\(trace.operations[index].id)")
        case .queue: return .name(queue(of: index)?.displayName ?? "")
        case .thread: return .text(trace.operations[index].thread.map { "\($0)" } ?? "")
        case .process: return .text(parent(of: index).map(names.process) ?? "")
        case .remoteProcess: return .text(remoteCause.map(names.process) ?? "")
        case .message:
            guard case .failed(let message)? = trace.operations[index].outcome else { return .phrase(nil) }
            return .text(message)
        case .mark:
            let began = time(.start, of: index) + time(.preparation, of: index)
            return .text(mark(before: began, of: index)?.text ?? "")
        case .standstill:
            guard case .itself(let sentence)? = reasons[index] else { return .phrase(nil) }
            return .sentence(sentence)
        case .blocker:
            return longestBlockingWait(of: index)?.target.argument(in: trace) ?? .phrase(nil)
        case .slotReason: return .phrase(Self.slotReason(time(.part(.slot), of: index), holders))
        case .slotHolders: return .phrase(Self.list(holders))
        case .taskReason: return .phrase(task?.parts.map { Phrase(.because, .phrase($0)) })
        }
    }

    private static func slotReason(_ slot: Int64, _ holders: [SlotHolders.Holder]) -> Phrase {
        guard let first = holders.first else { return Phrase(.forSlot, .time(slot)) }
        let (holder, held) = (
            Phrase.Argument.operation(first.operation), Phrase.Argument.time(first.duration)
        )
        return holders.count == 1
            ? Phrase(.forSlotOf, .time(slot), holder, held)
            : Phrase(.forSlotOfSeveral, .time(slot), .number(holders.count), holder, held)
    }

    /// Nil without holders.
    private static func list(_ holders: [SlotHolders.Holder]) -> Phrase? {
        var list: Phrase?
        for holder in holders.prefix(shownHolders) {
            let operation = Phrase.Argument.operation(holder.operation)
            let time = Phrase.Argument.time(holder.duration)
            list =
                list.map { Phrase(.nextHolder, .phrase($0), operation, time) }
                ?? Phrase(.holder, operation, time)
        }
        if holders.count > shownHolders {
            list = Phrase(.moreHolders, .phrase(list), .number(holders.count - shownHolders))
        }
        return list.map { Phrase(.takenBy, .phrase($0)) }
    }

    // MARK: Times

    func moment(_ column: MomentColumn, _ index: Int) -> Int64? {
        column.has(index) ? TraceMoment.bounded(column.notAfter(index)) : nil
    }

    func parent(of index: Int) -> Int? {
        let parent = Int(columns.parents[index])
        return trace.operations.indices.contains(parent) ? parent : nil
    }

    func queue(of index: Int) -> TracedQueue? {
        let queue = Int(columns.queues[index])
        return trace.queues.indices.contains(queue) ? trace.queues[queue] : nil
    }

    /// 0 if its queue had no limit, or a changing one.
    func slots(of index: Int) -> Int {
        queue(of: index) == nil ? 0 : limits.fixed(Int(columns.queues[index])) ?? 0
    }

    func mark(before moment: Int64, of index: Int) -> TraceMark? {
        marks[index]?.last { $0.time <= moment }
    }

    private func length(_ wait: BlockingWait) -> Int64 {
        TraceMoment.bounded(wait.end ?? analysis.end) - TraceMoment.bounded(wait.start)
    }

    private func longestBlockingWait(of index: Int) -> BlockingWait? {
        blockingWaits[index]?.max { length($0) < length($1) }
    }

    private func time(_ name: StoryTime, of index: Int) -> Int64 {
        guard let line = analysis.timings.transitions[index], let waits = analysis.waits[index] else {
            return 0
        }
        return time(name, of: index, line, waits)
    }

    func time(
        _ name: StoryTime, of index: Int, _ line: OrderedTransitions, _ waits: LifetimeParts
    ) -> Int64 {
        var ready: Int64 { line.enqueued.saturatingAdd(waits.dependency) }
        var resumed: Int64 { ready.saturatingAdd(waits.suspended) }
        var slotTaken: Int64 { resumed.saturatingAdd(waits.slot) }
        var dispatched: Int64 { slotTaken.saturatingAdd(waits.dispatch) }
        switch name {
        case .enqueued: return line.enqueued
        case .ready: return ready
        case .resumed: return resumed
        case .slotTaken: return slotTaken
        case .dispatched: return dispatched
        case .start: return line.start
        case .bodyBegan: return moment(columns.bodyBegan, index) ?? line.start
        case .bodyEnded: return moment(columns.bodyEnded, index) ?? line.end
        case .cancelled: return moment(columns.cancelled, index) ?? line.end
        case .end: return line.end
        case .total: return waits.total
        case .part(let part): return waits[part]
        case .executionPart(let part): return use?.parts(of: index)?[part] ?? 0
        case .executing: return line.end - line.start
        case .lateness:
            return (line.executing?.notBefore ?? 0) &- dispatched
        case .preparation:
            return min(max(moment(columns.bodyBegan, index) ?? 0, line.start), line.end) - line.start
        case .blocking: return longestBlockingWait(of: index).map(length) ?? 0
        case .own: return ownExecution[index]
        case .covered: return waits.execution - ownExecution[index]
        case .delaying: return cost?.delaying[index] ?? 0
        case .makespan: return analysis.makespan
        case .slack: return cost?.slack.recorded[index] ?? 0
        case .slackThroughDependencies: return cost?.slack.throughDependencies[index] ?? 0
        case .saving: return cost?.saving ?? 0
        }
    }
}

/// What happened to one operation at a moment.
struct StoryEvent: Sendable {
    /// Nanoseconds since the start of the trace.
    let time: Int64
    /// Nanoseconds; 0 for an instant.
    let duration: Int64
    let what: Phrase

    /// By time; events of the same time stay in their order.
    static func sorted(_ events: [StoryEvent]) -> [StoryEvent] {
        events.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }
}

extension BlockingWait.Target {
    /// What a thread was blocked for, as a phrase.
    func argument(in trace: Trace) -> Phrase.Argument {
        switch self {
        case .operation(let index):
            trace.operations.indices.contains(index) ? .operation(index) : .phrase(Phrase(.anOperation))
        case .queue(let queue):
            .phrase(
                trace.queues.indices.contains(queue)
                    ? Phrase(
                        trace.queues[queue].name.isEmpty ? .allOfNamelessQueue : .allOfQueue,
                        .name(trace.queues[queue].displayName))
                    : Phrase(.aQueue))
        }
    }
}
