import EventLog
import InspectorColumns

/// A running program at one moment: a trace of what is open, and what waits for what in it.
///
/// Everything on a screen comes from the same moment, so that its parts agree.
struct LiveMoment: Sendable {
    let trace: Trace
    let timings: TraceTimings
    let blockers: Blockers

    /// Cost: O(n log n) in open operations.
    ///
    /// - Parameters:
    ///   - header: its `lastAlive` is the moment.
    ///   - text: returns the text for a number in the log.
    init(_ state: LiveState, _ header: LogHeader, text: @escaping (UInt32) -> String) {
        var made = LiveTrace(state, text: text)
        trace = made.make(header)
        timings = TraceTimings(trace)
        blockers = Blockers(trace, end: timings.end)
    }

    /// What every unfinished operation waits for. Cost: linear in queues and open operations.
    ///
    /// - Parameter usual: how long others of the kind of an operation took.
    func report(usual: @escaping (Int) -> OpenExecution.Usual?) -> UnfinishedReport {
        UnfinishedReport(trace, timings.waits, blockers, end: time, usual: usual)
    }

    /// The moment, in nanoseconds since the start of the log.
    var time: Int64 { timings.end }

    /// Nil for an operation that never existed, or that finished so long ago that it is forgotten.
    func index(of operation: UInt64) -> Int? {
        // The operations are sorted by their identifiers.
        let identifiers = trace.operations.store.columns.identifiers
        let index = trace.operations.indices.partitioningIndex { identifiers[$0] >= operation }
        return index < trace.operations.count && identifiers[index] == operation ? index : nil
    }
}
