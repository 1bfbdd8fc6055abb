/// Which operations of a trace are drawn: those that meet all conditions set here.
public struct GraphFilter: Sendable {
    /// Names, kinds and IDs are looked up as by `OperationSearch`; groups such as `queue:network`, findings
    /// (`finding:3`) and steps of what delayed the run (`step:2`) as on the command line. If several
    /// operations match, all of them count.
    public struct Focus: Sendable {
        /// A name, a kind or an ID.
        public var name: String
        /// How many edges away a neighbour may be, in either direction.
        public var depth: Int

        /// A depth of 0 draws the operations themselves, without neighbours.
        public init(name: String, depth: Int) {
            self.name = name
            self.depth = depth
        }
    }

    /// The ends of paths, each as a name, a kind or an ID.
    public struct Ends: Sendable {
        /// Where the paths begin.
        public var first: String
        /// Where the paths end.
        public var last: String

        /// The paths from `first` to `last`.
        public init(first: String, last: String) {
            self.first = first
            self.last = last
        }
    }

    /// Operations with that name, and their neighbours.
    public var focus: Focus?
    /// The critical path and its neighbours.
    public var isCritical = false
    /// A queue's name or ID. Several queues may have the same name.
    public var queue: String?
    /// Operations of this kind; nil for all.
    public var kind: String?
    /// Operations with that name, kind or ID, or in that group, finding or step.
    public var operation: String?
    /// Operations on paths from one end to the other.
    public var between: Ends?
    /// Operations that were enqueued and unfinished at some time in this window, in nanoseconds since the
    /// start of the trace.
    public var window: ClosedRange<Int64>?

    /// A filter that draws every operation.
    public init() {}

    /// Whether it keeps each operation; nil if it keeps all. Linear in operations and edges.
    ///
    /// - Throws: `GraphError` if a name is not in the trace, or if nothing is left.
    package func selection(in analysis: TraceAnalysis) throws(GraphError)
        -> (@Sendable (Int) -> Bool)?
    {
        isEmpty ? nil : try GraphSelection(self, analysis).keeps
    }

    var isEmpty: Bool {
        focus == nil && !isCritical && queue == nil && kind == nil && operation == nil && between == nil
            && window == nil
    }
}

/// The error for a graph that cannot be drawn as requested, in one sentence.
public struct GraphError: Error, Sendable, CustomStringConvertible {
    /// One sentence that includes the request.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension GraphFilter {
    /// Parses `1.2s..3.4s`: two times since the start of the trace, each with its unit (ns, us, µs, ms, s,
    /// min, h). One of them may be missing. `nil` for anything else.
    package static func window(_ text: String) -> ClosedRange<Int64>? {
        guard let dots = text.firstRange(of: "..") else { return nil }
        let (from, to) = (text[..<dots.lowerBound], text[dots.upperBound...])
        guard !from.isEmpty || !to.isEmpty,
            let start = from.isEmpty ? .min : DurationFormat.nanoseconds(from),
            let end = to.isEmpty ? .max : DurationFormat.nanoseconds(to), start <= end
        else { return nil }
        return start...end
    }
}
