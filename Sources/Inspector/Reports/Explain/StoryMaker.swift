import InspectorColumns

/// Makes the stories of a trace's operations: finds the facts that choose a ``StoryPattern``, and the times
/// and values that fill it in.
struct StoryMaker {
    /// What begins or ends at least this much later than what it belongs to is told. Nanoseconds.
    private static let leastOffset: Int64 = 1_000_000

    let analysis: TraceAnalysis
    let names: OperationNames
    let causes: StartCauses
    /// Nil without the cost of operations.
    let cost: RunCost?
    let columns: OperationColumns
    let use: ProcessorUse?
    let reasons: [Int: UnfinishedReport.Reason]
    let limits: QueueLimits
    private let queues: [(name: StoryFacts.Queue, slots: StoryFacts.Number)]
    let ownExecution: [Int64]
    let childCounts: [Int32]
    let dependencyCounts: [Int32]
    /// Of dependencies that were never added.
    let dependents: [Int: [Int]]
    let marks: [Int: [TraceMark]]
    let blockingWaits: [Int: [BlockingWait]]

    var trace: Trace { analysis.trace }

    /// Linear in operations, edges, marks and waits.
    ///
    /// - Parameters:
    ///   - reasons: why operations have not finished.
    ///   - marks: what is told of them; nil for all. So for `blockingWaits`.
    init(
        _ analysis: TraceAnalysis, _ names: OperationNames, _ causes: StartCauses,
        _ reasons: [Int: UnfinishedReport.Reason], cost: RunCost?, marks shownMarks: [TraceMark]? = nil,
        blockingWaits shownWaits: [BlockingWait]? = nil
    ) {
        let trace = analysis.trace
        let columns = trace.operations.store.columns
        self.analysis = analysis
        self.causes = causes
        self.reasons = reasons
        self.cost = cost
        self.columns = columns
        self.names = names
        ownExecution = analysis.ownExecution
        use = ProcessorUse(analysis.timings)
        let limits = QueueLimits(analysis)
        self.limits = limits
        queues = trace.queues.enumerated().map { number, queue in
            (queue.name.isEmpty ? .nameless : .named, Self.number(max(0, limits.fixed(number) ?? 0)))
        }
        var childCounts = [Int32](repeating: 0, count: columns.count)
        for parent in columns.parents.values where childCounts.indices.contains(Int(parent)) {
            childCounts[Int(parent)] += 1
        }
        self.childCounts = childCounts
        var dependencyCounts = [Int32](repeating: 0, count: columns.count)
        var dependents: [Int: [Int]] = [:]
        for edge in trace.edges {
            if dependencyCounts.indices.contains(edge.successor) { dependencyCounts[edge.successor] += 1 }
            if trace.operations.indices.contains(edge.predecessor), !columns.enqueued.has(edge.predecessor) {
                dependents[edge.predecessor, default: []].append(edge.successor)
            }
        }
        self.dependencyCounts = dependencyCounts
        self.dependents = dependents
        var marks: [Int: [TraceMark]] = [:]
        for mark in shownMarks ?? trace.marks {
            if let operation = mark.operation { marks[operation, default: []].append(mark) }
        }
        self.marks = marks
        var blockingWaits: [Int: [BlockingWait]] = [:]
        for wait in shownWaits ?? trace.blockingWaits {
            if let operation = wait.operation { blockingWaits[operation, default: []].append(wait) }
        }
        self.blockingWaits = blockingWaits
    }

    // MARK: Facts

    func facts(of index: Int) -> StoryFacts {
        var facts = StoryFacts()
        facts.isTask = trace.task(index) != nil
        guard let line = analysis.timings.transitions[index] else {
            facts.dependents = Self.number(dependents[index]?.count ?? 0)
            return facts
        }
        facts.isAdded = true
        facts.isStarted = line.executing != nil
        facts.isFinished = line.isFinished
        facts.isCancelled = columns.cancelled.has(index)
        facts.hasFailed = columns.outcomes[index] >= OperationColumns.failed
        facts.finishedCancelled = columns.outcomes[index] == OperationColumns.cancelled
        facts.hasOwnKind = hasOwnKind(index)
        facts.hasOwnName = !names.isShared(index)
        if case .itself? = reasons[index] { facts.explainsItself = true }
        addCost(of: index, to: &facts)
        if facts.isTask { return facts }
        let waits = analysis.waits.parts(of: index, line)
        for part in LifetimeParts.Part.allCases where waits[part] > 0 { facts.spent.insert(part) }
        facts.longest = waits.longest
        addCauses(of: index, to: &facts)
        if facts.isStarted { addExecution(of: index, line, waits, to: &facts) }
        return facts
    }

