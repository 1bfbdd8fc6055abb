import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorText
@testable import InspectorTraces

@Suite("What is drawn of a trace")
struct DrawnGraphTests {
    /// For every way to collapse, the same traces of different shapes.
    private static let analyses = (0..<60).map { seed in
        TraceAnalysis(
            randomTrace(
                seed % 2 == 0 ? 40 : 700, kinds: 1 + seed % 400, queues: 1 + seed % 30, edges: seed * 30,
                seed: UInt64(seed)))
    }

    private func expectWhole(_ graph: DrawnGraph, _ trace: Trace, _ comment: Comment) {
        #expect(graph.nodes.reduce(0) { $0 + $1.count } == trace.operations.count, comment)
        #expect(graph.nodes.allSatisfy { $0.endings.reduce(0, +) == $0.count }, comment)
        let edges = graph.edges.filter { $0.relation == .dependency }
        #expect(edges.reduce(0) { $0 + $1.count } == trace.edges.count, comment)
        #expect(graph.nodes.indices.allSatisfy { graph.edges.count == 0 || $0 >= 0 }, comment)
        let analysis = graph.analysis
        let lifetimes = analysis.waits.reduce(Int64(0)) { $0 + ($1?.total ?? 0) }
        #expect(graph.nodes.reduce(0) { $0 + $1.waits.total } == lifetimes, comment)
        let path = analysis.criticalPath
        #expect(
            graph.nodes.reduce(0) { $0 + $1.critical } == (path.length == 0 ? 0 : path.operations.count),
            comment)
    }

    @Test(
        "what is drawn is every operation, as itself or counted, and every edge",
        arguments: GraphOptions.Collapse.allCases)
    func complete(collapse: GraphOptions.Collapse) throws {
        for (seed, analysis) in Self.analyses.enumerated() {
            var options = GraphOptions()
            options.collapse = collapse
            options.bounds = GraphBounds(
                nodes: 100, edges: 200, collapsedNodes: 30, collapsedEdges: 90, reason: "it is small",
                alternative: "elsewhere")
            let graph = try DrawnGraph(analysis, options)
            expectWhole(graph, analysis.trace, "\(collapse), seed \(seed)")
            if collapse != .none {
                #expect(graph.nodes.count <= 100 && graph.edges.count <= 200)
            }
            #expect(Set(graph.nodes.indices.map(graph.identifier)).count == graph.nodes.count)
            // Whatever it is, it can be written.
            #expect(DOTGraph(graph).text.hasSuffix("}\n"))
            #expect(!GraphJSON(graph).bytes.isEmpty)
        }
    }

    @Test("what is drawn is the finest that fits: all, groups, kinds, queues")
    func finest() throws {
        func collapse(_ trace: Trace) throws -> GraphOptions.Collapse {
            try DrawnGraph(TraceAnalysis(trace)).collapse
        }
        #expect(try collapse(randomTrace(100, kinds: 10, queues: 2, edges: 100, seed: 1)) == .none)
        #expect(try collapse(randomTrace(5_000, kinds: 10, queues: 2, edges: 5_000, seed: 1)) == .kind)
        #expect(try collapse(randomTrace(5_000, kinds: 4_000, queues: 15, edges: 100, seed: 1)) == .queue)
        let groups = trace {
            for group in 0..<50 {
                op("group \(group)", ready: 0, start: 0, finish: 100)
                for child in 0..<20 {
                    op("\(group).\(child)", ready: 0, start: 1, finish: 9).inside("group \(group)")
                }
            }
        }
        let graph = try DrawnGraph(TraceAnalysis(groups))
        #expect(graph.collapse == .group)
        #expect(graph.nodes.count == 50 && graph.nodes.allSatisfy { $0.count == 21 })
        #expect(graph.notes.first?.hasPrefix("1,050 operations are drawn as 50 groups, because") == true)
    }

    @Test("the drawn ones of thousands of kinds are those with the longest execution, and one for the rest")
    func thousands() throws {
        let trace = randomTrace(20_000, kinds: 9_000, queues: 3_000, edges: 60_000, seed: 5)
        let graph = try DrawnGraph(TraceAnalysis(trace))
        expectWhole(graph, trace, "thousands of kinds")
        #expect(graph.nodes.count <= GraphBounds.picture.collapsedNodes)
        #expect(graph.edges.count <= GraphBounds.picture.collapsedEdges)
        guard case .others(let others)? = graph.nodes.last?.content else {
            Issue.record("there are no others")
            return
        }
        #expect(others + graph.nodes.count - 1 == Set(trace.operations.map(\.kindIndex)).count)
    }

    @Test("what is drawn shows count, mean and distribution of a kind")
    func figures() throws {
        var options = GraphOptions()
        options.collapse = .kind
        let graph = try DrawnGraph(TraceAnalysis(quotes()), options)
        let parse = try #require(
            graph.nodes.firstIndex {
                graph.trace.kinds.firstIndex(of: "Parse").map { .kind($0) } == $0.content
            })
        let text = GraphNodeText(graph, parse)
        #expect(text.title == "Parse" && text.subtitle == "2 operations")
        #expect(text.figures == "mean 9.50 ms")
        #expect(text.details.contains("p50 9.00 ms · p95 10.0 ms · max 10.0 ms"))
        #expect(text.details.contains("1 failed"))
    }

    @Test("what is drawn omits slack for a large trace, unless colours show it")
    func slack() throws {
        let large = randomTrace(20_001, kinds: 5, queues: 1, edges: 0, seed: 3)
        #expect(try DrawnGraph(TraceAnalysis(large)).nodes.allSatisfy { $0.slack == nil })
        var options = GraphOptions()
        options.coloring = .slack
        #expect(try DrawnGraph(TraceAnalysis(large), options).nodes.contains { $0.slack != nil })
    }

    @Test("a graph that is not collapsed places thousands by time, and refuses more than fit into a picture")
    func whole() throws {
        var options = GraphOptions()
        options.collapse = .none
        let graph = try DrawnGraph(
            TraceAnalysis(randomTrace(3_000, kinds: 5, queues: 1, edges: 0, seed: 3)), options)
        #expect(graph.layout == .timeline)
        #expect(graph.notes.first?.hasPrefix("nodes are placed by time, because") == true)
        for names in ["", "a name that is longer than its bar"] {
            let layout = NodePlacement(
                graph, names: Array(repeating: names, count: graph.nodes.count), isDetailed: !names.isEmpty)
            for lane in 0..<layout.lanes {
                let boxes = layout.boxes.filter { $0.lane == lane }.sorted { $0.taken.from < $1.taken.from }
                #expect(zip(boxes, boxes.dropFirst()).allSatisfy { $0.taken.to <= $1.taken.from })
            }
        }
        let huge = TraceAnalysis(randomTrace(50_001, kinds: 5, queues: 1, edges: 0, seed: 3))
        #expect(throws: GraphError.self) { try DrawnGraph(huge, options) }
    }

    @Test("what is drawn has no critical path if nothing ran, even if operations wait in a circle")
    func noPath() throws {
        let graph = try DrawnGraph(
            TraceAnalysis(
                trace {
                    op("A").after("B")
                    op("B").after("A")
                }))
        #expect(graph.nodes.allSatisfy { $0.critical == 0 } && graph.edges.allSatisfy { $0.critical == 0 })
        #expect(!DOTGraph(graph).text.contains(PictureTheme.light.critical))
    }

    @Test("what is drawn handles times near the limits of 64 bits")
    func absurdTimes() throws {
        for layout in GraphOptions.Layout.allCases {
            var options = GraphOptions()
            options.layout = layout
            let graph = try DrawnGraph(
                TraceAnalysis(
                    trace {
                        op("A", enqueued: .min, ready: 0, start: .max, finish: .max)
                        op("B", enqueued: .max, ready: .min, start: .min, finish: .min).after("A")
                        op("C", enqueued: nil)
                    }), options)
            #expect(DOTGraph(graph).text.hasSuffix("}\n"))
            #expect(MermaidGraph(graph).text.contains("flowchart"))
        }
    }
}

