import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("The graph by time")
struct DOTTimelineTests {
    private let ms: Int64 = 1_000_000

    private func graph(_ trace: Trace) throws -> DrawnGraph {
        var options = GraphOptions()
        options.layout = .timeline
        return try DrawnGraph(TraceAnalysis(trace), options)
    }

    private func placement(_ graph: DrawnGraph) -> NodePlacement {
        NodePlacement(
            graph, names: graph.nodes.indices.map { GraphNodeText(graph, $0).title }, isDetailed: true)
    }

    @Test("the graph by time draws executions to scale, waits apart, and what never started as a wait")
    func scale() throws {
        let run = trace(limit: 2, lastAlive: 500 * ms) {
            op("short", ready: 0, start: 100 * ms, finish: 105 * ms)
            op("long", ready: 0, start: 100 * ms, finish: 300 * ms)
            op("never", ready: 0)
        }
        let graph = try graph(run)
        let placement = placement(graph)
        let boxes = placement.boxes
        #expect(abs(boxes[1].width / boxes[0].width - 40) < 0.01)
        #expect(boxes.map(\.hasStarted) == [true, true, false])
        #expect(boxes[0].wait == 0 && abs(boxes[0].x - boxes[1].width / 2) < 0.01)
        #expect(placement.hasWaits)
        let text = DOTGraph(graph).text
        let never = try #require(text.split(separator: "\n").first { $0.hasPrefix("  n2 [") })
        #expect(never.contains("style=dashed") && !never.contains("fillcolor"))
        #expect(text.contains("label=\"never (never started)\""))
        // Its name does not fit into the short one, so it is beside it.
        #expect(
            text.contains("n0 [label=\"\"") && text.contains("name0 [") && text.contains("n1 [label=\"long\"")
        )
    }

    @Test("the graph by time has round ticks")
    func ticks() throws {
        let run = trace {
            op("A", ready: 3 * ms, start: 5 * ms, finish: 219 * ms)
            op("B", ready: 3 * ms, start: 219 * ms, finish: 1_732 * ms)
        }
        let labels = DOTGraph(try graph(run)).text.split(separator: "\n").filter { $0.hasPrefix("  time") }
            .compactMap { $0.firstMatch(of: /label="([^"]*)"/).map { String($0.1) } }
        #expect(labels.first == "0" && labels.contains("0.4 s"), "\(labels)")
        #expect(labels.dropFirst().allSatisfy { $0.wholeMatch(of: /\d\.\d s/) != nil })
    }

    @Test("the graph by time leaves waits out if they would need a lane each")
    func crowd() throws {
        let run = trace(limit: 1) {
            for index in 0..<300 {
                op(
                    "\(index)", ready: 0, start: Int64(index) * ms, finish: Int64(index + 1) * ms)
            }
        }
        let graph = try graph(run)
        let placement = placement(graph)
        #expect(!placement.hasWaits && placement.lanes < 60)
        #expect(!DOTGraph(graph).text.contains("wait0 ["))
    }
}
