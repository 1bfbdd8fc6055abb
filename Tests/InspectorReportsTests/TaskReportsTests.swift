import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("What is said and drawn of Swift tasks")
struct TaskReportsTests {
    private let analysis = TraceAnalysis(MixedTrace.trace)

    private func explain(_ index: Int) -> String { Explanation(of: index, in: analysis).text(width: nil) }

    @Test("the explanation of a task says what it awaited, who resumed it, and who had its actor")
    func explanation() {
        let text = explain(2)
        #expect(
            text.hasPrefix(
                "load() (0x10000000000) took 130 ns: 50 ns awaiting its continuation, which Fetch resumed; "
                    + "45 ns running in 3 runs; 20 ns waiting for actor Cache, which other() had; "
                    + "15 ns waiting for executors (2 times; the longest, 10 ns, "
                    + "waiting for its executor)."))
        #expect(text.contains("created by Request"))
        #expect(text.contains("25 ns  ran on Cache, on thread 3"))
        #expect(text.contains("One operation waited for it"))
        #expect(explain(1).contains("awaited its continuation, which Fetch resumed"))
        #expect(explain(3).contains("waited for an executor that other() had"))
    }

    @Test("the explanation of a task that awaits a continuation says what a search for that found")
    func searched() {
        func text(_ holder: String, unseen: String = "") -> String {
            let events: [LogEvent.Body] = [
                .runBegan(MixedTrace.load, executor: nil, name: nil),
                .runEnded(MixedTrace.load, .init(awaits: .continuation, place: "fetch(_:)")),
                .taskSearched(.init(task: MixedTrace.load, holder: holder, unseen: unseen)),
            ]
            let contents = EventLogContents(
                header: MixedTrace.header,
                events: events.enumerated().map { LogEvent(time: Int64($0) * 50, thread: 1, $1) })
            return Explanation(of: 0, in: TraceAnalysis(Trace(contents).withTasks())).text(width: nil)
        }
        #expect(text("").contains("awaiting its continuation, which nothing in its process could resume"))
        let held = "awaiting its continuation, which an object of type Cache may hold"
        #expect(text("an object of type Cache").contains(held))
        let possible = "awaiting its continuation, which possibly nothing in its process could resume"
        #expect(text("", unseen: "it uses io_uring").contains(possible))
    }

    @Test("a task that is only named was not forgotten to be added to a queue")
    func onlyNamed() {
        let events: [LogEvent.Body] = [
            .runBegan(MixedTrace.load, executor: nil, name: nil),
            .runEnded(MixedTrace.load, .init(awaits: .task, task: MixedTrace.other)),
        ]
        let contents = EventLogContents(
            header: MixedTrace.header, events: events.map { LogEvent(time: 1, thread: 1, $0) })
        let text = Explanation(of: 1, in: TraceAnalysis(Trace(contents).withTasks())).text(width: nil)
        #expect(text.hasSuffix("is a task of which the trace has nothing but the name.\n"), "\(text)")
    }

    @Test("the explanation of an operation leads through the tasks that delayed it")
    func operation() {
        let text = explain(0)
        #expect(text.contains("finished it") && text.contains("had its actor"))
        #expect(text.contains("other()") && text.contains("load()"))
        // A replay knows operations only.
        #expect(!text.contains("by replay"))
    }

    @Test("the JSON of an explanation has the parts of tasks, which sum up to their lifetimes")
    func json() {
        let json = String(decoding: Explanation(of: 2, in: analysis).json, as: UTF8.self)
        #expect(
            json.contains(
                #""taskParts": {"executorWaitNs": 15, "runningNs": 45, "awaitingTaskNs": 0, "#
                    + #""awaitingGroupNs": 0, "awaitingContinuationNs": 50, "awaitingActorNs": 20, "#
                    + #""sleepingNs": 0, "unknownNs": 0}"#))
        #expect(json.contains(#""relation": "finished""#) && json.contains(#""relation": "actorHeld""#))
    }

    @Test("the graph has a node for each task, with arrows for what woke it")
    func graph() throws {
        let graph = try DrawnGraph(analysis)
        #expect(graph.nodes.map(\.tasks) == [0, 0, 1, 1])
        #expect(graph.nodes[2].taskParts.total == 130 && graph.nodes[2].waits.total == 0)
        let wakes = graph.edges.filter(\.relation.isWake).map { "\($0.from) \($0.relation) \($0.to)" }
        #expect(wakes == ["1 resumed 2", "3 actorHeld 2"])
        let spawned = graph.edges.filter { $0.relation == .spawn }.map { "\($0.from) \($0.to)" }
        #expect(spawned == ["2 1", "0 2"])
        let text = GraphNodeText(graph, 2)
        #expect(text.title == "load()" && text.figures == "130 ns")
        #expect(text.details == ["50 ns awaiting its continuation", "45 ns running"])
    }

    @Test("tasks are combined as operations are, and counted apart from them", arguments: [true, false])
    func combined(isByKind: Bool) throws {
        var options = GraphOptions()
        options.collapse = isByKind ? .kind : .group
        let graph = try DrawnGraph(analysis, options)
        #expect(graph.nodes.reduce(0) { $0 + $1.tasks } == 2)
        let lifetimes = graph.nodes.reduce(Int64(0)) { $0 + $1.waits.total + $1.taskParts.total }
        #expect(lifetimes == 148 + 65 + 130 + 60)
        let root = try #require(graph.nodes.first)
        #expect(root.members == (isByKind ? "1 operation" : "2 operations and 1 task"))
    }

    @Test("a picture by time has the runs of a task, and what it awaited, as parts of its bar")
    func timeline() throws {
        var options = GraphOptions()
        options.layout = .timeline
        let text = DOTGraph(try DrawnGraph(analysis, options)).text
        #expect(text.contains("tooltip=\"awaiting continuation 50 ns\""))
        #expect(text.contains("tooltip=\"awaiting actor 20 ns\""))
        #expect(text.contains("tooltip=\"running 25 ns\""))
    }

    @Test(
        "tasks of any sequence of events are explained and drawn",
        arguments: 1...60 as ClosedRange<UInt64>)
    func anyEvents(seed: UInt64) throws {
        var random = RandomEvents(seed: seed)
        var events = (0..<300).map { _ in random.next() }
        for index in events.indices {
            events[index].thread = events[index].thread % 3 + 1
            events[index].renumber(
                operation: { $0 >= 1 << 40 ? 1 << 40 + $0 % 7 : $0 % 7 + 1 }, queue: { $0 % 4 + 1 })
        }
        let trace = Trace(EventLogContents(header: MixedTrace.header, events: events)).withTasks()
        let analysis = TraceAnalysis(trace)
        for index in trace.operations.indices {
            let explanation = Explanation(of: index, in: analysis)
            #expect(!explanation.text(all: true).isEmpty && !explanation.json.isEmpty)
        }
        for layout in GraphOptions.Layout.allCases {
            for collapse in GraphOptions.Collapse.allCases {
                var options = GraphOptions()
                (options.layout, options.collapse) = (layout, collapse)
                let graph = try DrawnGraph(analysis, options)
                #expect(graph.nodes.reduce(0) { $0 + $1.count } == trace.operations.count)
                #expect(DOTGraph(graph).text.hasSuffix("}\n") && !MermaidGraph(graph).text.isEmpty)
                #expect(!GraphJSON(graph).bytes.isEmpty)
            }
        }
        #expect(!CriticalPathReport(analysis).text(all: true).isEmpty)
        #expect(!RunSummary(TraceAnalysis(trace)).text().isEmpty)
    }
}

