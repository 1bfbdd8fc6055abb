import InspectorColumns

/// The story of all operations with the same facts: phrases and times that each operation fills in. `explain`
/// does it in ``StoryMaker``, a page in the browser, so that both tell the same.
struct StoryPattern {
    struct Event {
        let at: StoryTime
        /// Nil for an instant.
        var lasting: StoryTime?
        let what: Phrase
    }

    let facts: StoryFacts

    init(_ facts: StoryFacts) { self.facts = facts }

    // MARK: The answer

    /// `upload 3 took 1.93 s: 1.80 s of it waiting for a slot; of 2 holders, download 1 held one longest,
    /// 1.50 s.`
    var answer: Phrase {
        guard facts.isAdded else { return neverAdded }
        return Phrase(
            facts.isFinished ? .took : .unfinished, .value(.itself), .phrase(aside), .ofStory(.total),
            because,
            .phrase(ending))
    }

    private var neverAdded: Phrase {
        if facts.isTask { return Phrase(.onlyNamed, .value(.itself)) }
        let dependents: Phrase? =
            switch facts.dependents {
            case .none: nil
            case .one: Phrase(.ofDependent, .value(.firstDependent))
            case .several: Phrase(.ofDependents, .value(.firstDependent), .value(.otherDependents))
            }
        return Phrase(.neverAdded, .value(.itself), .phrase(dependents))
    }

    private var aside: Phrase? {
        switch (facts.hasOwnKind, facts.hasOwnName) {
        case (true, true): Phrase(.asides, .value(.kind), .value(.identifier))
        case (true, false): Phrase(.aside, .value(.kind))
        case (false, true): Phrase(.aside, .value(.identifier))
        case (false, false): nil
        }
    }

    private var because: Phrase.Argument {
        if facts.isTask { return .value(.taskReason) }
        if facts.spent.isEmpty { return .phrase(nil) }
        if facts.explainsItself { return .phrase(Phrase(.because, .value(.standstill))) }
        return .phrase(Phrase(.because, reason.map { .phrase($0) } ?? .value(.slotReason)))
    }

    private var ending: Phrase? {
        guard facts.isFinished else { return nil }
        if facts.hasFailed { return Phrase(.andFailed) }
        return facts.finishedCancelled ? Phrase(.andCancelled) : nil
    }

    private var reason: Phrase? {
        let time = Phrase.Argument.ofStory(.part(facts.longest))
        let last = Phrase.Argument.value(.lastDependency)
        return switch facts.longest {
        case .dependency:
            switch facts.dependency {
            case .none: Phrase(.untilReady, time)
            case .finished: Phrase(.forLastDependency, time, last)
            case .unfinished: Phrase(.forOpenDependency, time, last)
            case .neverAdded: Phrase(.forMissingDependency, time, last)
            }
        case .suspended: Phrase(.inSuspendedQueue, time)
        // It names operations that the facts do not tell.
        case .slot: nil
        case .dispatch: Phrase(facts.isStarted ? .forThread : .notStarted, time)
        case .unknown: Phrase(.forUnknown, time)
        case .execution: activity(time)
        }
    }

    private func activity(_ time: Phrase.Argument) -> Phrase {
        let itself = facts.isFinished ? Phrase(.byItself, .ofStory(.own)) : nil
        return switch facts.activity {
        case .preparation: Phrase(.beforeBody, .ofStory(.preparation), .phrase(nil))
        case .preparationWithMark:
            Phrase(.beforeBody, .ofStory(.preparation), .phrase(Phrase(.whereItSaid, .value(.mark))))
        case .blocked: Phrase(.blocking, .ofStory(.blocking), .value(.blocker))
        case .oneChild: Phrase(.duringChild, .ofStory(.covered), .phrase(itself))
        case .children:
            Phrase(.duringChildren, .ofStory(.covered), .value(.children), .phrase(itself))
        case .itself:
            executionParts.map { Phrase(.executingParts, time, .phrase($0)) } ?? Phrase(.executing, time)
        }
    }

    /// `4.00 ms on CPU, 329 ms blocked`, or `unmeasured`.
    private var executionParts: Phrase? {
        guard let parts = facts.executionParts else { return nil }
        let phrases = parts.map { part in
            let phrase = Phrase(.ofPart, .ofStory(.executionPart(part)), .text(part.label))
            return facts.areEstimated && part.row.isEstimated ? Phrase(.about, .phrase(phrase)) : phrase
        }
        guard let first = phrases.first else { return Phrase(.nothingMeasured) }
        return phrases.dropFirst().reduce(first) { Phrase(.andPart, .phrase($0), .phrase($1)) }
    }

    // MARK: The events

    /// From the enqueue to the end of the execution, which is the last one. Of a task, without its creation
    /// and the stretches of its lifetime.
    var events: [Event] {
        guard facts.isAdded else { return [] }
        var events: [Event] = []
        if !facts.isTask { addOperation(to: &events) }
        if facts.isCancelled { events.append(Event(at: .cancelled, what: Phrase(.wasCancelled))) }
        events.append(Event(at: .end, what: end))
        return events
    }

