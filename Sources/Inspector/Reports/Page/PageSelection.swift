import InspectorColumns

/// Which operations and edges of a trace a page contains: all, or the most interesting ones of a large trace.
struct PageSelection {
    /// With more, a browser takes long to open the page.
    static let mostOperations = 220_000
    static let mostEdges = 1_000_000

    /// Indices into the trace's operations, ascending.
    let operations: [Int]
    /// Maps indices in the trace to positions in `operations`; -1 for operations that are left out.
    private let positions: [Int32]
    /// The edges between these operations, by their positions in `operations`.
    let edges: [Trace.Edge]
    let omittedEdges: Int

    var omittedOperations: Int { positions.count - operations.count }

    /// Linear in operations and edges.
    ///
    /// - Parameter first: the most important operations, in any order. After them come those that never
    ///   finished, and then the longest.
    init(_ analysis: TraceAnalysis, first: [Int], most: Int = mostOperations, mostEdges: Int = mostEdges) {
        let trace = analysis.trace
        let count = trace.operations.count
        let chosen = count <= most ? Array(0..<count) : Self.chosen(analysis, first: first, most: most)
        var positions = [Int32](repeating: -1, count: count)
        for (position, index) in chosen.enumerated() {
            positions[index] = Int32(truncatingIfNeeded: position)
        }
        var edges: [Trace.Edge] = []
        for edge in trace.edges {
            guard edges.count < mostEdges, positions.indices.contains(edge.predecessor),
                positions.indices.contains(edge.successor), positions[edge.predecessor] >= 0,
                positions[edge.successor] >= 0
            else { continue }
            edges.append(
                Trace.Edge(
                    predecessor: Int(positions[edge.predecessor]), successor: Int(positions[edge.successor])))
        }
        operations = chosen
        self.positions = positions
        self.edges = edges
        omittedEdges = trace.edges.count - edges.count
    }

    private static func chosen(_ analysis: TraceAnalysis, first: [Int], most: Int) -> [Int] {
        let columns = analysis.trace.operations.store.columns
        var isChosen = [Bool](repeating: false, count: columns.count)
        var left = most
        func choose(_ index: Int) {
            guard left > 0, isChosen.indices.contains(index), !isChosen[index] else { return }
            isChosen[index] = true
            left -= 1
        }
        for index in first { choose(index) }
        var rest: [(index: Int, lifetime: Int64)] = []
        rest.reserveCapacity(columns.count)
        for index in 0..<columns.count {
            guard let waits = analysis.waits[index] else { continue }
            rest.append((index, columns.finished.has(index) ? waits.total : .max))
        }
        for (index, _) in rest.sortedByDigits({ ~$0.lifetime }) { choose(index) }
        for index in isChosen.indices { choose(index) }
        return isChosen.indices.filter { isChosen[$0] }
    }

    /// Its position in `operations`; `nil` for one that is left out, and for `nil`.
    func position(of operation: Int?) -> Int? {
        guard let operation, positions.indices.contains(operation), positions[operation] >= 0 else {
            return nil
        }
        return Int(positions[operation])
    }

    /// A note for the reader; `nil` if nothing is left out.
    var omission: String? {
        var parts: [String] = []
        if omittedOperations > 0 {
            parts.append(
                "shows \(Prose.grouped(operations.count)) of \(Prose.grouped(positions.count)) operations: "
                    + "those of findings, delays and the critical path, then unfinished ones, then "
                    + "the longest")
        }
        if omittedEdges > 0 {
            parts.append(
                "\(Prose.counted(omittedEdges, "edge")) \(omittedEdges == 1 ? "is" : "are") not drawn")
        }
        return parts.isEmpty ? nil : "the page " + parts.joined(separator: "; ")
    }
}
