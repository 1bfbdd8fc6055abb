import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("Circles of operations and Swift tasks, in a graph")
struct CircleGraphTests: CircleVocabulary {
    private func graph(_ events: [Event], _ change: (inout GraphOptions) -> Void = { _ in }) throws
        -> DrawnGraph
    {
        var options = GraphOptions()
        change(&options)
        return try DrawnGraph(TraceAnalysis(trace(events)).withTasks, options)
    }

    private func waits(_ graph: DrawnGraph) -> [String] {
        func name(_ node: Int) -> String { GraphNodeText(graph, node).title }
        return graph.edges.filter(\.relation.isUnfinished).map {
            "\(name($0.from)) \(graph.label(of: $0) ?? "") → \(name($0.to))"
        }
    }

    @Test("each hop of a proven circle with a task has an arrow, with words")
    func proven() throws {
        let graph = try graph(mainActorCircle())
        #expect(
            waits(graph) == [
                "show() has the main thread → refresh", "index blocks → show()",
            ])
        #expect(
            graph.edges.filter { $0.relation == .dependency }.map {
                "\(GraphNodeText(graph, $0.from).title) → \(GraphNodeText(graph, $0.to).title)"
            } == ["refresh → index"])
        // The dependency that closes the circle looks like the waits.
        #expect(graph.edges.filter(\.isInCircle).map(\.relation) == [.dependency])
    }

    /// Three operations that depend on each other, and one that is only stuck behind them.
    private var dependencies: [Event] {
        let operations = (1...4).map { OperationID($0) }
        return zip(["resize", "upload", "decode", "index"], [1, 2, 0, 2]).enumerated().flatMap {
            number, one in
            added(1, operations[number], one.0, to: uploads, after: [operations[one.1]])
        }
    }

    @Test("dependencies in a deadlock have the colour of waits, those that lead to it do not")
    func dependenciesInCircle() throws {
        let graph = try graph(dependencies)
        let color = "color=\"\(graph.options.theme.blocked)\""
        let marked = DOTArrows(graph, GraphPalette(graph)).statements.filter { $0.contains(color) }
        #expect(marked.map { $0.prefix(8) }.sorted() == ["n0 -> n2", "n1 -> n0", "n2 -> n1"])
        let page = try ReportPageTests.data(of: trace(dependencies))
        let data = try #require(page["graph"] as? [String: Any])
        #expect(data["circle"] as? [Int] == [1, 0, 2, 1, 0, 2])
        #expect(data["circleMembers"] as? [Int] == [0, 1, 2])
    }

    @Test("what the main thread is blocked for has an arrow to what needs that thread")
    func blockedMainThread() throws {
        var events = added(0, OperationID(2), "refresh", to: mainQueue)
        events += added(1, OperationID(3), "index", to: uploads, after: [OperationID(2)])
        events.append((2, 1, .waitBegan(.operation(OperationID(3)), by: nil)))
        #expect(waits(try graph(events)) == ["index keeps the main thread waiting → refresh"])
    }

    @Test("the task that an operation created may hold it up, if the operation may wait")
    func possible() throws {
        let circle = [
            "flush() has actor Cache → sender()", "upload blocks → flush()",
            "sender() may hold up → upload",
        ]
        #expect(try waits(graph(actorCircle())).sorted() == circle.sorted())
        #expect(try waits(graph(actorCircle(blocks: false))) == [])
        let json = try String(decoding: GraphJSON(graph(actorCircle())).bytes, as: UTF8.self)
        for relation in ["wait", "executor", "created"] {
            #expect(json.contains("\"relation\": \"\(relation)\", \"count\": 1"))
        }
    }

    @Test("an arrow leads from an awaited task to the one that awaits it, only within the circle")
    func awaited() throws {
        var events = actorCircle().filter { event in
            if case .runEnded = event.body { return false }
            return true
        }
        events += [
            created(6, 3, "page()", by: task(2), .groupChild), begun(7, 3, on: 3, pool),
            ended(8, 3, on: 3, .init(awaits: .executor, executor: cache)),
            ended(9, 2, on: 4, .init(awaits: .group)), created(9, 4, "other()"), begun(9, 4, on: 5, pool),
            ended(10, 4, on: 5, .init(awaits: .executor, executor: cache)),
        ]
        #expect(
            try waits(graph(events)).sorted() == [
                "flush() has actor Cache → page()", "page() is awaited → sender()",
                "sender() may hold up → upload", "upload blocks → flush()",
            ])
    }

    @Test("hops of circles are counted between nodes of several operations and tasks")
    func folded() throws {
        let folded = try waits(graph(actorCircle()) { $0.collapse = .kind })
        #expect(
            folded.sorted() == [
                "Work blocks → flush()", "flush() has the executor → sender()",
                "sender() may hold up → Work",
            ])
    }

    @Test("a graph without its tasks has no arrow that leads to one")
    func withoutTasks() throws {
        for events in [actorCircle(), mainActorCircle()] {
            let graph = try DrawnGraph(TraceAnalysis(trace(events)))
            #expect(waits(graph) == [])
        }
    }

    @Test("the page has the same arrows")
    func page() throws {
        let page = try ReportPageTests.data(of: trace(actorCircle()))
        let graph = try #require(page["graph"] as? [String: Any])
        let waits = try #require(graph["waits"] as? [String: Any])
        let words = try #require(waits["words"] as? [String])
        #expect(words.sorted() == ["blocks", "has actor Cache", "may hold up"])
        #expect((waits["from"] as? [Int])?.count == 3)
    }

    @Test("in a circle of tasks that await each other, no step says that a thread is blocked")
    func awaitingTasks() {
        let whole = TraceAnalysis(
            trace([
                created(0, 1, "fill"), created(0, 2, "load"), begun(1, 1, on: 2, pool),
                begun(1, 2, on: 3, pool),
                ended(2, 1, on: 2, .init(awaits: .task, task: task(2))),
                ended(3, 2, on: 3, .init(awaits: .task, task: task(1))),
            ])
        ).withTasks
        let chain = DelayChains(whole).chain(endingIn: 0)
        #expect(chain.isCircular && chain.steps.map(\.reason) == [.awaited, .awaited])
        let text = Explanation(of: 0, in: whole).text(width: nil, all: true)
        #expect(text.contains("fill → load → fill") && !text.contains("blocked"), "\(text)")
    }
}
