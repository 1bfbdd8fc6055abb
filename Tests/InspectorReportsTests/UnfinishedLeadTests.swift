import TestTraces
import Testing
import WaitDiagnosis

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("Which unfinished operation to look at first")
struct UnfinishedLeadTests {
    private func nodes(_ trace: Trace) throws -> (DrawnGraph, [String: [String]]) {
        var options = GraphOptions()
        options.collapse = .kind
        let graph = try DrawnGraph(TraceAnalysis(trace), options)
        let texts = graph.nodes.indices.map { GraphNodeText(graph, $0) }
        return (graph, Dictionary(uniqueKeysWithValues: texts.map { ($0.title, $0.unfinished) }))
    }

    @Test(
        "the lead is the operation that most wait for in the end; a kind that never ran shows what it awaits")
    func most() throws {
        let (graph, lines) = try nodes(
            trace(lastAlive: 1_000) {
                op("old", kind: "Fetch", ready: 0, start: 0)
                op("item 7", kind: "Fetch", ready: 0, start: 500)
                op("done", kind: "Fetch", ready: 0, start: 0, finish: 10)
                op("parse", kind: "Parse").after("item 7")
                op("late", kind: "Store").after("parse")
                op("later", kind: "Store").after("parse")
                op("good", kind: "Good", ready: 0, start: 0, finish: 5)
                op("better", kind: "Good", ready: 0, start: 0, finish: 5)
            })
        #expect(lines["Fetch"] == ["item 7 still executing, after 500 ns", "3 others wait for it"])
        #expect(lines["Parse"] == ["parse waits for item 7", "2 others wait for it"])
        #expect(lines["Store"] == ["late waits for parse"])
        #expect(lines["Good"] == [])
        let json = String(decoding: GraphJSON(graph).bytes, as: UTF8.self)
        #expect(json.contains(#""firstUnfinished": {"operation": "0x2", "name": "item 7", "waiting": 3}"#))
        #expect(json.contains(#""name": "late", "waitsFor": "0x4", "waiting": 0}"#))
        #expect(
            MermaidGraph(graph).text.contains("item 7 still executing, after 500 ns<br/>3 others wait for it")
        )
    }

    @Test("the lead is the operation that has executed longest if nothing waits")
    func longest() throws {
        let (_, lines) = try nodes(
            trace(lastAlive: 100) {
                op("never")
                op("young", ready: 0, start: 60)
                op("old", ready: 0, start: 40)
            })
        #expect(lines["Work"] == ["old still executing, after 60 ns"])
    }

    @Test("the lead in a circle is one that all others of it wait for, with what waits for these")
    func circle() throws {
        let (graph, lines) = try nodes(
            trace {
                op("first").after("A")
                op("A").after("B")
                op("B").after("A")
            })
        #expect(graph.nodes[0].lead?.waiting == 2)
        #expect(lines["Work"] == ["A waits for B", "2 others wait for it"])
    }

    @Test("the lead is never markup in a picture")
    func hostile() throws {
        let (graph, _) = try nodes(
            trace {
                op("</b><img>", ready: 0, start: 1)
                op("B").after("</b><img>")
            })
        #expect(DOTGraph(graph).text.contains("&lt;/b&gt;&lt;img&gt; still executing"))
        #expect(!MermaidGraph(graph).text.contains("<img>"))
    }

    @Test("the lead's count is what following each operation to its end counts")
    func counts() {
        var generator = SplitMix64(seed: 11)
        for _ in 0..<50 {
            let count = Int.random(in: 1...40, using: &generator)
            var run = trace { for index in 0..<count { op("\(index)") } }
            for index in 0..<count where Int.random(in: 0..<4, using: &generator) > 0 {
                let other = Int.random(in: 0..<count, using: &generator)
                if other != index { run.edges.append(Trace.Edge(predecessor: other, successor: index)) }
            }
            let blockers = Blockers(run, end: TraceAnalysis(run).end)
            var expected = [Int32](repeating: 0, count: count)
            for start in 0..<count {
                var passed: Set<Int> = [start]
                var index = start
                while let next = blockers[index]?.next, passed.insert(next).inserted {
                    expected[next] += 1
                    index = next
                }
            }
            #expect(UnfinishedLeads.waiting(blockers, count) == expected)
        }
    }
}
