import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorText
@testable import InspectorTraces

@Suite("Arrows between kinds")
struct DOTArrowsTests {
    private func graph(_ trace: Trace, _ collapse: GraphOptions.Collapse = .kind) throws -> DrawnGraph {
        var options = GraphOptions()
        options.collapse = collapse
        return try DrawnGraph(TraceAnalysis(trace), options)
    }

    private func arrows(_ graph: DrawnGraph) -> [String] {
        DOTGraph(graph).text.split(separator: "\n").map(String.init).filter {
            $0.contains(" -> ") && !$0.contains("style=invis") && !$0.contains("label=<")
        }
    }

    private var pingPong: Trace {
        trace {
            op("ask", kind: "Ask", ready: 0, start: 0, finish: 5)
            op("answer", kind: "Answer", ready: 5, start: 5, finish: 9).after("ask")
            op("answer 2", kind: "Answer", ready: 5, start: 5, finish: 8).after("ask")
            op("ask 2", kind: "Ask", ready: 8, start: 8, finish: 12).after("answer 2")
            op("end", kind: "End", ready: 0, start: 0, finish: 500)
        }
    }

    @Test("kinds that depend on each other share one arrow with two heads, and a number at each")
    func mutual() throws {
        let lines = arrows(try graph(pingPong))
        #expect(lines.count == 1)
        #expect(lines.first?.contains("kind1 -> kind2 [dir=both") == true, "\(lines)")
        #expect(lines.first?.contains(#"headlabel="2", taillabel="1""#) == true, "\(lines)")
        #expect(lines.first?.contains(#"tooltip="Ask → Answer: 2; Answer → Ask: 1""#) == true, "\(lines)")
    }

    @Test("operations that wait for each other keep two arrows: they are a deadlock")
    func deadlock() throws {
        let circle = trace(lastAlive: 9) {
            op("A").after("B")
            op("B").after("A")
        }
        let lines = arrows(try graph(circle, .none))
        #expect(lines.count == 2 && !lines.contains { $0.contains("dir=both") })
    }

    @Test("no arrow is lost or counted twice between ten kinds that all depend on each other")
    func tenKinds() throws {
        let graph = try graph(mutualKinds())
        let arrows = MutualEdges(graph.edges, GraphPalette(graph), isFolded: true).arrows
        let drawn = arrows.flatMap { [$0.edge, $0.back].compactMap(\.self) }
        #expect(graph.edges.count > 60)
        #expect(arrows.count < graph.edges.count * 3 / 4)
        #expect(drawn.count == graph.edges.count)
        #expect(drawn.reduce(0) { $0 + $1.count } == graph.trace.edges.count)
        #expect(arrows.allSatisfy { $0.back == nil || $0.back!.from == $0.edge.to })
    }

    @Test("an arrow of the critical path is drawn apart from the other direction, which is not on it")
    func critical() throws {
        let graph = try graph(mutualKinds())
        let palette = GraphPalette(graph)
        let arrows = MutualEdges(graph.edges, palette, isFolded: true).arrows
        for arrow in arrows {
            guard let back = arrow.back else { continue }
            #expect(palette.isCritical(arrow.edge) == palette.isCritical(back))
        }
        #expect(arrows.contains { palette.isCritical($0.edge) })
        #expect(graph.edges.allSatisfy { !palette.isCritical($0) || $0.critical > 0 })
    }
}

@Suite("The critical path in nodes with several operations")
struct CriticalShareTests {
    private func node(_ trace: Trace, _ coloring: GraphOptions.Coloring = .outcome) throws -> String {
        var options = GraphOptions()
        options.collapse = .kind
        options.coloring = coloring
        let text = DOTGraph(try DrawnGraph(TraceAnalysis(trace), options)).text
        return text.split(separator: "\n").map(String.init).first { $0.contains("<b>Resize</b>") } ?? ""
    }

    @Test("one operation of 480 on the critical path does not colour the whole border")
    func one() throws {
        let trace = trace {
            op("start", kind: "Start", ready: 0, start: 0, finish: 5)
            for index in 0..<480 {
                op("\(index)", kind: "Resize", ready: 5, start: 5, finish: Int64(6 + index)).after("start")
            }
        }
        let node = try node(trace)
        let critical = PictureTheme.light.critical
        #expect(node.contains(" 1 of 480 on the critical path "))
        #expect(node.contains("; 1 of 480 on the critical path;"))
        #expect(!node.contains("], color=\"\(critical)\"") && !node.contains(", color=\"\(critical)\", pen"))
        #expect(node.contains("border=\"1\" color=\"\(critical)\""), "the frame around the words")
    }

    @Test("a border has the colour of the critical path if all operations are on it")
    func all() throws {
        let trace = trace {
            op("1", kind: "Resize", ready: 0, start: 0, finish: 5)
            op("2", kind: "Resize", ready: 5, start: 5, finish: 9).after("1")
            op("other", kind: "Other", ready: 0, start: 0, finish: 1)
        }
        let node = try node(trace)
        #expect(node.contains(", color=\"\(PictureTheme.light.critical)\", penwidth=3"))
        #expect(node.contains(" all on the critical path "))
    }
}
