import EventLog
import InspectorColumns

/// A trace as exports tell it: in an order of times that makes sense, and on the clock of the world.
///
/// A trace is untrusted. Times that contradict each other, or lie further off than 36 years, are moved to
/// where they make sense, as all analyses take them; the operation is marked as mended, and they are counted.
public struct ExportedTrace: Sendable {
    package let analysis: TraceAnalysis
    /// What this run is called among others.
    package let run: String
    /// What is known of the run that is not in its trace, a version say, by name: for the tables.
    package let labels: [(name: String, value: String)]
    /// How many operations have times that were moved.
    let mendedCount: Int
    /// How many operations appear only in edges, and have no times.
    let unobservedCount: Int

    /// The start of the trace, nanoseconds since 1970-01-01T00:00:00Z; nil if the trace states none that can
    /// be right.
    let start: Int64?
    /// Tells the run from every other, whatever its trace is called: 32 hexadecimal digits, the trace
    /// identifier that the run has in OpenTelemetry unless another process caused it, or it is a merged one.
    /// Of a trace that names no machine, the name of the run and what is in the trace are part of it; of a
    /// merged one, all processes are.
    public let identifier: String
    /// What has to be added for viewers, who take no times before 0. Nanoseconds.
    let viewerShift: Int64
    let suspended: [SuspendedTime]

    /// Cost: linear in operations.
    public init(_ analysis: TraceAnalysis, run: String, labels: [String: String] = [:]) {
        self.analysis = analysis
        self.run = run
        self.labels = labels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let start = analysis.trace.header.start
        // 0 stands in a log that does not know it.
        self.start = (1...(Int64.max - 1 << 60)).contains(start) ? start : nil
        identifier = RunIdentifier.text(analysis, run: run)
        suspended = analysis.trace.queues.map { SuspendedTime($0.suspensions) }
        var (mended, unobserved) = (0, 0)
        var first: Int64 = 0
        let columns = analysis.trace.operations.store.columns
        for (index, line) in analysis.timings.lifelines.enumerated() {
            guard let line else {
                unobserved += 1
                continue
            }
            first = min(first, line.enqueued)
            if Self.isMended(index, line, columns) { mended += 1 }
        }
        mendedCount = mended
        unobservedCount = unobserved
        viewerShift = -first
    }

    var trace: Trace { analysis.trace }

    /// All that the program did is in the trace: the recorder lost nothing and closed the log, and it was
    /// read whole. What a trace of another program has besides operations does not count.
    var isComplete: Bool {
        trace.header.isClosed && trace.header.droppedEvents == 0 && trace.losses.isEmpty
    }

    /// One sentence each, for every format: what is not exported as the trace has it.
    var notes: [String] {
        var notes: [String] = []
        if mendedCount > 0 {
            notes.append(
                "\(Prose.counted(mendedCount, "operation")) \(mendedCount == 1 ? "has" : "have") "
                    + "contradictory or impossible times; they are exported in a possible order, and marked "
                    + "as corrected"
            )
        }
        if start == nil {
            notes.append("the trace does not say when it was recorded")
        }
        return notes
    }

    /// For formats in which everything has a time.
    var notesOfTimes: [String] {
        guard unobservedCount > 0 else { return notes }
        return notes + [
            "left out: \(Prose.counted(unobservedCount, "operation")) that "
                + "\(unobservedCount == 1 ? "was" : "were") never "
                + "enqueued, and \(unobservedCount == 1 ? "has" : "have") no times"
        ]
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z of a time of the trace; nil where it does not say when it was.
    func absolute(_ time: Int64) -> Int64? { start?.saturatingAdd(TraceMoment.bounded(time)) }

    /// Until when an operation waited for a slot, where it waited for that or for a thread, and the trace
    /// says it.
    func slotFree(of index: Int, _ line: Lifeline) -> Int64? {
        guard let ready = line.ready?.notAfter, let waits = analysis.waits[index],
            waits.slot + waits.dispatch > 0,
            let free = analysis.waits.slotFree(of: index)
        else { return nil }
        return min(max(free, ready), line.executing?.notBefore ?? line.finished.notBefore)
    }

    func isMended(_ index: Int, _ line: Lifeline) -> Bool {
        Self.isMended(index, line, trace.operations.store.columns)
    }

    private static func isMended(_ index: Int, _ line: Lifeline, _ columns: OperationColumns) -> Bool {
        func isMoved(_ moments: MomentColumn, _ time: Int64?) -> Bool {
            moments.has(index) && moments.notAfter(index) != time
        }
        return isMoved(columns.enqueued, line.enqueued) || isMoved(columns.ready, line.ready?.notAfter)
            || isMoved(columns.executing, line.executing?.notAfter)
            || isMoved(columns.finished, line.finished.notAfter)
    }

    /// The queue of an operation, where the trace has it.
    func queue(of index: Int) -> TracedQueue? {
        let queue = Int(trace.operations.store.columns.queues[index])
        return trace.queues.indices.contains(queue) ? trace.queues[queue] : nil
    }

    /// Both operations of an edge are in the trace.
    func has(_ edge: Trace.Edge) -> Bool {
        analysis.timings.lifelines.indices.contains(edge.predecessor)
            && analysis.timings.lifelines.indices.contains(edge.successor)
    }

    /// What an operation's lifetime was spent on, when.
    func stretches(of index: Int, _ line: Lifeline, _ waits: Waits) -> LifetimeStretches {
        let queue = Int(trace.operations.store.columns.queues[index])
        return LifetimeStretches(line, waits, suspended.indices.contains(queue) ? suspended[queue] : nil)
    }
}

extension OperationEnding {
    /// As exports call it.
    var word: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .unfinished: "unfinished"
        case .unobserved: "unobserved"
        }
    }
}

extension [UInt8] {
    /// A million operations are written a piece at a time.
    private static let piece = 1 << 20

    /// Gives away what there is when it is a piece.
    mutating func emitPiece(_ emit: ([UInt8]) -> Void) {
        guard count >= Self.piece else { return }
        emit(self)
        removeAll(keepingCapacity: true)
    }
}
