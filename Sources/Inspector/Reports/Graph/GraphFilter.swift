/// Which operations of a trace are drawn: those that all of what is set here holds for.
public struct GraphFilter: Sendable {
    /// Names, kinds or IDs are looked up as `OperationSearch` does; where several match, all of them are
    /// meant.
    public struct Focus: Sendable {
        public var name: String
        /// How many edges away a neighbour may be, in either direction.
        public var depth: Int

        public init(name: String, depth: Int) {
            self.name = name
            self.depth = depth
        }
    }

    public struct Ends: Sendable {
        public var first: String
        public var last: String

        public init(first: String, last: String) {
            self.first = first
            self.last = last
        }
    }

    /// The operations of that name and their neighbours.
    public var focus: Focus?
    /// The critical path and its neighbours.
    public var isCritical = false
    /// By name, or by ID. Several queues may have a name.
    public var queue: String?
    public var kind: String?
    /// What lies on paths from one to the other.
    public var between: Ends?
    /// Those that were enqueued and not finished at some moment of it; in nanoseconds since the start of the
    /// trace.
    public var window: ClosedRange<Int64>?

    public init() {}

    var isEmpty: Bool {
        focus == nil && !isCritical && queue == nil && kind == nil && between == nil && window == nil
    }
}

/// A graph that cannot be drawn as it is asked for, in one sentence.
public struct GraphError: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

extension GraphFilter {
    /// Reads `1.2s..3.4s`: two times since the start of the trace, each with its unit (ns, us, µs, ms, s,
    /// min, h); one of them may be missing. `nil` for anything else.
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
