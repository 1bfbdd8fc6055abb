import Inspector
import Testing

@Suite("The executed graph as DOT")
struct DOTGraphTests {
    @Test("has a node for each operation, a cluster for each queue, and the critical path drawn heavier")
    func golden() throws {
        let graph = DOTGraph(TraceAnalysis(quotes()))
        #expect(graph.omission == nil)
        try Golden("graph.dot").expect(graph.text)
    }

    @Test("of nothing is a graph with a title")
    func empty() throws {
        try Golden("graph-empty.dot").expect(DOTGraph(TraceAnalysis(trace {})).text)
    }

    @Test("tells every ending apart, also without colour, and explains those that occur")
    func endings() {
        let text = DOTGraph(
            TraceAnalysis(
                trace {
                    op("good", ready: 0, start: 1, finish: 2)
                    op("bad", ready: 0, start: 1, finish: 2, outcome: .failed(message: "no \"disk\""))
                    op("off", ready: 0, finish: 2, outcome: .cancelled)
                    op("stuck", ready: 0, start: 1)
                    op("elsewhere", enqueued: nil)
                })
        ).text
        for word in ["succeeded", "failed", "cancelled", "never finished", "not observed"] {
            #expect(text.contains("> \(word) <"), "the legend lacks \(word)")
        }
        #expect(text.contains("peripheries=2"))
        #expect(text.contains(#"failed: no \"disk\""#))
        #expect(text.contains("style=\"rounded,filled,dashed\""))
        #expect(text.contains("style=\"rounded,filled,bold\""))
    }

    @Test("puts what waits for a group after the group's children")
    func placement() {
        let text = DOTGraph(
            TraceAnalysis(
                trace {
                    op("group", ready: 0, start: 0, finish: 40)
                    op("first", ready: 0, start: 0, finish: 10).inside("group")
                    op("last", ready: 10, start: 10, finish: 40).after("first").inside("group")
                    op("report", ready: 40, start: 40, finish: 50).after("group")
                })
        ).text
        #expect(text.contains("n2 -> n3 [style=invis]"))
        #expect(text.contains("n0 -> n1 [style=dashed"))
        #expect(!text.contains("n0 -> n2 "), "a child that waits for its sister follows from that edge")
    }
}
