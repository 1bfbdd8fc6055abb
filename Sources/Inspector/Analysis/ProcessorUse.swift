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
        guard !times.isEmpty else { return nil }
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
        guard let (execution, body) = spans(of: index) else { return nil }
        var parts =
            history(of: index)?.parts(from: body.start, to: body.end)
            ?? ExecutionParts(unmeasured: body.end - body.start)
        parts.offThread = execution.end - execution.start - (body.end - body.start)
        return parts
    }

    /// The parts of an operation's execution in order, without gaps; their sums are ``parts(of:)``. Empty if
    /// these are nil.
    ///
    /// Cost: logarithmic in the switches of its thread, and linear in those during the execution.
    package func stretches(of index: Int) -> [ExecutionStretch] {
        guard let (execution, body) = spans(of: index) else { return [] }
        var stretches: [ExecutionStretch] = []
        stretches.append(.offThread, from: execution.start, to: body.start)
        if let history = history(of: index) {
            stretches += history.stretches(from: body.start, to: body.end)
        } else {
            stretches.append(.unmeasured, from: body.start, to: body.end)
        }
        stretches.append(.offThread, from: body.end, to: execution.end)
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

    private typealias Span = (start: Int64, end: Int64)

    private func spans(of index: Int) -> (execution: Span, body: Span)? {
        let columns = trace.operations.store.columns
        guard let line = timings.lifelines[index], line.executing != nil, let waits = timings.waits[index]
        else { return nil }
        let execution = (start: line.start, end: line.start + waits.execution)
        let start = clamp(columns.bodyBegan[index], execution) ?? execution.start
        let end = max(clamp(columns.bodyEnded[index], execution) ?? execution.end, start)
        return (execution, (start, end))
    }

    private func clamp(_ moment: TraceMoment?, _ span: Span) -> Int64? {
        moment.map { min(max(TraceMoment.bounded($0.notAfter), span.start), span.end) }
    }

    private func history(of index: Int) -> ThreadHistory? { thread(of: index).flatMap { histories[$0] } }

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
