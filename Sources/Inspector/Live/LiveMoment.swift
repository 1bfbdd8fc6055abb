import EventLog
import InspectorColumns

/// A running program at one moment: what is open, as a trace, and what waits for what in it.
///
/// Everything on a screen comes from one moment, so that no part of it contradicts another.
struct LiveMoment: Sendable {
    let trace: Trace
    let timings: TraceTimings
    let blockers: Blockers

    /// Cost: O(n log n) in the operations that are open.
    ///
    /// - Parameters:
    ///   - header: its `lastAlive` is the moment.
    ///   - text: the texts of the log, by their numbers.
    init(_ state: LiveState, _ header: LogHeader, text: @escaping (UInt32) -> String) {
        var made = LiveTrace(state, text: text)
        trace = made.make(header)
        timings = TraceTimings(trace)
        blockers = Blockers(trace, end: timings.end)
    }

    /// What everything that has not finished waits for. Cost: linear in queues and operations that are open.
    var report: UnfinishedReport { UnfinishedReport(trace, timings.waits, blockers, end: time) }

    /// When it is, in nanoseconds since the start of the log.
    var time: Int64 { timings.end }

    /// Nil for an operation that finished so long ago that it is forgotten, and for one that was never there.
    func index(of operation: UInt64) -> Int? {
        // They are in the order of their identifiers.
        let identifiers = trace.operations.store.columns.identifiers
        let index = trace.operations.indices.partitioningIndex { identifiers[$0] >= operation }
        return index < trace.operations.count && identifiers[index] == operation ? index : nil
    }
}
