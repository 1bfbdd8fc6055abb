import InspectorColumns

/// When a thread was in the body of an operation, and which thread.
struct ExecutedBody {
    /// From the start to the end among the operation's ordered transitions.
    let execution: Range<Int64>
    /// Within the execution.
    let body: Range<Int64>
    /// Nil if it is not known which thread was in the body until when.
    let thread: ProcessThread?

    /// How much of the execution lies outside the body.
    var offThread: Int64 {
        execution.upperBound - execution.lowerBound - (body.upperBound - body.lowerBound)
    }
}

extension TraceTimings {
    /// Nil for an operation that was never enqueued, for one that never started, and for a task, which has
    /// runs.
    func executedBody(of index: Int) -> ExecutedBody? {
        let columns = trace.operations.store.columns
        guard trace.task(index) == nil, let line = transitions[index], line.executing != nil else {
            return nil
        }
        let (start, end) = (line.start, line.start + max(0, waits.parts(of: index, line).execution))
        func clamped(_ moment: TraceMoment?) -> Int64? {
            moment.map { min(max(TraceMoment.bounded($0.notAfter), start), end) }
        }
        let bodyStart = clamped(columns.bodyBegan[index]) ?? start
        let bodyEnd = max(clamped(columns.bodyEnded[index]) ?? end, bodyStart)
        return ExecutedBody(
            execution: start..<end, body: bodyStart..<bodyEnd, thread: trace.bodyThread(of: index))
    }
}

extension Trace {
    fileprivate func bodyThread(of index: Int) -> ProcessThread? {
        if finishedElsewhere.contains(Int32(index)) { return nil }
        if let thread = bodyThreads[Int32(index)] { return thread }
        let columns = operations.store.columns
        let thread = columns.threads[index]
        guard thread != OperationColumns.none else { return nil }
        return ProcessThread(
            process: columns.threadProcesses[Int(thread)], number: columns.threadNumbers[Int(thread)])
    }
}
