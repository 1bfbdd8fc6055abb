import InspectorColumns

/// Which part of a run a timeline shows.
public struct TimelineOptions: Sendable {
    /// Nanoseconds since the start of the trace; `nil` for the whole run. The smallest or the largest `Int64`
    /// as a bound means the start or the end of the run.
    public var window: Range<Int64>?
    /// The name or the ID of a queue; `nil` for all.
    public var queue: String?
    /// A kind; `nil` for all.
    public var kind: String?
    /// A name, an ID or a handle such as `finding:3`; `nil` for all operations.
    public var operation: String?

    /// Shows the whole run, limited by the arguments.
    public init(
        window: Range<Int64>? = nil, queue: String? = nil, kind: String? = nil,
        operation: String? = nil
    ) {
        self.window = window
        self.queue = queue
        self.kind = kind
        self.operation = operation
    }

    /// - Throws: `GraphError` if a name is not in the trace, or if the window contains no operation, as a
    ///   graph of the same part does. Linear in operations.
    public func check(_ analysis: TraceAnalysis) throws(GraphError) {
        if window == nil, queue == nil, kind == nil, operation == nil { return }
        var filter = GraphFilter()
        filter.queue = queue
        filter.kind = kind
        filter.operation = operation
        filter.window = window.map { $0.lowerBound...$0.upperBound }
        _ = try GraphSelection(filter, analysis)
    }
}

extension TimelineOptions {
    /// The operations and tasks that ``operation`` names, as indices into the operations of the trace with
    /// its tasks; nil for all, none for an unknown name.
    func named(in analysis: TraceAnalysis) -> Set<Int>? {
        operation.map { Set((try? HandleSearch($0, in: analysis).matches) ?? []) }
    }
}

/// The operations that a timeline shows, and its time range.
struct TimelineSelection {
    /// Indices into the trace's operations, in their order.
    let operations: [Int32]
    /// Nanoseconds since the start of the trace.
    let start: Int64
    /// After `start`.
    let end: Int64
    /// Whether everything happened at a single moment. It is then drawn as a nanosecond.
    let isInstant: Bool
    /// The number of enqueued operations that the options leave out.
    let hidden: Int
    /// The number of operations that the log only names, which have no times.
    let unobserved: Int
    /// How much of the end of a run that stood still is left out, in nanoseconds.
    let folded: Int64

    /// Linear in operations.
    ///
    /// - Parameter whole: of operations and tasks, as drawn.
    init(_ analysis: TraceAnalysis, whole: TraceAnalysis, _ options: TimelineOptions) {
        let trace = analysis.trace
        let columns = trace.operations.store.columns
        let isShownQueue = options.queue.map { Handle.queues($0, in: trace.queues) }
        let kinds = trace.kinds
        let kind = options.kind.map { Handle.kind($0, in: kinds) ?? -1 }
        let named = options.named(in: analysis)
        var operations: [Int32] = []
        operations.reserveCapacity(columns.count)
        var (hidden, unobserved) = (0, 0)
        var (start, end) = (Int64.max, Int64.min)
        for (index, line) in analysis.timings.transitions.enumerated() {
            guard let line else {
                unobserved += 1
                continue
            }
            let queue = Int(columns.queues[index])
            let isShown =
                isShownQueue.map { $0.indices.contains(queue) && $0[queue] } ?? true
                && kind.map { $0 == Int(columns.kinds[index]) } ?? true && named?.contains(index) ?? true
                && options.window.map { line.enqueued < $0.upperBound && line.end >= $0.lowerBound } ?? true
            guard isShown else {
                hidden += 1
                continue
            }
            operations.append(Int32(index))
            start = min(start, line.enqueued)
            end = max(end, line.end)
        }
        self.operations = operations
        self.hidden = hidden
        self.unobserved = unobserved
        let isFiltered = options.queue != nil || options.kind != nil || named != nil
        if !isFiltered || operations.isEmpty, let tasks = TimelineTasks.times(trace) {
            (start, end) = (min(start, tasks.lowerBound), max(end, tasks.upperBound))
        } else if operations.isEmpty {
            (start, end) = (0, 1)
        }
        if let window = options.window, window.lowerBound != .min {
            start = TraceMoment.bounded(window.lowerBound)
        }
        if let window = options.window, window.upperBound != .max {
            end = TraceMoment.bounded(window.upperBound)
        }
        let isCut = whole.isDrawnAsStandstill && options.window == nil
        folded = isCut ? Self.idleEnd(analysis, start: start, end: end) : 0
        end -= folded
        self.start = start
        self.end = max(end, start + 1)
        isInstant = !operations.isEmpty && end <= start
    }

    /// How much of the end of a run that stood still is left out because nothing happened in it any more, and
    /// the rest would be too small to see. Nanoseconds.
    private static func idleEnd(_ analysis: TraceAnalysis, start: Int64, end: Int64) -> Int64 {
        guard let last = analysis.trace.activity(before: analysis.end)?.upperBound, last > start, end > last,
            (end - last) / 2 > last - start
        else { return 0 }
        // A quarter of it stays, to show what does not go on.
        return end - last - (last - start) / 4
    }

    /// The minimum length of a drawn execution, in nanoseconds; 0 unless everything happened at a single
    /// moment.
    var leastExecution: Int64 { isInstant ? 1 : 0 }

    /// A sentence that says that nothing took any time; `nil` otherwise.
    var instant: String? {
        guard isInstant else { return nil }
        let count = Prose.counted(operations.count, "operation")
        return "the trace spans 0 ns: \(count) drawn as if each execution took 1 ns"
    }

    /// What is not shown, in one sentence; `nil` if everything is.
    var omission: String? {
        var parts: [String] = []
        if folded > 0 {
            let time = DurationFormat.text(nanoseconds: folded)
            parts.append("the last \(time), in which nothing happened, are not drawn")
        }
        if hidden > 0 { parts.append("\(Prose.counted(hidden, "operation")) left out by the filters") }
        if unobserved > 0 {
            parts.append(
                "\(Prose.counted(unobserved, "operation")) not shown, because the log only "
                    + "names them")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
