import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports

@Suite("Whether a graph can be read")
struct GraphLegibilityTests {
    private func isLegible(
        _ nodes: Int, _ arrows: [(Int, Int)], _ direction: GraphOptions.Direction = .right
    ) -> Bool {
        let edges = arrows.map { DrawnGraph.Edge(from: $0.0, to: $0.1, relation: .dependency) }
        return GraphLegibility(nodes: nodes, edges: edges, direction: direction).isLegible
    }

    @Test("a graph of chains, trees, pipelines or operations without edges is legible")
    func legible() {
        #expect(isLegible(0, []) && isLegible(1, [(0, 0)]) && isLegible(600, []))
        // Of so few, nothing coarser would say more.
        #expect(isLegible(20, (0..<100).map { ($0 / 10, 10 + $0 % 10) }))
        #expect(isLegible(30, (1..<30).map { ($0 - 1, $0) }))
        #expect(isLegible(63, (1..<63).map { (($0 - 1) / 2, $0) }))
        // Ten files through four stages, and one operation that waits for all.
        var stages = (0..<30).map { ($0, $0 + 10) }
        stages += (30..<40).map { ($0, 40) }
        #expect(isLegible(41, stages))
        // The order in the log does not matter: only the best order counts.
        #expect(isLegible(80, (0..<40).map { ($0, 79 - $0) }))
    }

    @Test("a graph that crosses itself, or is too long or too wide, is not legible")
    func illegible() {
        // Each of twelve waits for each of twelve others.
        #expect(!isLegible(24, (0..<144).map { ($0 / 12, 12 + $0 % 12) }))
        var generator = SplitMix64(seed: 3)
        let web = (100..<200).flatMap { node in
            (0..<3).map { _ in (Int.random(in: 0..<node, using: &generator), node) }
        }
        #expect(!isLegible(200, web))
        let star = (1..<240).map { (0, $0) }
        #expect(!isLegible(240, star) && !isLegible(240, star, .down))
        let chain = (1..<100).map { ($0 - 1, $0) }
        #expect(!isLegible(100, chain) && !isLegible(100, chain, .down))
        let pairs = (0..<GraphLegibility.mostNodes).map { ($0 * 2, $0 * 2 + 1) }
        #expect(!isLegible(2 * GraphLegibility.mostNodes, pairs))
    }

    @Test("a graph with circles can be legible")
    func circles() {
        #expect(isLegible(3, [(0, 1), (1, 2), (2, 0)]))
        #expect(isLegible(4, [(0, 1), (1, 0), (2, 3), (3, 2), (3, 0)]))
    }

    @Test("legibility decides how much of a run is drawn: 500 operations in a web are not each drawn")
    func web() throws {
        var generator = SplitMix64(seed: 1)
        let run = trace {
            for index in 0..<500 {
                let before = max(0, index - 20)..<max(1, index)
                op(
                    "\(index)", kind: "Kind \(index % 6)", ready: 0, start: Int64(index),
                    finish: Int64(index + 9)
                ).after(
                    "\(Int.random(in: before, using: &generator))",
                    "\(Int.random(in: before, using: &generator))")
            }
        }
        let graph = try DrawnGraph(TraceAnalysis(run))
        #expect(graph.collapse == GraphOptions.Collapse.kind && graph.nodes.count == 6)
        #expect(
            graph.notes.first?.contains("because a picture of each operation would be unreadable; see more")
                == true)
        // By time each has its bar.
        var options = GraphOptions()
        options.layout = .timeline
        let timeline = try DrawnGraph(TraceAnalysis(run), options)
        #expect(timeline.collapse == .none && timeline.nodes.count == 500 && timeline.notes.isEmpty)
    }
}
