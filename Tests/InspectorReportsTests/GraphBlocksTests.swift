import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("What no arrow leads to")
struct GraphBlocksTests {
    private func plain(_ count: Int) -> Trace {
        trace { for index in 0..<count { op("item \(index)", ready: 0, start: 1, finish: 9) } }
    }

    private func graph(_ trace: Trace, _ direction: GraphOptions.Direction = .right) throws -> DrawnGraph {
        var options = GraphOptions()
        options.direction = direction
        return try DrawnGraph(TraceAnalysis(trace), options)
    }

    private func blocks(_ graph: DrawnGraph) -> [GraphBlocks.Link] {
        GraphBlocks(graph, GraphOutline(graph)).links
    }

    /// How many ranks invisible arrows make, and how many nodes stand in the longest.
    private func shape(_ graph: DrawnGraph) -> (ranks: Int, inRank: Int) {
        var ranks = [Int](repeating: 0, count: graph.nodes.count)
        for link in blocks(graph) { ranks[link.to] = max(ranks[link.to], ranks[link.from] + 1) }
        let counts = Dictionary(ranks.map { ($0, 1) }, uniquingKeysWith: +)
        return (counts.count, counts.values.max() ?? 0)
    }

    @Test("what no arrow leads to is in a block, wider than it is high", arguments: [9, 30, 299, 600])
    func block(count: Int) throws {
        let (columns, inColumn) = shape(try graph(plain(count)))
        #expect(columns * inColumn >= count && columns * inColumn < count + inColumn)
        // Inches of a node with the room around it.
        let right = Double(columns) * 2 / (Double(inColumn) * 0.72)
        #expect(right > 0.9 && right < 2.2)
        let (rows, inRow) = shape(try graph(plain(count), .down))
        let down = Double(inRow) * 1.65 / (Double(rows) * 1.05)
        #expect(down > 0.9 && down < 2.2)
    }

    @Test("what no arrow leads to stays in one column if it is small")
    func few() throws { #expect(blocks(try graph(plain(8))).isEmpty) }

    @Test("what no arrow leads to is all that is moved")
    func others() throws {
        let run = trace {
            for index in 0..<40 { op("item \(index)", ready: 0, start: 1, finish: 9) }
            op("last", ready: 9, start: 9, finish: 12).after("item 0", "item 7")
        }
        let drawn = try graph(run)
        let moved = Set(blocks(drawn).flatMap { [$0.from, $0.to] })
        #expect(moved.count > 30)
        #expect(moved.isDisjoint(with: [0, 7, 40]))
        #expect(DOTGraph(drawn).text.contains("[style=invis]"))
    }

    @Test("what no arrow leads to may be queues")
    func queues() throws {
        var run = plain(100)
        run.queues = (0..<50).map { TracedQueue(id: QueueID(UInt64($0 + 1)), name: "queue \($0)") }
        run.changeOperations { for index in $0.indices { $0[index].queue = index % 50 } }
        let drawn = try graph(run)
        #expect(blocks(drawn).count == 50 - 8)
        let queue = { (node: Int) in drawn.nodes[node].queue }
        #expect(blocks(drawn).allSatisfy { queue($0.from) != queue($0.to) })
    }

    @Test("what no arrow leads to is in a block in Mermaid too, unless it has too many arrows")
    func mermaid() throws {
        let graph = try MermaidGraph.fitting(TraceAnalysis(plain(280)), GraphOptions())
        let lines = MermaidGraph(graph).text.split(separator: "\n").filter { $0.contains(" ~~~ ") }
        #expect(lines.count > 200 && lines.count < 280)
    }
}