    private func addOperation(to events: inout [Event]) {
        events.append(Event(at: .enqueued, what: Phrase(.added, .phrase(place), .phrase(parent))))
        func add(_ part: LifetimeParts.Part, at time: StoryTime, _ what: @autoclosure () -> Phrase) {
            if facts.spent.contains(part) {
                events.append(Event(at: time, lasting: .part(part), what: what()))
            }
        }
        add(.dependency, at: .enqueued, dependency)
        add(.suspended, at: .ready, Phrase(.suspended))
        add(.slot, at: .resumed, Phrase(.waitedForSlot, .phrase(slots), .value(.slotHolders)))
        add(.dispatch, at: .slotTaken, Phrase(facts.isStarted ? .waitedForThread : .waitsForStart))
        guard facts.isStarted else { return }
        if facts.startsLate {
            events.append(Event(at: .dispatched, lasting: .lateness, what: Phrase(.waitedForUnknown)))
        }
        let thread = Phrase.Argument.phrase(facts.hasThread ? Phrase(.onThread, .value(.thread)) : nil)
        events.append(
            Event(
                at: .start, lasting: .executing,
                what: executionParts.map { Phrase(.executedParts, thread, .phrase($0)) }
                    ?? Phrase(.executed, thread)))
        if facts.bodyBeganLate { events.append(Event(at: .bodyBegan, what: Phrase(.bodyBegan))) }
        if facts.bodyEndedEarly { events.append(Event(at: .bodyEnded, what: Phrase(.bodyReturned))) }
    }

    private var place: Phrase? {
        switch facts.queue {
        case .unknown: nil
        case .named: Phrase(.toQueue, .value(.queue))
        case .nameless: Phrase(.toNamelessQueue, .value(.queue))
        }
    }

    private var parent: Phrase? {
        switch facts.parent {
        case .unknown: nil
        case .ofProcess: Phrase(.byParent, .value(.parent))
        case .remoteOfSharedName: Phrase(.causedBy, .value(.parent))
        case .remote: Phrase(.causedByIn, .value(.parent), .value(.process))
        case .earlierOfSharedName:
            Phrase(.causedEarlier, .phrase(Phrase(.causedBy, .value(.remoteCause))))
        case .earlier:
            Phrase(
                .causedEarlier,
                .phrase(Phrase(.causedByIn, .value(.remoteCause), .value(.remoteProcess))))
        }
    }

    private var dependency: Phrase {
        switch facts.dependency {
        case .none: Phrase(facts.isReady ? .becameReady : .neverReady)
        case .unfinished: Phrase(.waits, .value(.lastDependency))
        case .neverAdded: Phrase(.waitsForMissing, .value(.lastDependency))
        case .finished where facts.hasSeveralDependencies:
            Phrase(.waitedForLast, .value(.lastDependency), .value(.dependencies))
        case .finished: Phrase(.waited, .value(.lastDependency))
        }
    }

    private var slots: Phrase {
        switch facts.slots {
        case .none: Phrase(.aSlot)
        case .one: Phrase(.onlySlot)
        case .several: Phrase(.oneOfSlots, .value(.slots))
        }
    }

    private var end: Phrase {
        guard facts.isFinished else {
            return Phrase(facts.isTask ? .taskUnfinished : facts.isStarted ? .stillExecuted : .neverStarted)
        }
        if facts.hasFailed { return Phrase(.failed, .value(.message)) }
        return Phrase(facts.finishedCancelled ? .finishedCancelled : .finished)
    }

    // MARK: The cost

    /// What it cost the run, one sentence each.
    var cost: [Phrase] {
        guard facts.isAdded else { return [] }
        var phrases: [Phrase] = []
        switch facts.cost {
        case .unknown: return [Phrase(.unknownCost)]
        case .none: phrases.append(Phrase(.offTheChain, .ofStory(.makespan)))
        case .delay:
            phrases.append(
                Phrase(.onTheChain, .ofStory(.delaying), .ofStory(.makespan), .value(.delayingPercent)))
        }
        switch facts.saving {
        case .unknown: break
        case .none: phrases.append(Phrase(.noShorter))
        case .some: phrases.append(Phrase(.shorter, .ofStory(.saving)))
        }
        switch facts.slack {
        case .unknown: break
        case .none: phrases.append(Phrase(.noSlack))
        case .noneRecorded:
            phrases.append(Phrase(.noSlackButThroughDependencies, .ofStory(.slackThroughDependencies)))
        case .same: phrases.append(Phrase(.slack, .ofStory(.slack)))
        case .different:
            phrases.append(
                Phrase(.slackThroughDependencies, .ofStory(.slack), .ofStory(.slackThroughDependencies)))
        }
        return phrases
    }
}
