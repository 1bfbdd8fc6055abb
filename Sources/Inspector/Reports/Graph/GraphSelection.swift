import InspectorColumns

/// The operations that a filter keeps.
struct GraphSelection {
    /// Whether each operation is kept; empty if all are.
    private let isKept: [Bool]
    let count: Int
    /// The condition in words: `of kind Fetch, within 2 steps of page 11`. `nil` without a condition.
    let condition: String?
    /// The operations that the focus names, whether or not another condition keeps them.
    private(set) var focus: [Int] = []

    func keeps(_ index: Int) -> Bool { isKept.isEmpty || isKept[index] }

    /// Linear in operations and edges.
    ///
    /// - Throws: `GraphError` if a name is not in the trace, or if nothing is left.
    init(
        _ filter: GraphFilter, _ analysis: TraceAnalysis, _ waits: UnfinishedWaits? = nil
    ) throws(GraphError) {
        let trace = analysis.trace
        if filter.isEmpty {
            (isKept, count, condition) = ([], trace.operations.count, nil)
            return
        }
        var kept = [Bool](repeating: true, count: trace.operations.count)
        var conditions: [String] = []
        func keep(_ condition: String, _ isWanted: (Int) -> Bool) {
            conditions.append(condition)
            for index in kept.indices where kept[index] && !isWanted(index) { kept[index] = false }
        }
        let columns = trace.operations.store.columns
        if let name = filter.kind {
            let kind = try Self.kind(name, trace)
            keep("of kind \(Self.shortened(trace.kinds[Int(kind)]))") { columns.kinds[$0] == kind }
        }
        if let name = filter.queue {
            let queues = try Self.queues(name, trace)
            keep("in queue \(Self.shortened(Handle.bare(name, .queue)))") {
                let queue = Int(columns.queues[$0])
                return queue >= 0 && queues[queue]
            }
        }
        if let name = filter.operation {
            let named = Set(try Self.operations(name, analysis))
            keep((Handle(name).form == nil ? "named " : "of ") + Self.shortened(name), named.contains)
        }
        if let window = filter.window {
            let transitions = analysis.timings.transitions
            keep(Self.text(window)) { index in
                transitions[index].map { $0.enqueued <= window.upperBound && $0.end >= window.lowerBound }
                    ?? false
            }
        }
        if filter.isCritical {
            let path = GraphReach(trace, waits).neighbours(of: analysis.criticalPath.operations, depth: 1)
            keep("on the critical path or next to it") { path[$0] }
        }
        if let focus = filter.focus {
            let seeds = try Self.operations(focus.name, analysis)
            self.focus = seeds
            let near = GraphReach(trace, waits).neighbours(of: seeds, depth: focus.depth)
            let steps = Prose.counted(focus.depth, "step")
            keep("within \(steps) of \(Self.shortened(focus.name))") { near[$0] }
        }
        if let ends = filter.between {
            let first = try Self.operations(ends.first, analysis)
            let last = try Self.operations(ends.last, analysis)
            let between = GraphReach(trace).between(first, last)
            if !between.contains(true) { throw Self.noPath(ends, first, last, trace) }
            keep("between \(Self.shortened(ends.first)) and \(Self.shortened(ends.last))") { between[$0] }
        }
        let condition = conditions.joined(separator: ", ")
        count = kept.reduce(0) { $0 + ($1 ? 1 : 0) }
        if count == 0 { throw GraphError("no operation is \(condition)") }
        isKept = kept
        self.condition = condition
    }

    /// Reports it if the ends are swapped.
    private static func noPath(
        _ ends: GraphFilter.Ends, _ first: [Int], _ last: [Int], _ trace: Trace
    ) -> GraphError {
        let (from, to) = (quoted(ends.first), quoted(ends.last))
        let isReversed = GraphReach(trace).between(last, first).contains(true)
        return GraphError(
            isReversed
                ? "no path leads from \(from) to \(to), only from \(to) to \(from); swap the two"
                : "no path leads from \(from) to \(to), in either direction")
    }

    // MARK: Names

    private static func kind(_ name: String, _ trace: Trace) throws(GraphError) -> Int32 {
        let kinds = trace.kinds
        // The first kind exists even if no operation has it.
        if let kind = Handle.kind(name, in: kinds),
            kind > 0 || trace.operations.contains(where: { $0.kindIndex == 0 })
        {
            return Int32(kind)
        }
        throw GraphError(MissingName.kind(Handle.bare(name, .kind), in: trace))
    }

    /// Whether each queue has the name.
    private static func queues(_ name: String, _ trace: Trace) throws(GraphError) -> [Bool] {
        let isMeant = Handle.queues(name, in: trace.queues)
        if isMeant.contains(true) { return isMeant }
        throw GraphError(MissingName.queue(Handle.bare(name, .queue), in: trace))
    }

    private static func operations(_ name: String, _ analysis: TraceAnalysis) throws(GraphError) -> [Int] {
        do throws(UnknownHandle) {
            return try HandleSearch(name, in: analysis).matches.filter(
                analysis.trace.operations.indices.contains)
        } catch {
            throw GraphError(error.description)
        }
    }

    private static func quoted(_ name: String) -> String { NearestNames.quoted(name) }

    private static func shortened(_ name: String) -> String { TerminalText.shortened(name) }

    private static func text(_ window: ClosedRange<Int64>) -> String {
        let start = DurationFormat.text(nanoseconds: window.lowerBound)
        let end = DurationFormat.text(nanoseconds: window.upperBound)
        if window.lowerBound == .min { return "alive before \(end)" }
        return window.upperBound == .max ? "alive after \(start)" : "alive between \(start) and \(end)"
    }
}
