import TestTraces
import Testing

@testable import InspectorReports

@Suite("GraphLayers")
struct GraphLayersTests {
    @Test("a vertex is in the column after the last of its predecessors")
    func columns() {
        let layers = GraphLayers(count: 4, edges: [(0, 1), (1, 2), (0, 3), (2, 3)])
        #expect(layers.columns == [0, 1, 2, 3])
    }

    @Test("edges that form a cycle, and edges to themselves, hang nothing", .timeLimit(.minutes(1)))
    func cycles() {
        let circle = GraphLayers(count: 3, edges: [(0, 1), (1, 2), (2, 0), (1, 1)])
        #expect(circle.columns == [0, 1, 2])
        let large = (0..<100_000 as Range<Int32>).map { (from: $0, to: ($0 + 1) % 100_000) }
        #expect(GraphLayers(count: 100_000, edges: large).columns.count == 100_000)
    }

    @Test("successors are placed beside their predecessors")
    func barycentres() {
        let layers = GraphLayers(count: 6, edges: [(0, 5), (1, 4), (2, 3)])
        #expect(layers.places[0] == layers.places[5])
        #expect(layers.places[1] == layers.places[4])
        #expect(layers.places[2] == layers.places[3])
    }

    @Test("no two vertices have the same place, in any graph")
    func apart() {
        var generator = SplitMix64(seed: 7)
        for count in [1, 2, 30, 500, 3000] {
            for density in [0, 1, 3] {
                let edges = (0..<count * density).map { _ in
                    (
                        from: Int32.random(in: 0..<Int32(count), using: &generator),
                        to: Int32.random(in: 0..<Int32(count), using: &generator)
                    )
                }
                Self.expectApart(GraphLayers(count: count, edges: edges))
            }
        }
        let rest: Range<Int32> = 1..<5000
        Self.expectApart(GraphLayers(count: 5000, edges: rest.map { ($0 - 1, $0) }))
        Self.expectApart(GraphLayers(count: 5000, edges: rest.map { (0, $0) }))
    }

    @Test(
        "a very long chain is folded, a very wide star takes several columns; both keep their shape"
    )
    func shapes() {
        let last: Int32 = 39_999
        let chain = (1...last).map { (from: $0 - 1, to: $0) }
        let star = (1...last).map { (from: Int32(0), to: $0) }
        for edges in [chain, star, []] {
            let layers = GraphLayers(count: 40_000, edges: edges)
            let width = Double(layers.columns.max() ?? 0) * 6.5
            let height =
                Double((layers.places.max() ?? 0) - (layers.places.min() ?? 0)) / Double(GraphLayers.unit)
            #expect(width < 8 * height && height < 8 * width, "\(width) × \(height)")
        }
    }

    private static func expectApart(_ layers: GraphLayers) {
        let order = layers.columns.indices.sorted {
            (layers.columns[$0], layers.places[$0]) < (layers.columns[$1], layers.places[$1])
        }
        let isApart = zip(order, order.dropFirst()).allSatisfy {
            layers.columns[$0] != layers.columns[$1]
                || layers.places[$1] - layers.places[$0] >= GraphLayers.unit
        }
        #expect(isApart)
    }
}
