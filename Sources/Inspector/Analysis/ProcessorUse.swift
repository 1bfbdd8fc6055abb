import InspectorColumns

/// What the executions of a trace spent their time on: calculating, waiting for a processor, or blocked.
public struct ProcessorUse: Sendable {
    private let timings: TraceTimings
    private let histories: [ProcessThread: ThreadHistory]

    /// Nil if the trace does not say when threads were on processors.
    ///
    /// Cost: linear in operations and switches.
    public init?(_ timings: TraceTimings) {
        let times = timings.trace.threadTimes
        guard !times.isEmpty else { return nil }
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
        let (execution, body) = (executed.execution, executed.body)
        var parts =
            executed.thread.flatMap { histories[$0] }?.parts(from: body.lowerBound, to: body.upperBound)
            ?? ExecutionParts(unmeasured: body.upperBound - body.lowerBound)
        parts.offThread =
            execution.upperBound - execution.lowerBound - (body.upperBound - body.lowerBound)
        return parts
    }

    /// The sum over some operations.
    package func parts(of operations: some Sequence<Int>) -> ExecutionParts {
        operations.reduce(ExecutionParts()) { sum, index in parts(of: index).map { sum + $0 } ?? sum }
    }
}
