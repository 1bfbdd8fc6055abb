import InspectorColumns

/// Where to look next, after the answer about an operation.
struct NextStep {
    let analysis: TraceAnalysis
    let causes: StartCauses
    /// Nil if it finished, or waits in a circle.
    let unfinished: UnfinishedReport.Reason?
    let waits: LifetimeParts
    let holders: [SlotHolders.Holder]
    let index: Int

    /// What it waits for in the end; or else the longest step of what delayed it, unless that is its own.
    func phrase(_ chain: DelayChain) -> Phrase? {
        if case .other(let sentence)? = unfinished { return Phrase(.standstill, .sentence(sentence)) }
        return longestStep(of: chain)
    }

    private func longestStep(of chain: DelayChain) -> Phrase? {
        // An operation has one step for each child that it waited for.
        var totals = [Int64](repeating: 0, count: analysis.trace.operations.count)
        for step in chain.steps {
            totals[step.operation] = totals[step.operation].saturatingAdd(step.waits.total)
        }
        var slowest: (operation: Int, total: Int64)?
        for step in chain.steps where totals[step.operation] > slowest?.total ?? 0 {
            slowest = (step.operation, totals[step.operation])
        }
        guard let slowest, slowest.operation != index,
            slowest.operation != named(self.waits.longest)
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
        let most = waits.longest
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
        case .slot: holders.first?.operation
        default: nil
        }
    }
}
