/// Everything that actually delayed an operation, step by step back to the start of the run. It shows what
/// happened; ``CriticalPath`` shows what more slots could change.
///
/// It goes back from the operation's end to what the operation waited for last. During its execution, that is
/// the last of its children to finish. Before that, it is the operation whose finish gave it a slot, the last
/// of its dependencies, or the parent that added it. From there, it continues in the same way. The steps
/// follow each other without gaps, so their times add up exactly to the time from the first enqueue in the
/// chain to its end.
public struct DelayChain: Sendable {
    /// When the time that no step covers was spent.
    package static let beforeFirst = "before the chain's first operation was added"

    /// Why a step began when it did.
    public enum Reason: CaseIterable, Hashable, Sendable {
        /// The step before added it. If it is the first step, the trace does not name who added it.
        case added
        /// Its last dependency to finish was the operation of the step before.
        case dependency
        /// The operation of the step before left it its slot, as far as that can be inferred. If it is the
        /// first step, the queue's limit was raised.
        case slot
        /// The operation of the step before has the slot that this one still waits for.
        case slotHeld
        /// The operation of the step before was its last child to finish.
        case child
        /// The operation of the step before caused it, in another process.
        case remoteCause
        /// It blocked its thread until the operation of the step before had finished.
        case blockingWait
        /// The program, outside of all operations, blocked a thread until the operation of the step before
        /// had finished, and added this one after that.
        case programWait
        /// It waits for a dependency that was never added to a queue. Only the first step has this reason.
        case neverAdded
        /// The operation of the step before was the last before it on its thread. Only in traces of other
        /// programs.
        case thread
        /// A task that awaited the task of the step before, or a child in its task group.
        case awaited
        /// A task whose continuation the operation or task of the step before resumed.
        case resumed
        /// A task that waited for an actor, or another executor with one run at a time, which the task of the
        /// step before had.
        case actorHeld
        /// The task of the step before finished it.
        case finisher
    }

    /// An interval in which only this operation, or a wait of its own, caused the delay.
    public struct Step: Hashable, Sendable {
        /// Index into the trace's operations.
        public let operation: Int
        /// Why the step began when it did.
        public let reason: Reason
        /// Nanoseconds since the start of the trace.
        public let start: Int64
        /// Nanoseconds since the start of the trace.
        public let end: Int64
        /// The parts add up exactly to `end - start`, minus `beforeEnqueue`. Of a task, `execution` is its
        /// running.
        public let waits: LifetimeParts
        /// The same of a task; nil for an operation.
        package var taskParts: TaskParts?
        /// Nanoseconds from the step's start to the enqueue, if the program did something else first.
        public let beforeEnqueue: Int64
    }

    /// Ordered by time; the last step belongs to the operation itself. Empty if that was never enqueued.
    public let steps: [Step]
    /// The operation of the chain that the first step waits for, if they wait for each other in a circle. The
    /// chain contains each of them once; the steps after that operation's wait for the circle. Index into the
    /// trace's operations.
    package let closing: Int?
    /// The dependency that was never added to a queue, if the first step waits for one. Index into the
    /// trace's operations.
    public let neverAdded: Int?

    /// Whether the operations wait for each other in a circle.
    public var isCircular: Bool { closing != nil }

    /// Nanoseconds.
    public var length: Int64 { steps.isEmpty ? 0 : steps[steps.count - 1].end - steps[0].start }

    /// Whether one of the steps is of this operation. Linear in the steps.
    public func contains(operation: Int) -> Bool { steps.contains { $0.operation == operation } }
}

/// Finds the chains of a trace. Creating it costs O(n log n) in operations and edges; each chain is linear.
public struct DelayChains: Sendable {
    private let transitions: TraceTransitions
    private let waits: OperationWaits
    package let causes: StartCauses
    package let executions: ExecutionWaits
    private let tasks: TaskLifetimes
    private let trace: Trace

    /// Cost: O(n log n) in operations and edges.
    public init(_ analysis: TraceAnalysis) {
        trace = analysis.trace
        transitions = analysis.timings.transitions
        waits = analysis.waits
        causes = StartCauses(analysis)
        executions = ExecutionWaits(analysis)
        tasks = TaskLifetimes(trace.tasks)
    }

    /// What delayed the whole run: the chain of the operation that finished last (the first in the log if
    /// there are several).
    public var ofRun: DelayChain {
        var last: Int?
        for index in transitions.indices {
            guard let end = transitions.end(of: index), end > last.flatMap(transitions.end) ?? .min
            else { continue }
            last = index
        }
        return last.map(chain(endingIn:)) ?? DelayChain(steps: [], closing: nil, neverAdded: nil)
    }

