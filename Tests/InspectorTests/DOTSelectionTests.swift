import Testing

@testable import Inspector

@Suite("What is drawn of a large trace")
struct DOTSelectionTests {
    private func analysis(operations: Int, edges: [(Int, Int)] = []) -> TraceAnalysis {
        var result = trace {
            for index in 0..<operations {
                op("\(index)", ready: 0, start: 1, finish: Int64(2 + index % 977))
            }
        }
        result.edges = edges.map { Trace.Edge(predecessor: $0.0, successor: $0.1) }
        return TraceAnalysis(result)
    }

    @Test("is all of it up to the limit")
    func small() {
        let selection = DOTSelection(analysis(operations: DOTSelection.operationLimit))
        #expect(selection.operations.count == DOTSelection.operationLimit)
        #expect(selection.omittedOperations == 0 && selection.omittedEdges == 0)
    }

    @Test("are the operations that lived longest, in the order of the trace, and the graph says so")
    func longest() {
        let analysis = analysis(operations: 5_000)
        let selection = DOTSelection(analysis)
        #expect(selection.operations.count == DOTSelection.operationLimit)
        #expect(selection.operations == selection.operations.sorted())
        let drawn = Set(selection.operations)
        let lifetimes = analysis.trace.operations.indices.map { analysis.waits[$0]?.total ?? 0 }
        let shortestDrawn = lifetimes.indices.filter(drawn.contains).map { lifetimes[$0] }.min() ?? 0
        let longestOmitted =
            lifetimes.indices.filter { !drawn.contains($0) }.map { lifetimes[$0] }.max() ?? .max
        #expect(longestOmitted <= shortestDrawn)
        #expect(
            DOTGraph(analysis).omission
                == "the picture shows the 1000 operations that lived longest of 5000")
    }

    @Test("of too many edges are those that decided when an operation became ready")
    func decidingEdges() {
        let edges = (0..<400).flatMap { successor in (400..<420).map { ($0, successor) } }
        let selection = DOTSelection(analysis(operations: 420, edges: edges))
        #expect(selection.edges.count == 400)
        #expect(selection.omittedEdges == edges.count - 400)
        #expect(Set(selection.edges.map(\.successor)).count == 400)
    }
}
