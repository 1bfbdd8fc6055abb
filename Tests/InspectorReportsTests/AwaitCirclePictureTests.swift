import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("Swift tasks that await each other, in pictures and summaries")
struct AwaitCirclePictureTests: CircleVocabulary {
    private func analysis(_ events: [Event], dropped: UInt64 = 0) -> TraceAnalysis {
        TraceAnalysis(trace(dropped: dropped, events)).withTasks
    }

    /// A task that runs on to the end.
    private var polling: [Event] {
        (0..<150 as Range<Int64>).flatMap { number in
            let task = UInt64(number) + 10
            return [
                created(20 * number, task, "poll()"), begun(20 * number, task, on: 7, pool),
                ended(20 * number + 10, task, on: 7, .init(awaits: .sleep)),
            ]
        }
    }

    private func arrows(_ analysis: TraceAnalysis) throws -> [String] {
        let graph = try DrawnGraph(analysis)
        func name(_ node: Int) -> String { GraphNodeText(graph, node).title }
        return graph.edges.filter { $0.relation != .spawn }.map {
            "\(name($0.from)) \(graph.label(of: $0) ?? "woke") → \(name($0.to))"
        }
    }

    private func timeline(_ events: [Event], dropped: UInt64 = 0) -> String {
        TimelinePicture(TraceAnalysis(trace(dropped: dropped, events)), width: 700).svg
    }

    private func hops(_ svg: String) -> Int { svg.matches(of: #/class="hop"/#).count }

    @Test("the graph has an arrow for each wait of the circle, and no second one for the same wait")
    func graph() throws {
        #expect(
            try arrows(analysis(awaitCircle)) == [
                "load() is awaited → fill()", "fill() is awaited → load()",
            ])
    }

    @Test("a timeline outlines them, and leaves out the end, in which nothing happens")
    func timeline() {
        let svg = timeline(awaitCircle)
        #expect(hops(svg) == 2)
        // With the sample in the legend.
        #expect(svg.matches(of: #/class="circle"/#).count == 3)
        #expect(svg.contains("circle of waits: waits for load()"))
        #expect(svg.contains("in which nothing happened, are not drawn"))
    }

    @Test("the run stood still since the last of them began to wait, so no path through it is told")
    func standstill() {
        let analysis = analysis(awaitCircle)
        #expect(UnfinishedReport(analysis).stillSince == ms(6))
        #expect(analysis.asDrawn.criticalPath.operations.isEmpty)
        let summary = RunSummary(TraceAnalysis(trace(awaitCircle))).text(width: nil, path: nil)
        #expect(
            summary.hasPrefix("never finished  fill() awaits load() awaits fill(): none of them can go on"))
        #expect(!summary.contains("critical path"))
        let verdict = PictureHeading(analysis).verdict
        #expect(
            verdict == "never finished: fill() awaits load() awaits fill(): none of them can go on; "
                + "1 task waits for them")
        #expect(
            CriticalPathReport(analysis).text().hasPrefix("The run had not finished after 3.00 s: fill()"))
    }

    @Test("a task that was never resumed, and for which another waits, makes a run stand still, too")
    func neverResumed() {
        var events = Array(awaitCircle.dropLast())
        events.append(ended(6, 3, on: 3, .init(awaits: .continuation)))
        let analysis = analysis(events)
        #expect(UnfinishedReport(analysis).stillSince == ms(6))
        #expect(
            PictureHeading(analysis).verdict == "never finished: load() has awaited its continuation for "
                + "2.99 s; nothing has resumed it; 2 tasks wait for it")
        events[events.count - 1] = ended(6, 3, on: 3, .init(awaits: .sleep))
        #expect(UnfinishedReport(self.analysis(events)).stillSince == nil)
    }

    @Test("while other tasks go on, the circle is drawn, but the run does not stand still")
    func goesOn() throws {
        let analysis = analysis(awaitCircle + polling)
        #expect(UnfinishedReport(analysis).stillSince == nil)
        #expect(hops(timeline(awaitCircle + polling)) == 2)
        #expect(PictureHeading(analysis).verdict == nil)
    }

    @Test("where events were lost, one of them may have ended a wait, so neither is claimed")
    func lost() throws {
        let analysis = analysis(awaitCircle, dropped: 1)
        #expect(UnfinishedReport(analysis).stillSince == nil)
        #expect(hops(timeline(awaitCircle, dropped: 1)) == 0)
        #expect(try !arrows(analysis).contains { $0.contains("is awaited") })
    }

    @Test("tasks that wait for one that can go on are in no circle")
    func running() throws {
        #expect(hops(timeline(awaitCircle.dropLast())) == 0)
        #expect(UnfinishedReport(analysis(awaitCircle.dropLast())).stillSince == nil)
    }
}
