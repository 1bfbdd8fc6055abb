import InspectorColumns

/// How long one operation took, and what most of that time was for.
struct ExplanationAnswer {
    let analysis: TraceAnalysis
    let names: OperationNames
    let causes: StartCauses
    let waits: LifetimeParts
    let parts: ExecutionParts?
    /// Nil for an operation.
    let task: TaskAnswer?
    /// Nil if it finished, or waits in a circle.
    let unfinished: UnfinishedReport.Reason?
    let index: Int

    private var trace: Trace { analysis.trace }
    private var operation: TracedOperation { trace.operations[index] }

    /// `upload 3 took 1.93 s: 1.80 s of it waiting for a slot; of 2 holders, download 1 held one longest,
    /// 1.50 s.`
    var answer: Phrase {
        Phrase(
            operation.finished == nil ? .unfinished : .took, .operation(index), .phrase(aside),
            .time(waits.total),
            .phrase(because), .phrase(ending))
    }

    private var because: Phrase? {
        if let task { return task.parts.map { Phrase(.because, .phrase($0)) } }
        return waits.total == 0 ? nil : Phrase(.because, reason)
    }

    private var reason: Phrase.Argument {
        if case .itself(let sentence)? = unfinished { return .sentence(sentence) }
        return .phrase(reason(Self.longestPart(waits)))
    }

    /// What it waits for in the end.
    var standstill: Phrase? {
        guard case .other(let sentence)? = unfinished else { return nil }
        return Phrase(.standstill, .sentence(sentence))
    }

    private var aside: Phrase? {
        let kind: Phrase.Argument? = operation.displayName == operation.kind ? nil : .name(operation.kind)
        let id: Phrase.Argument? = names.isShared(index) ? nil : .text("\(operation.id)")
        if let kind, let id { return Phrase(.asides, kind, id) }
        return (kind ?? id).map { Phrase(.aside, $0) }
    }

    private var ending: Phrase? {
        guard operation.finished != nil else { return nil }
        return switch operation.outcome {
        case .failed: Phrase(.andFailed)
        case .cancelled: Phrase(.andCancelled)
        case .succeeded, nil: nil
        }
    }

    private static func longestPart(_ waits: LifetimeParts) -> LifetimeParts.Part {
        var longest: LifetimeParts.Part = .execution
        for part in LifetimeParts.Part.allCases where waits[part] > waits[longest] { longest = part }
        return longest
    }

    private func reason(_ part: LifetimeParts.Part) -> Phrase {
        let time = Phrase.Argument.time(waits[part])
        switch part {
        case .dependency:
            guard let last = causes.lastDependency(of: index) else { return Phrase(.untilReady, time) }
            let template: Phrase.Template =
                trace.operations[last].finished != nil
                ? .forLastDependency
                : trace.operations[last].enqueued == nil ? .forMissingDependency : .forOpenDependency
            return Phrase(template, time, .operation(last))
        case .suspended: return Phrase(.inSuspendedQueue, time)
        case .slot:
            let holders = SlotHolders(analysis, during: index).holders
            guard let first = holders.first else { return Phrase(.forSlot, time) }
            let holder = Phrase.Argument.operation(first.operation)
            let held = Phrase.Argument.time(first.duration)
            return holders.count == 1
                ? Phrase(.forSlotOf, time, holder, held)
                : Phrase(.forSlotOfSeveral, time, .number(holders.count), holder, held)
        case .dispatch: return Phrase(operation.executing == nil ? .notStarted : .forThread, time)
        case .unknown: return Phrase(.forUnknown, time)
        case .execution: return preparation ?? blocking ?? execution
        }
    }

    private var execution: Phrase {
        // Nanoseconds without any of its children.
        let own = analysis.ownExecution[index]
        let covered = waits.execution - own
        guard covered > 0, covered > own else {
            return parts.flatMap { Phrase($0) }
                .map { Phrase(.executingParts, .time(waits.execution), .phrase($0)) }
                ?? Phrase(.executing, .time(waits.execution))
        }
        let children = trace.operations.store.columns.parents.values.reduce(0) {
            $0 + (Int($1) == index ? 1 : 0)
        }
        let itself = operation.finished == nil ? nil : Phrase(.byItself, .time(own))
        return children == 1
            ? Phrase(.duringChild, .time(covered), .phrase(itself))
            : Phrase(.duringChildren, .time(covered), .number(children), .phrase(itself))
    }

