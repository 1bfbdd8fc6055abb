import InspectorColumns

/// Which operation each thread was executing at each moment.
///
/// Bodies nest on a thread if one operation starts another one in its own body. The innermost one counts.
struct BodyNesting: Sendable {
    struct Body: Sendable {
        let operation: Int32
        let range: Range<Int64>
        /// How many other bodies it is inside of.
        fileprivate(set) var depth = 0
        /// The operation of the body that it is directly inside of.
        fileprivate(set) var outer: Int32?
    }

    /// By thread, in the order of their starts.
    private(set) var bodies: [ProcessThread: [Body]] = [:]

    /// Cost: O(n log n) in operations.
    init(_ timings: TraceTimings) {
        for index in timings.transitions.indices {
            guard let executed = timings.executedBody(of: index), let thread = executed.thread,
                !executed.body.isEmpty
            else { continue }
            bodies[thread, default: []].append(Body(operation: Int32(index), range: executed.body))
        }
        for thread in bodies.keys { bodies[thread].map { bodies[thread] = Self.nested($0) } }
    }

    /// Finds the innermost body at each of some moments, which have to be in order.
    struct Walk {
        private let bodies: [Body]
        private var next = 0
        private var open: [Body] = []

        /// The bodies of one thread.
        init(_ bodies: [Body]) { self.bodies = bodies }

        /// Nil if the thread was in no body then.
        mutating func innermost(at time: Int64) -> Body? {
            while next < bodies.count, bodies[next].range.lowerBound <= time {
                open.append(bodies[next])
                next += 1
            }
            while let last = open.last, last.range.upperBound <= time { open.removeLast() }
            return open.last
        }
    }

    private static func nested(_ bodies: [Body]) -> [Body] {
        // The longest of bodies that start together is the outermost.
        var sorted = bodies.sorted {
            ($0.range.lowerBound, -$0.range.upperBound, $0.operation)
                < ($1.range.lowerBound, -$1.range.upperBound, $1.operation)
        }
        var open: [Body] = []
        for index in sorted.indices {
            while let last = open.last, last.range.upperBound <= sorted[index].range.lowerBound {
                open.removeLast()
            }
            sorted[index].depth = open.count
            sorted[index].outer = open.last?.operation
            open.append(sorted[index])
        }
        return sorted
    }
}
