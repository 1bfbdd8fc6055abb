import InspectorColumns

/// Explains one operation: what it waited for, back to the start of the chain; what waited for it; and what
/// it cost the run.
public struct Explanation: Sendable {
    let analysis: TraceAnalysis
    let names: OperationNames
    let index: Int
    /// How long it took, what most of that time was for, and where to look next. A single sentence if the
    /// operation was never added to a queue; then there is nothing else.
    let answer: [Phrase]
    /// The largest number of operations that wait for each other and are named.
    static let mostOfCircle = 10
    /// Operations that wait for each other, if any. They will never finish.
    let circle: [Int]
    let events: [OperationStory.Event]
    let chain: DelayChain
    let waiters: [Waiters.Waiter]
    let cost: Cost?
    /// Nil if it never started, or if the trace does not say when threads were on processors.
    let parts: ExecutionParts?

    /// What the operation cost the run. Nanoseconds.
    struct Cost: Sendable {
        let makespan: Int64
        /// Whether the operation finished. If not, what it would have cost is unknown.
        let isFinished: Bool
        /// The time of its steps in the chain that delayed the end of the run.
        let delaying: Int64
        /// How much shorter the run would have been if the operation had taken no time; nil if a replay does
        /// not reproduce the run, or if it did not finish.
        let saving: Int64?
        /// How much later it could have finished without moving the end: through everything that delayed the
        /// run, and through dependencies only. Nil if it did not finish.
        let slack: (recorded: Int64, throughDependencies: Int64)?
    }

    /// - Parameter operation: an index into the trace's operations.
    ///
    /// Cost: O(n log n) in operations and edges, and two replays of the run.
    public init(of operation: Int, in analysis: TraceAnalysis) {
        self.analysis = analysis
        index = operation
        names = OperationNames(analysis.trace)
        guard let waits = analysis.waits[operation] else {
            answer = [Self.neverAdded(operation, analysis.trace)]
            (circle, events, waiters, cost, parts) = ([], [], [], nil, nil)
            chain = DelayChains(analysis).chain(endingIn: operation)
            return
        }
        let chains = DelayChains(analysis)
        chain = chains.chain(endingIn: operation)
        parts = ProcessorUse(analysis.timings)?.parts(of: operation)
        let task = TaskAnswer(analysis, of: operation)
        let maker = ExplanationAnswer(
            analysis: analysis, names: names, causes: chains.causes, waits: waits, parts: parts, task: task,
            unfinished: analysis.trace.operations[operation].finished == nil
                ? UnfinishedReport(analysis).reasons[operation] : nil,
            index: operation)
        answer =
            [maker.answer]
            + [maker.standstill ?? maker.longestStep(of: chain)].compactMap(\.self)
        circle = chain.isCircular ? chain.circle : []
        events =
            task?.events ?? OperationStory(analysis, names, chains.causes, parts, of: operation).events
        waiters = Waiters(of: operation, analysis, chains.causes).waiters
        cost = Cost(of: operation, analysis, chains.ofRun)
    }

    private static func neverAdded(_ operation: Int, _ trace: Trace) -> Phrase {
        if trace.task(operation) != nil { return Phrase(.onlyNamed, .operation(operation)) }
        let dependents = trace.edges.filter { $0.predecessor == operation }.map(\.successor)
        guard let first = dependents.min() else {
            return Phrase(.neverAdded, .operation(operation), .phrase(nil))
        }
        let others = dependents.count - 1
        return Phrase(
            .neverAdded, .operation(operation),
            .phrase(
                others == 0
                    ? Phrase(.ofDependent, .operation(first))
                    : Phrase(.ofDependents, .operation(first), .number(others))))
    }
}

extension Explanation.Cost {
    fileprivate init(of index: Int, _ analysis: TraceAnalysis, _ run: DelayChain) {
        makespan = analysis.makespan
        isFinished = analysis.trace.operations[index].finished != nil
        var part: Int64 = 0
        for step in run.steps where step.operation == index {
            part = part.saturatingAdd(step.end - step.start)
        }
        delaying = part
        // Neither is known of an operation that never finished.
        guard isFinished else {
            (saving, slack) = (nil, nil)
            return
        }
        // A replay knows operations only.
        let replay = analysis.trace.tasks.asOperations == nil ? Replay(analysis) : nil
        if let replay, case let unchanged = replay.run(), unchanged.stuckOperations == 0,
            replay.drift(of: unchanged) <= Replay.tolerableDrift
        {
            saving = max(0, unchanged.makespan - replay.run(scaling: index, by: 0).makespan)
        } else {
            saving = nil
        }
        let slack = Slack(analysis)
        if let recorded = slack.recorded[index], let free = slack.throughDependencies[index] {
            self.slack = (recorded, free)
        } else {
            self.slack = nil
        }
    }

    var phrases: [Phrase] {
        if delaying == 0, !isFinished { return [Phrase(.unknownCost)] }
        let share = makespan == 0 ? 0 : Int((Double(delaying) / Double(makespan) * 100).rounded())
        var phrases = [
            delaying == 0
                ? Phrase(.offTheChain, .time(makespan))
                : Phrase(.onTheChain, .time(delaying), .time(makespan), .number(share))
        ]
        if let saving { phrases.append(saving == 0 ? Phrase(.noShorter) : Phrase(.shorter, .time(saving))) }
        if let slack {
            let (recorded, free) = (slack.recorded, slack.throughDependencies)
            let isSame = recorded == free
            phrases.append(
                recorded == 0
                    ? isSame ? Phrase(.noSlack) : Phrase(.noSlackButThroughDependencies, .time(free))
                    : isSame
                        ? Phrase(.slack, .time(recorded))
                        : Phrase(.slackThroughDependencies, .time(recorded), .time(free)))
        }
        return phrases
    }
}

extension DelayChain {
    /// The steps at its end, each once, if they wait for each other.
    fileprivate var circle: [Int] {
        var members: [Int] = []
        for step in steps.reversed() where step.end == steps.last?.end && !members.contains(step.operation) {
            members.append(step.operation)
            if members.count == Explanation.mostOfCircle { break }
        }
        return members
    }
}

extension Explanation: Writable {
    package static var renderers: [Renderer<Explanation>] {
        [
            Renderer(.text, text: { $0.text(width: $1.width, all: $1.isWhole) }),
            Renderer(.json, bytes: { explanation, _ in explanation.json }),
        ]
    }
}
