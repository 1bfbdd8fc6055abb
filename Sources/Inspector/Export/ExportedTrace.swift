import EventLog
import InspectorColumns

/// A trace for exports, with consistent times on the wall clock.
///
/// A trace is untrusted. Times that contradict each other, or are more than 36 years away, are moved to
/// consistent values, as in all analyses. Such operations are marked as mended and counted.
public struct ExportedTrace: Sendable {
    /// Of the operations.
    package private(set) var analysis: TraceAnalysis
    /// With Swift tasks as operations, after the others; what is critical follows from all of them.
    package let whole: TraceAnalysis
    /// The name of this run among others.
    package let run: String
    /// Properties of the run that are not in its trace, such as a version, by name; for the tables.
    package let labels: [(name: String, value: String)]
    /// How many operations have corrected times.
    let mendedCount: Int
    /// How many operations appear only in edges, and have no times.
    let unobservedCount: Int

    /// The start of the trace, in nanoseconds since 1970-01-01T00:00:00Z; nil if the trace has no plausible
    /// start.
    let start: Int64?
    /// Identifies the run, whatever its trace is called: 32 hexadecimal digits. It is the run's trace
    /// identifier in OpenTelemetry, unless another process caused the run, or the trace is merged. If the
    /// trace names no machine, the identifier also depends on the run's name and the trace's contents. For a
    /// merged trace, it depends on all processes.
    public let identifier: String
    /// The nanoseconds to add for viewers, which do not accept times before 0.
    let viewerShift: Int64
    let suspended: [SuspendedTime]
    /// Nil if the trace does not say when threads were on processors.
    private(set) var processorUse: ProcessorUse?

    /// Cost: linear in operations and switches.
    public init(_ analysis: TraceAnalysis, run: String, labels: [String: String] = [:]) {
        self.analysis = analysis
        whole = analysis.withTasks
        self.run = run
        self.labels = labels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let start = analysis.trace.header.start
        // A log with an unknown start contains 0.
        self.start = (1...(Int64.max - 1 << 60)).contains(start) ? start : nil
        identifier = RunIdentifier.text(analysis, run: run)
        processorUse = ProcessorUse(analysis.timings)
        suspended = analysis.trace.queues.map { SuspendedTime($0.suspensions) }
        var (mended, unobserved) = (0, 0)
        var first: Int64 = 0
        let columns = analysis.trace.operations.store.columns
        for (index, line) in analysis.timings.transitions.enumerated() {
            guard let line else {
                unobserved += 1
                continue
            }
            first = min(first, line.enqueued)
            if Self.isMended(index, line, columns) { mended += 1 }
        }
        mendedCount = mended
        unobservedCount = unobserved
        for task in whole.trace.tasks.entries.indices {
            first = min(first, whole.trace.tasks.start(of: task) ?? 0)
        }
        viewerShift = -first
    }

    /// Whether the trace says when threads were on processors.
    public var hasParts: Bool { processorUse != nil }

    /// The same run with its Swift tasks as operations.
    var withTasks: ExportedTrace {
        var exported = self
        exported.analysis = whole
        if analysis.trace.operations.count < whole.trace.operations.count {
            exported.processorUse = ProcessorUse(whole.timings)
        }
        return exported
    }

    var trace: Trace { analysis.trace }

    /// Whether the trace contains everything that the program did: the recorder lost nothing and closed the
    /// log, and all of the log was read. Contents of another program's trace besides operations do not count.
    var isComplete: Bool {
        trace.header.isClosed && trace.header.droppedEvents == 0 && trace.losses.isEmpty
    }

    /// What is not exported exactly as in the trace, one sentence each, for every format.
    var notes: [String] {
        var notes: [String] = []
        if mendedCount > 0 {
            notes.append(
                "\(Prose.counted(mendedCount, "operation")) "
                    + "\(mendedCount == 1 ? "has" : "have") contradictory or impossible times; "
                    + "they are exported in a possible order, and marked as corrected"
            )
        }
        if start == nil {
            notes.append("the trace does not say when it was recorded")
        }
        return notes
    }

    /// The same for formats in which everything has a time.
    var notesOfTimes: [String] {
        var notes = notes
        if unobservedCount > 0 {
            notes.append(
                "left out: \(Prose.counted(unobservedCount, "operation")) "
                    + "that \(unobservedCount == 1 ? "was" : "were") never enqueued, "
                    + "and \(unobservedCount == 1 ? "has" : "have") no times")
        }
        let tasks = whole.trace.tasks
        let named = tasks.entries.indices.count { tasks.start(of: $0) == nil }
        if named > 0 {
            notes.append(
                "left out: \(Prose.counted(named, "task")) that the log only names, without times")
        }
        return notes
    }

    /// A time of the trace in nanoseconds since 1970-01-01T00:00:00Z; nil if the trace has no date.
    func absolute(_ time: Int64) -> Int64? { start?.saturatingAdd(TraceMoment.bounded(time)) }

    /// Until when an operation waited for a slot, if it waited for that or for a thread, and the trace shows
    /// it.
    func slotFree(of index: Int, _ line: OrderedTransitions) -> Int64? {
        guard let ready = line.ready?.notAfter, let waits = analysis.waits[index],
            waits.slot + waits.dispatch > 0,
            let free = analysis.waits.slotFree(of: index)
        else { return nil }
        return min(max(free, ready), line.executing?.notBefore ?? line.finished.notBefore)
    }

    func isMended(_ index: Int, _ line: OrderedTransitions) -> Bool {
        Self.isMended(index, line, trace.operations.store.columns)
    }

    private static func isMended(_ index: Int, _ line: OrderedTransitions, _ columns: OperationColumns)
        -> Bool
    {
        func isMoved(_ moments: MomentColumn, _ time: Int64?) -> Bool {
            moments.has(index) && moments.notAfter(index) != time
        }
        return isMoved(columns.enqueued, line.enqueued) || isMoved(columns.ready, line.ready?.notAfter)
            || isMoved(columns.executing, line.executing?.notAfter)
            || isMoved(columns.finished, line.finished.notAfter)
    }

    /// The queue of an operation, if the trace has it.
    func queue(of index: Int) -> TracedQueue? {
        let queue = Int(trace.operations.store.columns.queues[index])
        return trace.queues.indices.contains(queue) ? trace.queues[queue] : nil
    }

    /// Whether both operations of an edge are in the trace.
    func has(_ edge: Trace.Edge) -> Bool {
        analysis.timings.transitions.indices.contains(edge.predecessor)
            && analysis.timings.transitions.indices.contains(edge.successor)
    }

    /// The same, and whether both have times.
    func hasTimes(of edge: Trace.Edge) -> Bool {
        has(edge) && analysis.timings.transitions.has(edge.predecessor)
            && analysis.timings.transitions.has(edge.successor)
    }

    /// What an operation's lifetime was spent on, and when.
    func stretches(of index: Int, _ line: OrderedTransitions, _ waits: LifetimeParts) -> LifetimeStretches {
        let queue = Int(trace.operations.store.columns.queues[index])
        return LifetimeStretches(line, waits, suspended.indices.contains(queue) ? suspended[queue] : nil)
    }
}