    /// If it waits for a key or a condition, most of its execution may come before its body.
    private var preparation: Phrase? {
        guard let line = analysis.timings.transitions[index],
            let began = operation.bodyBegan.map({ min(max($0.notAfter, line.start), line.end) }),
            began - line.start > (line.end - line.start) / 2
        else { return nil }
        let said = trace.marks.last { $0.operation == index && $0.time <= began }
        return Phrase(
            .beforeBody, .time(began - line.start),
            .phrase(said.map { Phrase(.whereItSaid, .text($0.text)) }))
    }

    /// What it blocked its thread for, if that was most of its execution.
    private var blocking: Phrase? {
        let lengths = trace.blockingWaits.map { wait -> Int64 in
            guard wait.operation == index else { return 0 }
            return TraceMoment.bounded(wait.end ?? analysis.end) - TraceMoment.bounded(wait.start)
        }
        guard let longest = lengths.indices.max(by: { lengths[$0] < lengths[$1] }),
            lengths[longest] > waits.execution / 2
        else { return nil }
        return Phrase(
            .blocking, .time(lengths[longest]), trace.blockingWaits[longest].target.argument(in: trace))
    }

    /// Where to look, if not at the operation itself.
    func longestStep(of chain: DelayChain) -> Phrase? {
        // An operation has one step for each child that it waited for.
        var totals = [Int64](repeating: 0, count: trace.operations.count)
        for step in chain.steps {
            totals[step.operation] = totals[step.operation].saturatingAdd(step.waits.total)
        }
        var slowest: (operation: Int, total: Int64)?
        for step in chain.steps where totals[step.operation] > slowest?.total ?? 0 {
            slowest = (step.operation, totals[step.operation])
        }
        guard let slowest, slowest.operation != index,
            slowest.operation != named(Self.longestPart(waits))
        else { return nil }
        var waits = LifetimeParts()
        var ofTask: TaskParts?
        for step in chain.steps where step.operation == slowest.operation {
            waits += step.waits
            if let parts = step.taskParts {
                var sum = ofTask ?? TaskParts()
                sum += parts
                ofTask = sum
            }
        }
        if let ofTask { return longestStep(of: slowest.operation, ofTask) }
        let most = Self.longestPart(waits)
        let doing =
            switch most {
            case .execution: Phrase(.stepExecuting)
            case .unknown: Phrase(.stepUnknown)
            case .dependency
            where slowest.operation == chain.steps.first?.operation && chain.neverAdded != nil:
                Phrase(.stepWaitingFor, .operation(chain.neverAdded ?? 0))
            default: Phrase(.stepWaiting, .text(most.row.object))
            }
        let (whole, part) = (waits.total, waits[most])
        let isAll = DurationFormat.text(nanoseconds: whole) == DurationFormat.text(nanoseconds: part)
        return isAll
            ? Phrase(.longestStep, .operation(slowest.operation), .time(whole), .phrase(doing))
            : Phrase(
                .longestStepPart, .operation(slowest.operation), .time(whole), .time(part), .phrase(doing))
    }

    private func longestStep(of operation: Int, _ parts: TaskParts) -> Phrase {
        let most = parts.longest
        let (whole, part) = (parts.total, parts[most])
        let isAll = DurationFormat.text(nanoseconds: whole) == DurationFormat.text(nanoseconds: part)
        let doing = Phrase.Argument.sentence(most.row.activity)
        return isAll
            ? Phrase(.longestStep, .operation(operation), .time(whole), doing)
            : Phrase(.longestStepPart, .operation(operation), .time(whole), .time(part), doing)
    }

    /// The operation that the answer already names.
    private func named(_ part: LifetimeParts.Part) -> Int? {
        switch part {
        case .dependency: causes.lastDependency(of: index)
        case .slot: SlotHolders(analysis, during: index).holders.first?.operation
        default: nil
        }
    }
}