/// Operations of random kinds, queues and parents, with edges in any direction.
private func randomTrace(_ count: Int, kinds: Int, queues: Int, edges: Int, seed: UInt64) -> Trace {
    var generator = SplitMix64(seed: seed)
    var trace = Trace(header: LogHeader(process: "random", processID: 1, host: "h", start: 0))
    trace.queues = (0..<queues).map { TracedQueue(id: QueueID(UInt64($0 + 1)), name: "queue \($0)") }
    trace.operations = TracedOperations(
        (0..<count).map { index in
            var draft = OperationDraft(
                id: OperationID(UInt64(index + 1)),
                kind: "K\(Int.random(in: 0..<kinds, using: &generator))")
            if Bool.random(using: &generator) {
                draft.queue = Int.random(in: 0..<queues, using: &generator)
            }
            if Int.random(in: 0..<3, using: &generator) == 0 {
                let parent = Int.random(in: 0..<count, using: &generator)
                if parent != index { draft.parent = parent }
            }
            var time = Int64.random(in: 0..<1000, using: &generator)
            for step in 0..<Int.random(in: 0...4, using: &generator) {
                time += Int64.random(in: 0..<500, using: &generator)
                switch step {
                case 0: draft.enqueued = TraceMoment(time)
                case 1: draft.ready = TraceMoment(time)
                case 2: draft.executing = TraceMoment(time)
                default:
                    draft.finished = TraceMoment(time)
                    draft.outcome = [.succeeded, .cancelled, .failed(message: "no")].randomElement(
                        using: &generator)
                }
            }
            return draft
        })
    var known: Set<Trace.Edge> = []
    for _ in 0..<edges {
        let edge = Trace.Edge(
            predecessor: Int.random(in: 0..<count, using: &generator),
            successor: Int.random(in: 0..<count, using: &generator))
        if known.insert(edge).inserted { trace.edges.append(edge) }
    }
    return trace
}
