import Foundation
import TestTraces
import Testing

@testable import InspectorExport
@testable import InspectorTraces

@Suite("An OpenTelemetry trace in JSON")
struct OTLPTraceReaderTests {
    @Test("an OTLP trace that this project wrote has the same operations, edges and times")
    func thereAndBack() throws {
        var run = quotes()
        run.header.start = 1_700_000_000_000_000_000
        run.marks = [TraceMark(time: 5_000_000, thread: 12, text: "half \"way\"", operation: 1)]
        let again = try readFile(exported(OTLPExport(ExportedTrace(run)).write))
        #expect(again.header.process == "quotes" && again.header.host == "box" && again.header.processID == 7)
        #expect(again.header.start == run.header.start)
        func described(_ trace: Trace) -> [String] {
            trace.operations.map { operation in
                let parent = operation.parent.map { trace.operations[$0].id.description } ?? "none"
                let moments = [operation.enqueued, operation.ready, operation.executing, operation.finished]
                return "\(operation) \(moments) \(parent) \(operation.thread ?? 0) "
                    + "\(operation.queue.map { trace.queues[$0].id.description } ?? "")"
            }.sorted()
        }
        #expect(described(again) == described(run))
        func edges(_ trace: Trace) -> Set<[UInt64]> {
            Set(
                trace.edges.map {
                    [
                        trace.operations[$0.predecessor].id.rawValue,
                        trace.operations[$0.successor].id.rawValue,
                    ]
                })
        }
        #expect(edges(again) == edges(run))
        #expect(again.queues.map(\.name) == ["main"])
        #expect(again.marks.map(\.text) == ["half \"way\""] && again.marks.first?.time == 5_000_000)
        #expect(again.losses.isEmpty && again.notes.count == 1, "\(again.losses) \(again.notes)")
    }