    /// What delayed the operation with that index.
    public func chain(endingIn operation: Int) -> DelayChain {
        var steps: [DelayChain.Step] = []
        // Unused capacity costs nothing, but growing does.
        steps.reserveCapacity(transitions.count)
        // Operations whose start the chain has passed. It returns to one only if the times are inconsistent.
        var isPassed = [Bool](repeating: false, count: transitions.count)
        // How many of its entries in `executions` each operation has left.
        var left: [Int: Int] = [:]
        var closing: Int?
        var closingReason = DelayChain.Reason.blockingWait
        var neverAdded: Int?
        // Unfinished operations that the chain has reached since it last went back in time.
        var standing: Set<Int> = []
        var current = operation
        var moment = transitions.end(of: operation) ?? 0

        while let line = transitions[current] {
            if !standing.isEmpty, let last = steps.last, last.start < last.end { standing.removeAll() }
            if !line.isFinished { standing.insert(current) }
            if line.executing != nil, moment > line.start {
                let entries = executions.entries(of: current)
                var remaining = left[current] ?? entries.count
                while remaining > 0 {
                    let entry = entries[entries.startIndex + remaining - 1]
                    // Operations wait for each other, and none has finished.
                    let closes = entry.moment == moment && standing.contains(entry.operation)
                    if !closes, entry.moment <= moment, !isPassed[entry.operation] { break }
                    if closes, closing == nil { (closing, closingReason) = (entry.operation, entry.reason) }
                    remaining -= 1
                }
                if closing != nil {
                    steps.append(
                        DelayChain.Step(
                            operation: current, reason: closingReason, start: moment, end: moment,
                            waits: LifetimeParts(), beforeEnqueue: 0))
                    break
                }
                if remaining > 0 {
                    let entry = entries[entries.startIndex + remaining - 1]
                    left[current] = remaining - 1
                    let parts = trace.task(current).map { partsOfTask($0, from: entry.moment, to: moment) }
                    steps.append(
                        DelayChain.Step(
                            operation: current, reason: entry.reason, start: entry.moment, end: moment,
                            waits: parts.map { LifetimeParts($0) } ?? [.execution: moment - entry.moment],
                            taskParts: parts, beforeEnqueue: 0))
                    (current, moment) = (entry.operation, entry.moment)
                    continue
                }
            }

            isPassed[current] = true
            let (step, next) = beginning(of: current, line, upTo: moment)
            steps.append(step)
            guard let next else { break }
            if step.reason == .neverAdded {
                neverAdded = next
                break
            }
            // An unfinished operation cannot have come before itself.
            let isCause = step.reason == .added || step.reason == .remoteCause
            if isPassed[next] || !isCause && standing.contains(next) {
                closing = next
                break
            }
            (current, moment) = (next, step.start)
        }
        steps.reverse()
        return DelayChain(steps: steps, closing: closing, neverAdded: neverAdded)
    }

    /// The step from the end of an operation's last wait to its own end, and what comes before it. Nil if it
    /// was never enqueued.
    package func beginning(of operation: Int) -> (step: DelayChain.Step, next: Int?)? {
        transitions[operation].map { beginning(of: operation, $0, upTo: $0.end) }
    }

    /// The step from the end of the operation's last wait to a moment in its execution, and what comes before
    /// it.
    private func beginning(of current: Int, _ line: OrderedTransitions, upTo moment: Int64) -> (
        DelayChain.Step, Int?
    ) {
        var reason: DelayChain.Reason =
            switch causes.reason(of: current) {
            case .added: .added
            case .dependency: .dependency
            case .slot: .slot
            case .slotHeld: .slotHeld
            case .neverAdded: .neverAdded
            case .thread: .thread
            }
        var next = causes.cause(of: current)
        var start = min(causes.moment(of: current), moment)
        var lead: Int64 = 0
        if reason == .added {
            if let parent = next, let adder = transitions[parent] {
                // The parent had ended, or had not begun, so something else added the operation in its name.
                if adder.executing == nil || adder.start > start || adder.end < start {
                    next = nil
                } else if trace.isAcrossProcesses(parent, current) {
                    reason = .remoteCause
                }
            } else if let cause = causes.remoteCause(of: current), let end = transitions.end(of: cause) {
                (next, reason) = (cause, .remoteCause)
                lead = start - min(start, end)
                start = min(start, end)
            } else if let wait = executions.ofProgram(of: trace.operations[current].process, upTo: start),
                wait.operation != current
            {
                (next, reason) = (wait.operation, .programWait)
                lead = start - wait.moment
                start = wait.moment
            }
        } else if reason == .thread, let before = next, let end = transitions.end(of: before) {
            lead = start - min(start, end)
            start = min(start, end)
        }
        let taskParts = trace.task(current).map { partsOfTask($0, from: start + lead, to: moment) }
        let waits =
            taskParts.map { LifetimeParts($0) }
            ?? parts(
                of: current, line, from: start + lead, to: moment, reason)
        return (
            DelayChain.Step(
                operation: current, reason: reason, start: start, end: moment, waits: waits,
                taskParts: taskParts, beforeEnqueue: lead),
            next
        )
    }

    /// What the task did between two times. What the log has before its creation or after its end is
    /// unknown.
    private func partsOfTask(_ task: Int, from start: Int64, to end: Int64) -> TaskParts {
        var parts = tasks.parts(of: task, from: start, to: end)
        parts[.unknown] += end - start - parts.total
        return parts
    }

    /// What the operation did between two times. The first one is the end of its last wait.
    private func parts(
        of current: Int, _ line: OrderedTransitions, from start: Int64, to end: Int64,
        _ reason: DelayChain.Reason
    ) -> LifetimeParts {
        let known = waits.parts(of: current, line)
        var parts = LifetimeParts()
        var left = end - start
        if line.executing != nil {
            parts.execution = min(left, max(0, end - line.start))
            left -= parts.execution
        }
        // Backwards, each part limited by the remaining time.
        func take(_ amount: Int64) -> Int64 {
            let taken = min(left, amount)
            left -= taken
            return taken
        }
        parts.dispatch = take(known.dispatch)
        if reason != .slot {
            parts.slot = take(known.slot)
            parts.suspended = take(known.suspended)
            parts.dependency = take(known.dependency)
        }
        parts.unknown = left
        return parts
    }
}
