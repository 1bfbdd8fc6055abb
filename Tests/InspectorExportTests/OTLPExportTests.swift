import Foundation
import TestTraces
import Testing

@testable import InspectorExport
@testable import InspectorTraces

@Suite("A trace as OpenTelemetry has it")
struct OTLPExportTests {
    @Test("an OTLP export has a span for each operation, with parents, links, and events")
    func golden() throws {
        try Golden("quotes.otlp.json").expect(exported(OTLPExport(ExportedTrace(dated(quotes()))).write))
    }

    @Test("an OTLP export has identifiers that are the same for the same run, and others for another")
    func identifiers() {
        let trace = quotes()
        var later = trace
        later.header.start += 1
        let (first, second) = (
            OTLPIdentifiers(ExportedTrace(trace)), OTLPIdentifiers(ExportedTrace(later))
        )
        #expect(first.trace.count == 32 && first.trace == OTLPIdentifiers(ExportedTrace(trace)).trace)
        #expect(first.trace != second.trace && first.span(1) != second.span(1))
        #expect(Set(trace.operations.indices.map { first.span($0) }).count == trace.operations.count)
    }

    @Test("an OTLP export breaks circles of parents, drops links without a span, and reports both")
    func rings() throws {
        let export = OTLPExport(ExportedTrace(senseless()))
        #expect(
            export.notes.contains("left out: 3 parents that were not enqueued before the child"),
            "\(export.notes)")
        #expect(export.notes.contains { $0.hasSuffix("of operations that were never enqueued") })
        #expect(export.notes.contains("left out: 1 mark outside of operations"))
        let spans = try spans(export)
        let identifiers = Set(spans.compactMap { $0["spanId"] as? String })
        #expect(identifiers.count == 8)
        for span in spans {
            let (start, end) = (span["startTimeUnixNano"] as? String, span["endTimeUnixNano"] as? String)
            #expect(UInt64(start ?? "") ?? 1 <= UInt64(end ?? "") ?? 0)
            for link in span["links"] as? [[String: String]] ?? [] {
                #expect(identifiers.contains(link["spanId"] ?? ""))
            }
            if let parent = span["parentSpanId"] as? String { #expect(identifiers.contains(parent)) }
        }
    }

    @Test("an OTLP export keeps a parent that comes after its child if both were enqueued at one moment")
    func laterParent() throws {
        let export = OTLPExport(
            ExportedTrace(
                trace {
                    op("grandchild", ready: 0, start: 0, finish: 10).inside("child")
                    op("child", ready: 0, start: 0, finish: 20).inside("parent")
                    op("parent", ready: 0, start: 0, finish: 30)
                    op("a", ready: 0, start: 0, finish: 10).inside("b")
                    op("b", ready: 0, start: 0, finish: 10).inside("c")
                    op("c", ready: 0, start: 0, finish: 10).inside("a")
                }))
        let spans = try spans(export)
        let identifiers = spans.map { $0["spanId"] as? String }
        let parents = spans.map { span in
            (span["parentSpanId"] as? String).flatMap { identifiers.firstIndex(of: $0) }
        }
        // Of a cycle, one parent is enough.
        #expect(parents == [1, 2, nil, nil, nil, 3])
        #expect(export.notes.contains("left out: 2 parents that were not enqueued before the child"))
    }

    private func spans(_ export: OTLPExport) throws -> [[String: Any]] {
        let object =
            try JSONSerialization.jsonObject(with: Data(exported(export.write).utf8)) as? [String: Any]
        let resources = try #require(object?["resourceSpans"] as? [[String: Any]])
        let scopes = try #require(resources.first?["scopeSpans"] as? [[String: Any]])
        return try #require(scopes.first?["spans"] as? [[String: Any]])
    }
}