    /// Whether it has a name that is not the name of its kind.
    private func hasOwnKind(_ index: Int) -> Bool {
        let name = columns.names[index]
        let kind = columns.kindTexts[Int(columns.kinds[index])]
        guard name != columns.names.absent, name != kind else { return false }
        let texts = trace.operations.store.texts
        return texts.withBytes(of: name) { own in
            texts.withBytes(of: kind) { !own.isEmpty && !own.elementsEqual($0) }
        }
    }

    private static func number(_ count: Int) -> StoryFacts.Number {
        count == 0 ? .none : count == 1 ? .one : .several
    }

    private func addCauses(of index: Int, to facts: inout StoryFacts) {
        facts.isReady = columns.ready.has(index)
        if let last = causes.lastDependency(of: index) {
            facts.dependency =
                columns.finished.has(last)
                ? .finished : columns.enqueued.has(last) ? .unfinished : .neverAdded
            facts.hasSeveralDependencies = dependencyCounts[index] != 1
        }
        let queue = Int(columns.queues[index])
        if queues.indices.contains(queue) { (facts.queue, facts.slots) = queues[queue] }
        if let parent = parent(of: index) {
            facts.parent =
                trace.isAcrossProcesses(parent, index)
                ? names.isShared(parent) ? .remoteOfSharedName : .remote : .ofProcess
        } else if let cause = causes.remoteCause(of: index) {
            facts.parent = names.isShared(cause) ? .earlierOfSharedName : .earlier
        }
    }

    private func addExecution(
        of index: Int, _ line: OrderedTransitions, _ waits: LifetimeParts, to facts: inout StoryFacts
    ) {
        facts.hasThread = columns.threads[index] >= 0
        facts.startsLate =
            line.executing?.notBefore ?? .min > time(.dispatched, of: index, line, waits)
        if let parts = use?.parts(of: index), parts.total > 0 {
            facts.executionParts = parts.shown ?? []
            facts.areEstimated = !parts.isExact
        }
        let noticeable = max(Self.leastOffset, (line.end - line.start) / 100)
        if let began = moment(columns.bodyBegan, index) {
            facts.bodyBeganLate = began > line.start && began - line.start >= noticeable
        }
        if let ended = moment(columns.bodyEnded, index) {
            facts.bodyEndedEarly =
                ended > line.start && ended < line.end && line.end - ended >= noticeable
                && ended - line.start >= noticeable
        }
        facts.activity = activity(of: index, line, waits)
    }

    private func activity(
        of index: Int, _ line: OrderedTransitions, _ waits: LifetimeParts
    ) -> StoryFacts.Activity {
        if columns.bodyBegan.has(index) {
            let preparation = time(.preparation, of: index, line, waits)
            // If it waits for a key or a condition, most of its execution may come before its body.
            if preparation > (line.end - line.start) / 2 {
                return mark(before: line.start + preparation, of: index) == nil
                    ? .preparation : .preparationWithMark
            }
        }
        if !blockingWaits.isEmpty, time(.blocking, of: index, line, waits) > waits.execution / 2 {
            return .blocked
        }
        let own = ownExecution[index]
        guard waits.execution - own > 0, waits.execution - own > own else { return .itself }
        return childCounts[index] == 1 ? .oneChild : .children
    }

    private func addCost(of index: Int, to facts: inout StoryFacts) {
        guard let cost = cost?.of(index, isFinished: facts.isFinished) else { return }
        facts.cost = cost.delaying > 0 ? .delay : facts.isFinished ? .none : .unknown
        facts.saving = cost.saving.map { $0 == 0 ? .none : .some } ?? .unknown
        if let (recorded, free) = cost.slack {
            let isSame = recorded == free
            facts.slack = recorded == 0 ? isSame ? .none : .noneRecorded : isSame ? .same : .different
        }
    }
}
