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

    @Test("the terminal's timeline of tasks alone explains the characters of tasks alone")
    func legend() throws {
        let text = TimelineText(TraceAnalysis(trace(awaitCircle))).text(width: 80)
        let legend = try #require(text.split(separator: "\n").last { $0.contains("█ ") })
        #expect(legend == "- executor wait  █ running  ░ awaiting task")
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

    @Test("a task that may still be resumed does not hold up the run: it may be one of an idle server")
    func idle() {
        var events = Array(awaitCircle.dropLast())
        events.append(ended(6, 3, on: 3, .init(awaits: .continuation)))
        #expect(UnfinishedReport(analysis(events)).stillSince == nil)
        #expect(PictureHeading(analysis(events)).verdict == nil)
        let search = LogEvent.Body.taskSearched(.init(task: task(3), holder: "", unseen: ""))
        let proven = analysis(events + [(2_999, 1, search)])
        #expect(UnfinishedReport(proven).stillSince == ms(6))
        #expect(
            PictureHeading(proven).verdict == "never finished: load() has awaited its continuation for "
                + "2.99 s; nothing in the process can resume it: its continuation is lost; "
                + "2 tasks wait for it")
    }

    @Test("a killed program whose tasks have all waited for one continuation for 5 s stands still")
    func killed() {
        func isStill(closed: Bool = false, end: Int64 = 6_000, _ others: [Event] = []) -> Bool {
            let events: [Event] =
                [
                    created(0, 1, "main()"), begun(0, 1, on: 1, pool), created(1, 2, "load()"),
                    ended(2, 1, on: 1, .init(awaits: .task, task: task(2))),
                    begun(3, 2, on: 2, pool), ended(4, 2, on: 2, .init(awaits: .continuation)),
                ] + others
            return UnfinishedReport(
                TraceAnalysis(trace(isClosed: closed, end: end, events)).withTasks
            ).isStandingStill
        }
        #expect(isStill())
        #expect(!isStill(end: 4_000))
        #expect(!isStill(closed: true))
        let sleep = [
            created(5, 3, "tick()"), begun(6, 3, on: 3, pool), ended(7, 3, on: 3, .init(awaits: .sleep)),
        ]
        #expect(!isStill(sleep))
    }

    @Test("while a task or an operation runs to the end, the run does not stand still")
    func atWork() {
        let task = awaitCircle + [created(7, 9, "crunch()"), begun(8, 9, on: 9, pool)]
        #expect(UnfinishedReport(analysis(task)).stillSince == nil)
        let operation = awaitCircle + added(7, upload, "upload", to: uploads) + [(8, 9, .executing(upload))]
        #expect(UnfinishedReport(analysis(operation)).stillSince == nil)
        #expect(hops(timeline(operation)) == 2)
    }

    @Test("of other tasks that wait, the circle is what is named")
    func named() throws {
        let sleeper = [
            created(7, 8, "backoff()"), begun(8, 8, on: 4, pool), ended(9, 8, on: 4, .init(awaits: .sleep)),
        ]
        let waiting = (20...24 as ClosedRange<UInt64>).flatMap { number in
            [
                created(10, number, "wait()"), begun(11, number, on: 4, pool),
                ended(12, number, on: 4, .init(awaits: .task, task: task(8))),
            ]
        }
        let verdict = try #require(PictureHeading(analysis(awaitCircle + sleeper + waiting)).verdict)
        #expect(verdict.hasPrefix("never finished: fill() awaits load()"))
    }

    @Test("a group that may have children before the log began is no proof of a circle")
    func group() {
        func events(_ first: [Event]) -> [Event] {
            first + [
                begun(1, 1, on: 1, pool), created(2, 2, "child()", by: task(1), .groupChild),
                ended(3, 1, on: 1, .init(awaits: .group)), begun(4, 2, on: 2, pool),
                ended(5, 2, on: 2, .init(awaits: .task, task: task(1))),
            ]
        }
        #expect(hops(timeline(events([created(0, 1, "parent()")]))) == 2)
        #expect(hops(timeline(events([]))) == 0)
        let open = TaskStandstills(trace(events([])), TraceAnalysis(trace(events([]))).blockers).all
        #expect(open.map(\.tasks.count) == [1] && open.map(\.waiting) == [1])
    }

    @Test("of a large circle, six tasks are named")
    func large() throws {
        let count: UInt64 = 30
        let events = (1...count).flatMap { number in
            [
                created(0, number, "step \(number)"), begun(1, number, on: number, pool),
                ended(2, number, on: number, .init(awaits: .task, task: task(number % count + 1))),
            ]
        }
        let verdict = try #require(PictureHeading(analysis(events)).verdict)
        #expect(verdict.hasSuffix("step 6, and so on, 30 tasks in all: none of them can go on"))
    }

    @Test("between kinds, the waits that ended are counted apart from those of the circle")
    func kinds() throws {
        let others = (10..<15 as Range<UInt64>).flatMap { number in
            let (waiting, load) = (2 * number, 2 * number + 1)
            let events: [Event] = [
                created(1, waiting, "fill()"), begun(2, waiting, on: 7, pool), created(2, load, "load()"),
                ended(3, waiting, on: 7, .init(awaits: .task, task: task(load))),
                begun(3, load, on: 8, pool), (4, 8, .finished(task(load), .succeeded)),
                begun(5, waiting, on: 7, pool), (6, 7, .finished(task(waiting), .succeeded)),
            ]
            return events
        }
        var options = GraphOptions()
        options.collapse = .kind
        let graph = try DrawnGraph(analysis(awaitCircle + others), options)
        let counts = [DrawnGraph.Edge.Relation.task, .awaited].map { relation in
            graph.edges.filter { $0.relation == relation }.map(\.count).sorted()
        }
        #expect(counts == [[1, 1], [5]])
    }

    @Test("a window that ends before they began to wait has no arrows")
    func window() {
        func hops(_ window: Range<Int64>) -> Int {
            var options = TimelineOptions()
            options.window = window
            return self.hops(TimelinePicture(TraceAnalysis(trace(awaitCircle)), options, width: 700).svg)
        }
        #expect(hops(ms(3)..<ms(5)) == 0)
        #expect(hops(ms(3)..<ms(20)) == 2)
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
