import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("What unfinished operations wait for, in a graph")
struct UnfinishedWaitsTests {
    /// The body of `page` waits for `download`, which needs the only slot, and `other` does, too.
    private let deadlock = trace(limit: 1, lastAlive: 100) {
        op("page", ready: 0, start: 0)
        op("download", enqueued: 5, ready: 5).inside("page")
        op("other", enqueued: 6, ready: 6)
    }.waiting("page", for: "download", from: 6)

    private func graph(_ trace: Trace, _ change: (inout GraphOptions) -> Void = { _ in }) throws -> DrawnGraph
    {
        var options = GraphOptions()
        change(&options)
        return try DrawnGraph(TraceAnalysis(trace), options)
    }

    private func waits(_ graph: DrawnGraph) -> [String] {
        func name(_ node: Int) -> String { GraphNodeText(graph, node).title }
        return graph.edges.filter(\.relation.isUnfinished).map {
            "\(name($0.from)) \(graph.label(of: $0) ?? "") → \(name($0.to))"
        }
    }

    @Test("a deadlock is a circle of arrows, with what waits behind it")
    func circle() throws {
        #expect(
            try waits(graph(deadlock)) == [
                "download blocks → page", "page has the slot of main → download",
                "page has the slot of main → other",
            ])
    }

    @Test("an unfinished wait is dashed, in its own colour, with words, and explained, in each format")
    func formats() throws {
        for theme in PictureTheme.allCases {
            let text = try DOTGraph(graph(deadlock) { $0.theme = theme }).text
            let arrow = try #require(text.split(separator: "\n").first { $0.hasPrefix("  n1 -> n0") })
            for part in ["style=dashed", "color=\"\(theme.blocked)\"", "label=\"blocks\""] {
                #expect(arrow.contains(part), "\(arrow) lacks \(part)")
            }
            #expect(text.contains("B was still waiting for A at the end"))
        }
        let byTime = try DOTGraph(graph(deadlock) { $0.layout = .timeline }).text
        #expect(byTime.contains("style=dashed, color=\"\(PictureTheme.light.blocked)\""))
        let mermaid = try MermaidGraph(graph(deadlock)).text
        #expect(mermaid.contains("n1 -.->|\"blocks\"| n0"))
        #expect(mermaid.contains("linkStyle 1,2,3 stroke:\(PictureTheme.light.blocked)"))
        let json = try String(decoding: GraphJSON(graph(deadlock)).bytes, as: UTF8.self)
        #expect(json.contains(#""from": "n1", "to": "n0", "relation": "wait", "count": 1"#))
        #expect(json.contains(#""from": "n0", "to": "n1", "relation": "slot", "count": 1"#))
    }

    @Test("unfinished waits are counted between nodes of several operations")
    func folded() throws {
        #expect(
            try waits(graph(deadlock) { $0.collapse = .kind }) == [
                "Work blocks → Work", "Work has the slot of main (2) → Work",
            ])
    }

    @Test("no unfinished wait is drawn, or explained, where everything finished")
    func finished() throws {
        var run = quotes()
        run.blockingWaits = [BlockingWait(target: .operation(1), operation: 0, thread: 12, start: 6, end: 9)]
        let graph = try graph(run)
        #expect(waits(graph) == [])
        #expect(!DOTGraph(graph).text.contains("still waiting"))
    }

    @Test("a filter leaves out waits for what is not drawn")
    func filtered() throws {
        #expect(
            try waits(graph(deadlock) { $0.filter.focus = .init(name: "other", depth: 0) }) == [])
    }

    @Test("a graph does not claim which of several slots comes free")
    func severalSlots() throws {
        let busy = trace(limit: 2, lastAlive: 100) {
            op("A", ready: 0, start: 0)
            op("B", ready: 0, start: 0)
            op("C", ready: 1)
        }
        #expect(try waits(graph(busy)) == [])
    }

    @Test("eight of many that wait for one slot have arrows, and all in the deadlock; a note counts the rest")
    func many() throws {
        let run = trace(limit: 1, lastAlive: 100) {
            op("page", ready: 0, start: 0)
            op("download", enqueued: 5, ready: 5)
            for index in 0...UnfinishedWaits.mostForOneSlot { op("other \(index)", enqueued: 6, ready: 6) }
        }.waiting("page", for: "download", from: 6)
        let graph = try graph(run)
        #expect(
            waits(graph) == ["download blocks → page", "page has the slot of main → download"]
                + (0..<8).map { "page has the slot of main → other \($0)" })
        #expect(graph.notes == ["1 wait for a slot has no arrow"])
    }

    @Test("a focus follows unfinished waits: the operation that has the slot is drawn")
    func focus() throws {
        let run = trace(limit: 1, lastAlive: 100) {
            op("holder", ready: 0, start: 0)
            op("waiting", enqueued: 6, ready: 6)
        }
        let graph = try graph(run) { $0.filter.focus = .init(name: "waiting", depth: 1) }
        #expect(waits(graph) == ["holder has the slot of main → waiting"])
    }

    @Test("names of queues at unfinished waits are escaped")
    func hostile() throws {
        let hostile = deadlock.with { $0.queues[0].name = "a\"]|-->b\\N" }
        let text = try DOTGraph(graph(hostile)).text
        #expect(text.contains(#"label="has the slot of a\"]|-->b\\N""#))
        #expect(try !MermaidGraph(graph(hostile)).text.contains("]|-->b"))
    }

    @Test("the page has the same arrows of unfinished waits, in the theme's colours")
    func page() throws {
        let page = try ReportPageTests.data(of: deadlock)
        let graph = try #require(page["graph"] as? [String: Any])
        let waits = try #require(graph["waits"] as? [String: Any])
        #expect(waits["from"] as? [Int] == [1, 0, 0])
        #expect(waits["to"] as? [Int] == [0, 1, 2])
        let words = ["blocks", "has the slot of main", "has the slot of main"]
        #expect(waits["words"] as? [String] == words)
    }
}
