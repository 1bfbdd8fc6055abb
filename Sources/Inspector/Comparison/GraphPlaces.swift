import InspectorColumns

/// The position of each operation in the graph of a run, as a number to compare two runs by. It is derived
/// from the operation's depth, and from the kinds and names of its dependencies and its parent.
///
/// Two different positions have the same number with a probability of 1 in 2⁶⁴. Then operations with the same
/// kind and name are matched in the order in which they were enqueued.
struct GraphPlaces {
    private let places: [Int64]

    /// Linear in operations and edges.
    ///
    /// - Parameter keys: for each operation, a number for its kind and name.
    init(_ trace: Trace, _ keys: [Int32]) {
        let depths = Self.depths(trace)
        let columns = trace.operations.store.columns
        var places = depths.map { Self.mixed(UInt64(bitPattern: Int64($0))) }
        for edge in trace.edges
        where keys.indices.contains(edge.predecessor) && keys.indices.contains(edge.successor) {
            // A sum, so that the order of the edges does not matter.
            places[edge.successor] &+= Self.mixed(
                1 << 32 | UInt64(UInt32(bitPattern: keys[edge.predecessor])))
        }
        for index in keys.indices {
            let parent = Int(columns.parents[index])
            guard keys.indices.contains(parent) else { continue }
            places[index] &+= Self.mixed(2 << 32 | UInt64(UInt32(bitPattern: keys[parent])))
        }
        self.places = places.map { Int64(bitPattern: $0) }
    }

    subscript(operation: Int) -> Int64 { places[operation] }

    /// The length of the longest path to each operation, in edges; -1 for operations in and behind a cycle
    /// (A. B. Kahn, "Topological sorting of large networks", 1962).
    private static func depths(_ trace: Trace) -> [Int32] {
        let count = trace.operations.count
        let edges = trace.edges.filter {
            $0.predecessor >= 0 && $0.predecessor < count && $0.successor >= 0 && $0.successor < count
        }
        let followers = Grouping(edges.lazy.map(\.predecessor), groups: count)
        var missing = [Int32](repeating: 0, count: count)
        for edge in edges { missing[edge.successor] += 1 }
        var depths = missing.map { $0 == 0 ? Int32(0) : -1 }
        var longest = [Int32](repeating: 0, count: count)
        var done = missing.indices.filter { missing[$0] == 0 }
        while let operation = done.popLast() {
            depths[operation] = longest[operation]
            for edge in followers[operation] {
                let successor = edges[Int(edge)].successor
                longest[successor] = max(longest[successor], longest[operation] + 1)
                missing[successor] -= 1
                if missing[successor] == 0 { done.append(successor) }
            }
        }
        return depths
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var generator = SplitMix64(seed: value)
        return generator.next()
    }
}
