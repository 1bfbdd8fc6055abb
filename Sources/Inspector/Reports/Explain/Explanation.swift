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
    /// From the operation to what closes a circle of waits: each waits for the next one, and will never
    /// finish. Empty without a circle.
    let circle: [Int]
    let events: [StoryEvent]
    let chain: DelayChain
    let waiters: [Waiters.Waiter]
    let cost: Cost?
    let costPhrases: [Phrase]
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
        let chains = DelayChains(analysis)
        chain = chains.chain(endingIn: operation)
        guard let waits = analysis.waits[operation] else {
            let story = StoryMaker(analysis, names, chains.causes, [:], cost: nil).story(
                of: operation, [], nil)
            answer = [story.answer]
            (circle, events, waiters, cost, costPhrases, parts) = ([], [], [], nil, [], nil)
            return
        }
        let task = TaskAnswer(analysis, of: operation)
        let unfinished =
            analysis.trace.operations[operation].finished == nil ? UnfinishedReport(analysis).reasons : [:]
        var runCost = RunCost(analysis, chains, chains.ofRun)
        runCost.findSaving(of: operation, analysis)
        cost = runCost.of(operation, isFinished: analysis.trace.operations[operation].finished != nil)
        let maker = StoryMaker(analysis, names, chains.causes, unfinished, cost: runCost)
        parts = maker.use?.parts(of: operation)
        let holders = SlotHolders(analysis, during: operation).holders
        let story = maker.story(of: operation, holders, task)
        let next = NextStep(
            analysis: analysis, causes: chains.causes, unfinished: unfinished[operation], waits: waits,
            holders: holders, index: operation)
        answer = [story.answer] + [next.phrase(chain)].compactMap(\.self)
        circle = chain.circle
        events = story.events
        costPhrases = story.cost
        waiters = Waiters(of: operation, analysis, chains.causes).waiters
    }
}

extension DelayChain {
    /// From its operation, each once, what waits for what comes next, and what the last of them waits for.
    fileprivate var circle: [Int] {
        guard let closing else { return [] }
        var members: [Int] = []
        for step in steps.reversed() where step.end == steps.last?.end && !members.contains(step.operation) {
            members.append(step.operation)
            if members.count == Explanation.mostOfCircle { return members }
        }
        return members + (members.contains(closing) ? [closing] : members.prefix(1))
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