@Suite("Timelines of Swift tasks")
struct TaskTimelineTests {
    private let analysis = TraceAnalysis(MixedTrace.untouched)

    @Test("a small run has a row for each task on a terminal, with what it awaited")
    func rows() {
        let text = TimelineText(analysis).text(width: 120)
        #expect(text.contains("2 operations and 2 tasks, makespan 150 ns"))
        #expect(text.contains("tasks: 2"))
        let load = text.split(separator: "\n").first { $0.contains("load()") } ?? ""
        #expect(
            load.contains("~~~") && load.contains("▒▒") && load.contains("██") && load.hasSuffix("130 ns"))
        #expect(text.contains("~ awaiting continuation") && text.contains("▒ awaiting actor"))
    }

    @Test("an executor has lanes, in which the parts of a run lie that it had on it")
    func lanes() throws {
        let whole = analysis.withTasks
        let tasks = try #require(TimelineTasks(whole, TimelineOptions(), 0..<150))
        #expect(tasks.sections.map(\.name) == ["Cache", "an unknown executor"])
        #expect(tasks.sections[0].bars.map { "\($0.from) \($0.to) \($0.lane)" } == ["85 120 0", "125 150 0"])
        #expect(tasks.sections[0].words == "2 tasks, 2 runs" && tasks.sections[0].lanes == 1)
        // From 105 to 125, load waited for Cache.
        #expect(tasks.sections[0].waiting == 20.0 / 150)
        #expect(
            TimelineTasks(
                TraceAnalysis(Trace(header: MixedTrace.header)),
                TimelineOptions(), 0..<1) == nil)
    }

    @Test("the picture has a bar for each run, and arrows from what woke a task")
    func picture() {
        let svg = TimelinePicture(analysis).svg
        #expect(svg.matches(of: /class="run"/).count == 5)
        #expect(svg.contains("run 1 of 3, 10 ns") && svg.contains("then 50 ns awaiting its continuation"))
        #expect(svg.matches(of: /class="wake"/).count == 1)
        #expect(svg.contains("Cache") && svg.contains("0.13 waiting on average") == false)
        // The filter leaves the other task out.
        let options = TimelineOptions(kind: "load()")
        #expect(TimelinePicture(analysis, options).svg.matches(of: /class="run"/).count == 3)
    }

    @Test("tasks of any sequence of events are drawn by time", arguments: 1...40 as ClosedRange<UInt64>)
    func anyEvents(seed: UInt64) {
        var random = RandomEvents(seed: seed)
        var events = (0..<300).map { _ in random.next() }
        for index in events.indices {
            events[index].thread = events[index].thread % 3 + 1
            events[index].renumber(
                operation: { $0 >= 1 << 40 ? 1 << 40 + $0 % 60 : $0 % 7 + 1 }, queue: { $0 % 4 + 1 })
        }
        let analysis = TraceAnalysis(Trace(EventLogContents(header: MixedTrace.header, events: events)))
        for width in [20, 80, 200] { #expect(!TimelineText(analysis).text(width: width).isEmpty) }
        #expect(TimelinePicture(analysis).svg.hasSuffix("</svg>\n"))
        let window = TimelineOptions(window: 100_000_000..<200_000_000)
        #expect(TimelinePicture(analysis, window).svg.hasSuffix("</svg>\n"))
    }
}
