import EventLog
import InspectorColumns

/// What the executions of a trace spent their time on: calculating, waiting for a processor, or blocked.
public struct ProcessorUse: Sendable {
    private let trace: Trace
    private let timings: TraceTimings
    private let histories: [ProcessThread: ThreadHistory]

    /// Nil if the trace does not say when threads were on processors.
    ///
    /// Cost: linear in operations and switches.
    public init?(_ timings: TraceTimings) {
        let times = timings.trace.threadTimes
        guard !times.isEmpty || !timings.trace.bodyUses.isEmpty else { return nil }
        trace = timings.trace
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
        let columns = trace.operations.store.columns
        guard let line = timings.lifelines[index], line.executing != nil, let waits = timings.waits[index]
        else { return nil }
        let (start, end) = (line.start, line.start + waits.execution)
        let bodyStart = clamp(columns.bodyBegan[index], start, end) ?? start
        let bodyEnd = max(clamp(columns.bodyEnded[index], start, end) ?? end, bodyStart)
        var parts =
            trace.bodyUses[Int32(index)].map { ExecutionParts($0, of: bodyEnd - bodyStart) }
            ?? thread(of: index).flatMap { histories[$0] }?.parts(from: bodyStart, to: bodyEnd)
            ?? ExecutionParts(unmeasured: bodyEnd - bodyStart)
        parts.offThread = end - start - (bodyEnd - bodyStart)
        return parts
    }

    /// The sum over some operations.
    package func parts(of operations: some Sequence<Int>) -> ExecutionParts {
        operations.reduce(ExecutionParts()) { sum, index in parts(of: index).map { sum + $0 } ?? sum }
    }

    private func clamp(_ moment: TraceMoment?, _ start: Int64, _ end: Int64) -> Int64? {
        moment.map { min(max(TraceMoment.bounded($0.notAfter), start), end) }
    }

    /// The thread of its body, if it is known.
    private func thread(of index: Int) -> ProcessThread? {
        if trace.finishedElsewhere.contains(Int32(index)) { return nil }
        if let thread = trace.bodyThreads[Int32(index)] { return thread }
        let columns = trace.operations.store.columns
        let thread = columns.threads[index]
        guard thread != OperationColumns.none else { return nil }
        return ProcessThread(
            process: columns.threadProcesses[Int(thread)], number: columns.threadNumbers[Int(thread)])
    }
}
