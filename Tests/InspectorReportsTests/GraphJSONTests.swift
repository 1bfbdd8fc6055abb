import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorTraces

@Suite("The executed graph as JSON")
struct GraphJSONTests {
    private func json(_ trace: Trace, _ change: (inout GraphOptions) -> Void = { _ in }) throws -> [UInt8] {
        var options = GraphOptions()
        change(&options)
        return GraphJSON(try DrawnGraph(TraceAnalysis(trace), options)).bytes
    }

    @Test("a JSON graph has a line for each cluster, node and arrow")
    func golden() throws {
        try Golden("graph.json").expect(String(decoding: json(quotes()), as: UTF8.self))
        try Golden("graph-kinds.json").expect(
            String(decoding: json(quotes()) { $0.collapse = .kind }, as: UTF8.self))
    }

    @Test("a JSON graph is valid JSON for any names")
    func hostile() throws {
        for name in [
            "", "\"", "\\", "\n\u{1b}", "</script>", "\u{2028}", String(repeating: "x", count: 10_000),
        ] {
            let bytes = try json(trace { op(name, kind: name, ready: 0, start: 1, finish: 2) })
            let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            let nodes = object?["nodes"] as? [[String: Any]]
            #expect(nodes?.first?["name"] as? String == name)
        }
        #expect(try JSONSerialization.jsonObject(with: Data(json(trace {}))) is [String: Any])
    }
}
