import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorExport
@testable import InspectorHazards
@testable import InspectorReports
@testable import InspectorTraces

@Suite("A trace of several processes")
struct MergedTraceTests {
    private func analysis() throws -> TraceAnalysis {
        let (client, server) = clientAndServer()
        return TraceAnalysis(Trace(try merged(client, server).contents))
    }

    @Test("a merged trace is drawn with a frame for each process, and an arrow from each cause to its effect")
    func graph() throws {
        try Golden("graph-merged.dot").expect(DOTGraph(DrawnGraph(analysis())).text)
    }

    @Test("a merged trace folds each process's queues within its frame")
    func folded() throws {
        var options = GraphOptions()
        options.collapse = .queue
        let graph = try DrawnGraph(analysis(), options)
        #expect(graph.nodes.count == 2 && graph.nodes.allSatisfy { $0.cluster != nil })
        #expect(graph.edges.contains { $0.isAcrossProcesses })
        for text in [DOTGraph(graph).text, MermaidGraph(graph).text] {
            #expect(text.contains("client (pid 100)") && text.contains("server (pid 200)"))
        }
    }

    @Test("a merged trace has a critical path and a chain of delays that go through both processes")
    func paths() throws {
        let analysis = try analysis()
        #expect(Set(analysis.criticalNames) == ["prepare", "fetch", "serve", "read", "show"])
        let chain = DelayChains(analysis).ofRun
        let steps = chain.steps.map { "\(analysis.trace.operations[$0.operation].displayName) \($0.reason)" }
        #expect(
            steps == [
                "prepare added", "fetch dependency", "serve remoteCause", "read added", "serve child",
                "fetch child",
                "show dependency",
            ], "\(steps)")
        #expect(!chain.isCircular)
    }

    @Test("a merged trace leads back to a cause that had finished before")
    func finishedCause() throws {
        var (client, server) = clientAndServer()
        client.send(3, at: 9_500)
        server.receive(client.traceparent(3), for: 9, at: 12_000)
        server.run(9, "after", from: 12_000, to: 13_000)
        let analysis = TraceAnalysis(Trace(try merged(client, server).contents))
        let steps = DelayChains(analysis).ofRun.steps.suffix(2)
        #expect(steps.map { analysis.trace.operations[$0.operation].displayName } == ["show", "after"])
        #expect(steps.last?.reason == .remoteCause && steps.last?.beforeEnqueue == 3_000)
        #expect(analysis.criticalNames.suffix(2) == ["show", "after"])
    }

    @Test("a merged trace explains an operation with its cause in the other process")
    func explained() throws {
        let analysis = try analysis()
        let serve = try #require(analysis.trace.operations.first { $0.name == "serve" })
        let text = Explanation(of: serve.index, in: analysis).text(width: nil)
        #expect(text.contains("added to queue requests in server, caused by fetch in client"), "\(text)")
        #expect(text.contains("caused it, in another process"))
    }

    @Test("a merged trace names the process of each queue whose slots were used")
    func slots() throws {
        var (client, server) = clientAndServer()
        // Two slots, and two wait for them.
        for id in 10..<14 as Range<UInt64> {
            let start = 20_000 + Int64(id - 10) / 2 * 10_000
            for event: LogEvent.Body in [
                .enqueued(.init(operation: OperationID(id), kind: "More", queue: QueueID(1))),
                .ready(OperationID(id)),
            ] {
                client.add(12_000, event)
                server.add(12_000, event)
            }
            for (time, event) in [
                (start, LogEvent.Body.executing(OperationID(id))),
                (start + 10_000, .finished(OperationID(id), .succeeded)),
            ] {
                client.add(time, event)
                server.add(time, event)
            }
        }
        let text = RunSummary(TraceAnalysis(Trace(try merged(client, server).contents))).text()
        #expect(text.contains("requests in client: ") && text.contains("requests in server: "), "\(text)")
    }

    @Test("a merged trace distinguishes operations of the same name by their processes")
    func names() throws {
        var (client, server) = clientAndServer()
        client.run(8, "same", from: 0, to: 1)
        server.run(8, "same", from: 0, to: 1)
        let names = OperationNames(Trace(try merged(client, server).contents))
        #expect(Set((0..<7).map { names[$0] }).isSuperset(of: ["same 0x8 in client", "same 0x11 in server"]))
        #expect(RunSummary(try analysis()).text().contains("client (pid 100) and server (pid 200)"))
    }

    @Test("a merged trace finds no fault with what is caused in another process")
    func hazards() throws {
        var (client, server) = clientAndServer()
        client.add(9_000, .cancelled(OperationID(2)))
        client.send(1, at: 500)
        server.receive(client.traceparent(1), for: 2, at: 2_500)
        let context = HazardContext(Trace(try merged(client, server).contents))
        #expect(context.trace.edges.count == 3 && context.edges.count == 2)
        let parents = (0..<context.count).filter { context.parent[$0] >= 0 }
        #expect(parents.map { context.name($0) } == ["read"])
    }

    @Test("a merged trace says of each process whether its log was closed")
    func losses() throws {
        let client = clientAndServer().client
        var server = clientAndServer().server
        server.header.isClosed = false
        let merge = try merged(client, server)
        let trace = try Trace(read(merge))
        #expect(
            trace.losses == ["1 of 2 logs was not closed: server (pid 200), last known alive at 7.00 µs"],
            "\(trace.losses)")
    }

    private func read(_ merge: TraceMerge) throws -> EventLogContents {
        var json = JSONLogEncoder(header: merge.contents.header)
        for event in merge.contents.events { json.encode(event) }
        let bytes = merge.contents.header.jsonPrologue() + json.takeBytes() + JSONLogEncoder.epilogue
        return try TestTraces.read(bytes)
    }

    @Test("a merged trace is one OpenTelemetry trace with a resource for each process, as they sent it")
    func spans() throws {
        let client = clientAndServer().client
        let server = clientAndServer().server
        let object = try spans(Trace(try merged(client, server).contents))
        let names = object.map { $0.attributes["service.name"] }
        #expect(names == ["client", "server"])
        let sent = try #require(TraceContext(traceparent: client.traceparent(2)))
        let all = object.flatMap(\.spans)
        #expect(Set(all.compactMap { $0["traceId"] as? String }) == [sent.span.traceText])
        let serve = try #require(all.first { ($0["parentSpanId"] as? String) == sent.span.spanText })
        #expect(serve["spanId"] as? String == TraceContext(traceparent: server.traceparent(1))?.span.spanText)
    }

    @Test("a merged trace that lacks the cause has a link to it, and in the same trace its parent")
    func lonelySpans() throws {
        let (client, server) = clientAndServer()
        let sent = try #require(TraceContext(traceparent: client.traceparent(2)))
        let spans = try #require(try spans(Trace(server.contents)).first?.spans)
        let links = spans.flatMap { $0["links"] as? [[String: String]] ?? [] }
        #expect(links == [["traceId": sent.span.traceText, "spanId": sent.span.spanText]])
        var child = MadeUpLog("child", pid: 3)
        child.receive(client.traceparent(2), at: 0)
        child.run(1, "only", from: 5, to: 6)
        let only = try #require(try self.spans(Trace(child.contents)).first?.spans.first)
        #expect(only["traceId"] as? String == sent.span.traceText)
        #expect(only["parentSpanId"] as? String == sent.span.spanText)
    }

    private func spans(_ trace: Trace) throws -> [(attributes: [String: String], spans: [[String: Any]])] {
        let export = OTLPExport(ExportedTrace(TraceAnalysis(trace), run: "run"))
        let object =
            try JSONSerialization.jsonObject(with: Data(exported(export.write).utf8)) as? [String: Any]
        let resources = try #require(object?["resourceSpans"] as? [[String: Any]])
        return try resources.map { resource in
            let scopes = try #require(resource["scopeSpans"] as? [[String: Any]])
            let list = (resource["resource"] as? [String: Any])?["attributes"] as? [[String: Any]] ?? []
            var attributes: [String: String] = [:]
            for entry in list {
                attributes[entry["key"] as? String ?? ""] =
                    (entry["value"] as? [String: Any])?["stringValue"] as? String
            }
            return (attributes, try #require(scopes.first?["spans"] as? [[String: Any]]))
        }
    }
}
