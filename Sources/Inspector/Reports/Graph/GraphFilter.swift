/// Which operations of a trace are drawn: those that all of what is set here holds for.
public struct GraphFilter: Sendable {
    /// Names, kinds or IDs are looked up as `OperationSearch` does; where several match, all of them are
    /// meant.
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

    /// Where the paths begin and end, each by a name, a kind or an ID.
    public struct Ends: Sendable {
        /// What the paths begin with.
        public var first: String
        /// What the paths end with.
        public var last: String

        /// The paths from `first` to `last`.
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
    /// Those of this kind; nil for all.
    public var kind: String?
    /// What lies on paths from one to the other.
    public var between: Ends?
    /// Those that were enqueued and not finished at some moment of it; in nanoseconds since the start of the
    /// trace.
    public var window: ClosedRange<Int64>?

    /// Draws every operation, until something is set.
    public init() {}

    var isEmpty: Bool {
        focus == nil && !isCritical && queue == nil && kind == nil && between == nil && window == nil
    }
}

/// A graph that cannot be drawn as it is asked for, in one sentence.
public struct GraphError: Error, Sendable, CustomStringConvertible {
    /// One sentence that names what was asked for.
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