    @Test("another program's OTLP trace is exported with the same traces, spans, attributes and links")
    func unchanged() throws {
        let spans = [
            Self.span(
                "a", trace: "f1", start: 1_000, end: 1_900,
                more: #","kind":3,"flags":257,"traceState":"k=v","attributes":[\#(Self.attributes)],"#
                    + #""events":[{"timeUnixNano":"1150","name":"retry","attributes":[{"key":"n","#
                    + #""value":{"intValue":"1"}}]}]"#),
            Self.span("b", trace: "f1", start: 900, end: 2_500, more: #","parentSpanId":"000000000000000a""#),
            Self.span(
                "a", trace: "f2", start: 2_100, end: 2_200,
                more: #","kind":"SPAN_KIND_SERVER","status":{"code":2,"message":"no"},"links":["#
                    + #"{"traceId":"000000000000000000000000000000f1","spanId":"000000000000000b","#
                    + #""attributes":[{"key":"why","value":{"stringValue":"queue"}}]}]"#),
            Self.span(
                "c", trace: "f3", start: 2_000, end: 2_050, more: #","parentSpanId":"00000000000000ff""#),
        ]
        let text = Self.request(spans)
        let first = try readFile(text)
        let again = exported(OTLPExport(ExportedTrace(first)).write)
        let expected = try Self.members(text)
        #expect(try Self.members(again) == expected)
        // As often as it is exported.
        #expect(try Self.members(exported(OTLPExport(ExportedTrace(readFile(again))).write)) == expected)
        #expect(
            first.notes.contains(
                "the identifiers of 3 traces and their spans, the kinds of 2 spans and 6 attributes are "
                    + "kept only for an export of this file to OpenTelemetry"), "\(first.notes)")
        #expect(try first.isOfAnotherProgram && readFile(again).isOfAnotherProgram)
    }

    @Test("an OTLP trace of another program says which parts of it are not kept, by name")
    func unkept() throws {
        let scope = #""scopeSpans":[{"scope":{"name":"http","version":"2"},"schemaUrl":"s","#
        let text = Self.request([Self.span("a", start: 1, end: 2)]).replacing(
            #""scopeSpans":[{"#, with: scope)
        let trace = try readFile(text)
        #expect(
            trace.notes.contains("not kept: 1 \"schemaUrl\", 1 \"scope\""), "\(trace.notes)")
    }

    @Test("an OTLP trace of another program has its spans as its services' operations, and links as edges")
    func others() throws {
        let trace = try read(
            Self.span("a", start: 1_000, end: 1_900, more: #","parentSpanId":"000000000000000d""#),
            Self.span(
                "b", start: 2_000, end: 2_500, more: #","links":[\#(Self.link("a")),\#(Self.link("d"))]"#),
            Self.span(
                "c", start: 2_100, end: 2_200,
                more:
                    #","status":{"code":2,"message":"no"},"attributes":[{"key":"thread.id","#
                    + #""value":{"intValue":"9"}}]"#
                    + #","events":[{"timeUnixNano":"2150","name":"retry"}],"links":[\#(Self.link("e"))]"#),
            Self.span("d", start: 500, end: 3_000))
        #expect(trace.operations.map(\.kind) == ["d", "a", "b", "c"])
        #expect(trace.header.process == "shop" && trace.header.start == 500)
        #expect(trace.queues.map(\.name) == ["shop"])
        #expect(trace.operations[1].parent == 0 && trace.operations[1].enqueued == TraceMoment(500))
        #expect(
            trace.operations[1].executing == TraceMoment(500)
                && trace.operations[1].finished == TraceMoment(1_400))
        #expect(trace.operations[3].outcome == .failed(message: "no") && trace.operations[3].thread == 9)
        #expect(trace.edges == [Trace.Edge(predecessor: 1, successor: 2)])
        #expect(trace.marks.map(\.text) == ["retry"] && trace.marks.first?.operation == 3)
        #expect(
            trace.losses == ["left out: 1 link to a span that had not ended when the other began"],
            "\(trace.losses)")
        #expect(
            trace.notes.contains(
                "1 parent or link leads to spans that are not in the trace; kept as causes in other processes"
            ))
        #expect(trace.receivedContexts.map(\.operation) == [3])
    }

    @Test("an OTLP trace says what it left out: bad durations, bad identifiers, missing starts")
    func leftOut() throws {
        let spans = [
            Self.span("a", start: 1_000, end: 1_900), Self.span("b", start: 2_000, end: 1_000),
            Self.span("a", start: 5_000, end: 5_900),
            Self.span("c", start: 1, end: 2).replacing("000000000000000c", with: "0000000000000000"),
            Self.span("d", start: 1, end: 2).replacing("000000000000000d", with: "none"),
            Self.span("e", start: 1, end: 2).replacing(#""startTimeUnixNano":"1","#, with: ""),
            Self.span("f", start: 1_200, end: 0),
        ]
        let text = Self.request(spans)
        let offsets = try spans.map { span in
            text.utf8.distance(from: text.startIndex, to: try #require(text.range(of: span)).lowerBound)
        }
        let trace = try readFile(text)
        #expect(trace.operations.map(\.kind) == ["a", "f"] && trace.operations[1].finished == nil)
        #expect(
            trace.losses == [
                "left out: 2 spans without usable identifiers "
                    + "(the first at byte \(Prose.grouped(offsets[3]))), "
                    + "1 span with the identifiers of another (at byte \(Prose.grouped(offsets[2]))), "
                    + "1 span without a start (at byte \(Prose.grouped(offsets[5]))), "
                    + "1 span that ended before it began (at byte \(Prose.grouped(offsets[1])))"
            ])
        #expect(trace.notes.contains("1 span did not end before the trace did"))
    }

    @Test("an OTLP trace without usable spans reports what the first one lacks, with its position")
    func unusable() throws {
        // As protobuf's own JSON has identifiers.
        let spans = [
            Self.span("a", start: 1, end: 2).replacing("000000000000000a", with: "7uGbfsPBsXM="),
            Self.span("b", start: 2, end: 1),
        ]
        let text = Self.request(spans)
        let place = try #require(text.range(of: spans[0])).lowerBound
        let error = #expect(throws: TraceError.self) { try readFile(text) }
        #expect(error?.offset == text.utf8.distance(from: text.startIndex, to: place))
        #expect(
            error?.reason == "cannot use its 2 spans: expected identifiers of 32 and 16 hexadecimal digits")
    }

    @Test("an OTLP trace is read up to the damage, and request by request if there are several")
    func cut() throws {
        let whole = Self.request([Self.span("a", start: 1, end: 2)])
        let again = Self.request([Self.span("b", start: 3, end: 4)])
        let lines = try readFile(whole + "\n" + again + "\n")
        #expect(lines.operations.map(\.kind) == ["a", "b"] && lines.losses.isEmpty)
        let cut = try readFile(whole + "\n" + again.dropLast(20))
        #expect(cut.operations.map(\.kind) == ["a", "b"] || cut.operations.map(\.kind) == ["a"])
        #expect(cut.losses.contains { $0.hasPrefix("the file is cut off at byte ") }, "\(cut.losses)")
    }

    @Test("an OTLP trace is read without a trap if values have unexpected types")
    func damaged() throws {
        let span = Self.span("a", start: 1, end: 2)
        for junk in ["1", "null", "[]", "[[1],{}]", "{\"a\":[1]}", "\"x\"", "-1e999"] {
            for member in ["attributes", "events", "links", "status", "parentSpanId", "name"] {
                let odd = Self.span("b", start: 3, end: 4, more: ",\"\(member)\":\(junk)")
                let trace = try read(span, odd)
                #expect(trace.operations.count >= 1)
            }
            for text in ["{\"resourceSpans\":\(junk)}", "{\"resourceSpans\":[{\"resource\":\(junk)}]}"] {
                #expect(throws: TraceError.self) { try readFile(text) }
            }
        }
    }

    // MARK: Help

    /// One of each type.
    private static let attributes =
        #"{"key":"http.method","value":{"stringValue":"GET \"/\""}},"#
        + #"{"key":"thread.id","value":{"intValue":9}},"#
        + #"{"key":"ratio","value":{"doubleValue":0.5}},{"key":"retried","value":{"boolValue":true}},"#
        + #"{"key":"tags","value":{"arrayValue":{"values":[{"stringValue":"x"}]}}}"#

    /// What an export must not change: each resource's attributes and spans by name, with the members of
    /// another program.
    private static func members(_ json: String) throws -> NSDictionary {
        func attributes(_ object: [String: Any]?) -> NSDictionary {
            let list = object?["attributes"] as? [[String: Any]] ?? []
            let pairs = list.map { ($0["key"] as? String ?? "", $0["value"] ?? "") }
            let own = ["error.type", "host.name", "process.executable.name"]
            return NSDictionary(
                dictionary: Dictionary(
                    uniqueKeysWithValues: pairs.filter { !$0.0.hasPrefix("opviz.") && !own.contains($0.0) }))
        }
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        var found: [String: Any] = [:]
        for entry in object?["resourceSpans"] as? [[String: Any]] ?? [] {
            found["resource \(found.count)"] = attributes(entry["resource"] as? [String: Any])
            for scope in entry["scopeSpans"] as? [[String: Any]] ?? [] {
                for var span in scope["spans"] as? [[String: Any]] ?? [] {
                    span["attributes"] = attributes(span)
                    found["\(span["traceId"] ?? "") \(span["spanId"] ?? "")"] = span
                }
            }
        }
        return NSDictionary(dictionary: found)
    }

    private static func span(
        _ digit: String, trace: String = "ff", start: Int, end: Int, more: String = ""
    ) -> String {
        #"{"traceId":"000000000000000000000000000000\#(trace)","spanId":"000000000000000\#(digit)","#
            + #""name":"\#(digit)","#
            + #""startTimeUnixNano":"\#(start)","endTimeUnixNano":"\#(end)"\#(more)}"#
    }

    private static func link(_ digit: String) -> String {
        #"{"traceId":"000000000000000000000000000000ff","spanId":"000000000000000\#(digit)"}"#
    }

    private static func request(_ spans: [String]) -> String {
        #"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","#
            + #""value":{"stringValue":"shop"}},{"key":"service.namespace","value":{"stringValue":"eu"}}]},"#
            + #""scopeSpans":[{"spans":["# + spans.joined(separator: ",") + "]}]}]}"
    }

    private func read(_ spans: String...) throws -> Trace { try readFile(Self.request(spans)) }

    private func readFile(_ json: String) throws -> Trace {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "otlp-\(UUID().uuidString).json")
        try Data(json.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try TraceReader(path: file.path).read()
    }
}
