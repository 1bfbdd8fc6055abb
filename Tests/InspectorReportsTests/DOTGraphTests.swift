import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorText
@testable import InspectorTraces

@Suite("The executed graph as DOT")
struct DOTGraphTests {
    private func dot(_ trace: Trace, _ change: (inout GraphOptions) -> Void = { _ in }) throws -> String {
        var options = GraphOptions()
        change(&options)
        return DOTGraph(try DrawnGraph(TraceAnalysis(trace), options)).text
    }

    @Test("a DOT graph has a node for each operation, a cluster for each queue, and a heavy critical path")
    func golden() throws { try Golden("graph.dot").expect(dot(quotes())) }

    @Test("a DOT graph of kinds counts, sums and distributes, in the dark too")
    func kinds() throws {
        try Golden("graph-kinds.dot").expect(
            dot(quotes()) {
                $0.collapse = .kind
                $0.theme = .dark
                $0.direction = .down
            })
    }

    @Test("a DOT graph by time has a place for each node and each edge")
    func timeline() throws {
        try Golden("graph-timeline.dot").expect(dot(quotes()) { $0.layout = .timeline })
    }

    @Test("a DOT graph of nothing is a graph with a title")
    func empty() throws {
        try Golden("graph-empty.dot").expect(dot(trace {}))
        #expect(try dot(trace {}) { $0.layout = .timeline }.contains("layout=nop2"))
    }

    @Test("a DOT graph draws the last dependency to finish heavier than the others")
    func last() throws {
        let text = try dot(
            trace {
                op("early", ready: 0, start: 0, finish: 10)
                op("late", ready: 0, start: 0, finish: 20)
                op("long", ready: 0, start: 0, finish: 100)
                op("next", ready: 20, start: 20, finish: 30).after("early", "late")
            })
        #expect(text.contains("n1 -> n3 [penwidth=1.8]"))
        #expect(text.contains("n0 -> n3\n"))
        #expect(text.contains("slack 70 ns"))
    }

    @Test(
        "a DOT graph is coloured by what was asked for, and the legend names it",
        arguments: GraphOptions.Coloring.allCases)
    func colors(coloring: GraphOptions.Coloring) throws {
        let text = try dot(quotes()) { $0.coloring = coloring }
        let words =
            switch coloring {
            case .outcome: ["> failed <", "> cancelled <", "darker"]
            case .kind: ["> Download <", "> Group <", "> failed <"]
            case .queue: ["> main <"]
            case .slack: ["> no slack <", "> more slack <"]
            }
        for word in words { #expect(text.contains(word), "the legend lacks \(word)") }
    }

    @Test(
        "a DOT graph has the label that was asked for",
        arguments: [(GraphOptions.Label.id, "<b>0x1</b>"), (.kind, "<b>Group</b>")])
    func labels(label: GraphOptions.Label, text: String) throws {
        #expect(try dot(quotes()) { $0.label = label }.contains(text))
    }

    @Test("a DOT graph distinguishes every ending, also without colour, and explains those that occur")
    func endings() throws {
        let text = try dot(
            trace {
                op("good", ready: 0, start: 1, finish: 2)
                op("bad", ready: 0, start: 1, finish: 2, outcome: .failed(message: "no \"disk\""))
                op("off", ready: 0, finish: 2, outcome: .cancelled)
                op("stuck", ready: 0, start: 1)
                op("elsewhere", enqueued: nil)
            })
        for word in ["succeeded", "failed", "cancelled", "never finished", "not observed"] {
            #expect(text.contains("> \(word) <"), "the legend lacks \(word)")
        }
        #expect(text.contains("peripheries=2"))
        #expect(text.contains(#"failed: no \"disk\""#))
        #expect(text.contains("style=\"rounded,filled,dashed\""))
        #expect(text.contains("penwidth=2"))
    }

    @Test("a DOT graph says which shade is longer in each theme, and has no shades for similar executions")
    func shades() throws {
        #expect(try dot(quotes()).contains("darker: executed longer"))
        #expect(try dot(quotes()) { $0.theme = .dark }.contains("brighter: executed longer"))
        func pair(_ finish: Int64) throws -> String {
            try dot(
                trace {
                    op("A", ready: 0, start: 0, finish: 100)
                    op("B", ready: 0, start: 0, finish: finish)
                })
        }
        #expect(try pair(200).contains("darker"))
        let even = try pair(110)
        #expect(!even.contains("darker"))
        #expect(even.contains("fillcolor=\"\(PictureTheme.light.fill(.succeeded))\""))
    }

    @Test("a DOT graph explains only parts that some bar has")
    func invisibleParts() throws {
        let run = trace { op("A", ready: 1, start: 2, finish: 1_000_000) }
        func has(_ part: LifetimeParts.Part, _ text: String) -> Bool {
            text.contains(">\(part.label)</font>")
        }
        let text = try dot(run)
        #expect(has(.execution, text) && !has(.dependency, text) && !has(.dispatch, text))
        #expect(try !has(.execution, dot(run) { $0.layout = .timeline }))
    }

    @Test("a DOT graph marks what was asked for, and says so", arguments: GraphOptions.Layout.allCases)
    func focus(layout: GraphOptions.Layout) throws {
        let text = try dot(quotes()) {
            $0.filter.focus = GraphFilter.Focus(name: "page 1", depth: 1)
            $0.layout = layout
        }
        #expect(text.contains("◉ page 1") && text.contains("◉ asked for"))
        #expect(!text.contains("◉ parse 1"))
        #expect(try !dot(quotes()).contains("◉"))
    }

    @Test("a DOT graph puts what waits for a group after the group's children")
    func placement() throws {
        let text = try dot(
            trace {
                op("group", ready: 0, start: 0, finish: 40)
                op("first", ready: 0, start: 0, finish: 10).inside("group")
                op("last", ready: 10, start: 10, finish: 40).after("first").inside("group")
                op("report", ready: 40, start: 40, finish: 50).after("group")
            })
        #expect(text.contains("n2 -> n3 [style=invis]"))
        #expect(text.contains("n0 -> n1 [style=dashed"))
        #expect(!text.contains("n0 -> n2 "), "a child that waits for its sister follows from that edge")
    }
}
