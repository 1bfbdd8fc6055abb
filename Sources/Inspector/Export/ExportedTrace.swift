import EventLog

/// A trace as exports tell it: in an order of times that makes sense, and on the clock of the world.
///
/// A trace is untrusted. Times that contradict each other, or lie further off than 36 years, are moved to where they make
/// sense, as all analyses take them; the operation is marked as mended, and they are counted.
public struct ExportedTrace: Sendable {
    public let analysis: TraceAnalysis
    /// What this run is called among others.
    public let run: String
    /// What is known of the run that is not in its trace, a version say, by name: for the tables.
    public let labels: [(name: String, value: String)]
    /// How many operations have times that were moved.
    public let mendedCount: Int
    /// How many operations are named by edges only: there are no times of them.
    public let unobservedCount: Int

    /// The start of the trace, nanoseconds since 1970-01-01T00:00:00Z; 0 where the trace has none that could be.
    let origin: Int64
    /// What has to be added for viewers, who take no times before 0. Nanoseconds.
    let viewerShift: Int64
    let suspended: [SuspendedTime]

    /// Cost: linear in operations.
    public init(_ analysis: TraceAnalysis, run: String, labels: [String: String] = [:]) {
        self.analysis = analysis
        self.run = run
        self.labels = labels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let start = analysis.trace.header.start
        origin = (0...(Int64.max - 1 << 60)).contains(start) ? start : 0
        suspended = analysis.trace.queues.map { SuspendedTime($0.suspensions) }
        var (mended, unobserved) = (0, 0)
        var first: Int64 = 0
        let columns = analysis.trace.operations.store.columns
        for (index, line) in analysis.lifelines.enumerated() {
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

    /// Tells the run from every other, whatever its trace is called: 32 hexadecimal digits, the trace identifier that the run
    /// has in OpenTelemetry where no other process caused it. Of a trace that names no machine, the name of the run and what
    /// is in the trace are part of it; of a merged one, all processes are.
    ///
    /// Cost: linear in operations and edges where the trace names no machine.
    public var identifier: String {
        let processes = trace.processes
        let first = processes[0]
        var parts =
            [first.process]
            + processes.dropFirst().map { "\($0.host)\0\($0.process)\0\($0.processID)\0\($0.start)" }
        if first.host.isEmpty { parts += [run, String(contentHash)] }
        let identifiers = SpanIdentifiers(
            host: first.host, process: parts.joined(separator: "\0"), processID: first.processID,
            start: first.start)
        return identifiers.span(0).traceText
    }

    /// Of kinds, times and edges: what tells traces of one name apart that name no machine.
    private var contentHash: UInt64 {
        // FNV-1a (Fowler, Noll, Vo), a number at a time; the shift lets the high bits count in the low ones.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func take(_ number: Int64) {
            hash = (hash ^ UInt64(bitPattern: number)) &* 0x100_0000_01B3
            hash ^= hash >> 32
        }
        for kind in trace.kinds {
            for byte in kind.utf8 { take(Int64(byte)) }
            take(-1)
        }
        for line in analysis.lifelines {
            take(line?.enqueued ?? .min)
            take(line?.start ?? .min)
            take(line?.end ?? .min)
        }
        for edge in trace.edges {
            take(Int64(edge.predecessor))
            take(Int64(edge.successor))
        }
        return hash
    }

    /// All that the program did is in the trace: the recorder lost nothing and closed the log, and it was read whole. What
    /// could not be used of another program's trace does not count.
    var isComplete: Bool {
        let header = trace.header
        return header.isClosed && header.droppedEvents == 0 && (header.host.isEmpty || trace.losses.isEmpty)
    }

    /// One sentence each, for every format: what is not exported as the trace has it.
    var notes: [String] {
        var notes: [String] = []
        if mendedCount > 0 {
            notes.append(
                "\(Prose.counted(mendedCount, "operation")) \(mendedCount == 1 ? "has" : "have") times that contradict each "
                    + "other, or that cannot be; they are exported in an order that can be, and marked as mended"
            )
        }
        if origin != trace.header.start {
            notes.append(
                "the start of the trace is no time that could be; 1970-01-01T00:00:00Z stands for it")
        }
        return notes
    }

    /// For formats in which everything has a time.
    var notesOfTimes: [String] {
        guard unobservedCount > 0 else { return notes }
        return notes + [
            "left out: \(Prose.counted(unobservedCount, "operation")) that \(unobservedCount == 1 ? "was" : "were") never "
                + "enqueued, and \(unobservedCount == 1 ? "has" : "have") no times"
        ]
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z of a time of the trace.
    func absolute(_ time: Int64) -> Int64 { origin.saturatingAdd(Lifeline.bounded(time)) }

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
        analysis.lifelines.indices.contains(edge.predecessor)
            && analysis.lifelines.indices.contains(edge.successor)
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
