/// Edges between the same two nodes in both directions become one arrow with two heads.
struct MutualEdges {
    struct Arrow {
        let edge: DrawnGraph.Edge
        /// From the edge's end to its start.
        let back: DrawnGraph.Edge?
    }

    private struct Ends: Hashable {
        let from: Int
        let to: Int
        let relation: DrawnGraph.Edge.Relation
    }

    /// In the order of the edges. The direction with more edges decides that of the arrow.
    private(set) var arrows: [Arrow] = []

    /// Linear in edges.
    ///
    /// - Parameter isFolded: whether nodes stand for several operations. Single operations that wait for each
    ///   other are a mistake, and keep two arrows.
    init(_ edges: [DrawnGraph.Edge], _ palette: GraphPalette, isFolded: Bool) {
        var places: [Ends: Int] = [:]
        for (place, edge) in edges.enumerated() where isFolded && Self.mayJoin(edge) {
            places[Ends(from: edge.from, to: edge.to, relation: edge.relation)] = place
        }
        for (place, edge) in edges.enumerated() {
            guard let other = places[Ends(from: edge.to, to: edge.from, relation: edge.relation)],
                Self.mayJoin(edge), palette.isCritical(edge) == palette.isCritical(edges[other])
            else {
                arrows.append(Arrow(edge: edge, back: nil))
                continue
            }
            let back = edges[other]
            if place > other { continue }
            arrows.append(
                edge.count < back.count ? Arrow(edge: back, back: edge) : Arrow(edge: edge, back: back))
        }
    }

    private static func mayJoin(_ edge: DrawnGraph.Edge) -> Bool {
        edge.from != edge.to && !edge.isAcrossProcesses
            && (edge.relation == .dependency || edge.relation == .spawn)
    }
}
