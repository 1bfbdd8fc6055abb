import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports

@Suite("The executed graph as Mermaid")
struct MermaidGraphTests {
    @Test("a Mermaid graph has queues as subgraphs, and the critical path drawn heavier")
    func golden() throws {
        let graph = try MermaidGraph.fitting(TraceAnalysis(quotes()), GraphOptions())
        try Golden("graph.mmd").expect(MermaidGraph(graph).text)
    }

    @Test("a Mermaid graph of kinds has counts on its arrows")
    func kinds() throws {
        var options = GraphOptions()
        options.collapse = .kind
        options.direction = .down
        let graph = try MermaidGraph.fitting(TraceAnalysis(quotes()), options)
        try Golden("graph-kinds.mmd").expect(MermaidGraph(graph).text)
    }

    @Test("a Mermaid graph of nothing is a flowchart")
    func empty() throws {
        let graph = try MermaidGraph.fitting(TraceAnalysis(trace {}), GraphOptions())
        #expect(MermaidGraph(graph).text.contains("flowchart LR\n"))
    }

    @Test(
        "a Mermaid graph keeps names within their quotes",
        arguments: [
            (#"a"]:::x"#, "a#34;#93;:::x"), ("1. one", "1#46; one"), ("- list", "#45; list"), ("end", "end"),
            ("<img onerror=x>", "#60;img onerror#61;x#62;"), ("a\nb", "a#92;nb"), ("`md`", "#96;md#96;"),
            ("#quot;", "#35;quot#59;"), ("%% note", "#37;#37; note"), ("文 é", "文 é"),
            ("\u{202e}x", "#92;u#123;202e#125;x"),
        ])
    func escaping(name: String, expected: String) { #expect(MermaidText.escaped(name) == expected) }

    @Test(
        "a Mermaid graph stays within GitHub's limits for any names", arguments: [#"""#, "x", "文", "\u{1b}"])
    func bounded(character: String) throws {
        let name = String(repeating: character, count: 200)
        let run = trace {
            for index in 0..<280 {
                op(
                    "\(index)" + name, kind: "\(index % 150)" + name, ready: 0, start: 1,
                    finish: Int64(2 + index))
            }
        }
        let graph = try MermaidGraph.fitting(TraceAnalysis(run), GraphOptions())
        let text = MermaidGraph(graph).text
        #expect(text.utf16.count < 50_000)
        #expect(graph.edges.count <= 280)
        #expect(graph.nodes.reduce(0) { $0 + $1.count } == 280)
    }
}
