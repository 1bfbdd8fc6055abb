import InspectorColumns

/// What the executions of a trace spent their time on: calculating, waiting for a processor, or blocked.
public struct ProcessorUse: Sendable {
    let timings: TraceTimings
    let histories: [ProcessThread: ThreadHistory]

    /// Nil if the trace does not say when threads were on processors.
    ///
    /// Cost: linear in operations and switches.
    public init?(_ timings: TraceTimings) {
        let times = timings.trace.threadTimes
        guard !times.isEmpty || !timings.trace.bodyUses.isEmpty else { return nil }
        self.timings = timings
        let losses = times.losses.mapValues { DisjointRanges($0).ranges }
        histories = times.threads.reduce(into: [:]) { histories, thread in
            histories[thread.key] = ThreadHistory(
                thread.value, losses: losses[thread.key.process] ?? [], end: timings.end)
        }
    }

    /// The parts of an operation's execution. Nil for an operation that was never enqueued, and for one that
    /// never started.
    ///
    /// Cost: logarithmic in the switches of its thread.
    public func parts(of index: Int) -> ExecutionParts? {
        guard let executed = timings.executedBody(of: index) else { return nil }
        let body = executed.body
        var parts =
            history(of: index, executed)?.parts(from: body.lowerBound, to: body.upperBound)
            ?? timings.trace.bodyUses[Int32(index)]
            .map { ExecutionParts($0, of: body.upperBound - body.lowerBound) }
            ?? [.unmeasured: body.upperBound - body.lowerBound]
        parts.offThread = executed.offThread
        return parts
    }

    /// The parts of an operation's execution in order, without gaps; their sums are ``parts(of:)``. Empty if
    /// these are nil. Without a record of the thread's switches, the parts follow each other in their usual
    /// order.
    ///
    /// Cost: logarithmic in the switches of its thread, and linear in those during the execution.
    package func stretches(of index: Int) -> [ExecutionStretch] {
        guard let executed = timings.executedBody(of: index), let parts = parts(of: index) else { return [] }
        let (execution, body) = (executed.execution, executed.body)
        guard let history = history(of: index, executed) else {
            return parts.inUsualOrder(from: execution.lowerBound)
        }
        var stretches: [ExecutionStretch] = []
        stretches.append(.offThread, from: execution.lowerBound, to: body.lowerBound)
        stretches += history.stretches(from: body.lowerBound, to: body.upperBound)
        stretches.append(.offThread, from: body.upperBound, to: execution.upperBound)
        return stretches
    }

    /// What each thread did, in order, also outside of executions. In no particular order of the threads.
    package var threads: some Sequence<[ExecutionStretch]> {
        histories.values.lazy.map { [end = timings.end] in $0.stretches(from: $0.start, to: end) }
    }

    /// The sum over some operations.
    package func parts(of operations: some Sequence<Int>) -> ExecutionParts {
        operations.reduce(ExecutionParts()) { sum, index in parts(of: index).map { sum + $0 } ?? sum }
    }

    /// How many stretches an operation has, at most. Logarithmic.
    func stretchCount(of index: Int) -> Int {
        guard let executed = timings.executedBody(of: index) else { return 0 }
        let body = executed.body
        return ExecutionParts.Part.allCases.count
            + (history(of: index, executed)?.count(from: body.lowerBound, to: body.upperBound) ?? 0)
    }

    /// When an operation was in its body, and on which thread. Nil if that is not known.
    func body(of index: Int) -> Body? {
        guard let executed = timings.executedBody(of: index), let thread = executed.thread else { return nil }
        return Body(thread: thread, start: executed.body.lowerBound, end: executed.body.upperBound)
    }

    struct Body {
        let thread: ProcessThread
        let start: Int64
        let end: Int64
    }

    /// What the thread of a body did. Nil if that is not known, or only as sums.
    func history(of index: Int, _ executed: ExecutedBody) -> ThreadHistory? {
        if let use = timings.trace.bodyUses[Int32(index)], use.afterFinish == 0 { return nil }
        return executed.thread.flatMap { histories[$0] }
    }
}
