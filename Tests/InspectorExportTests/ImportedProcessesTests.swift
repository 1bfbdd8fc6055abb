import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorExport
@testable import InspectorTraces

/// Whatever a file says of its processes, machines and threads is kept apart.
@Suite("Processes of a trace that another program wrote")
struct ImportedProcessesTests {
    // MARK: Chrome

    /// As Chromium writes: three processes, of which two number their threads alike.
    private let browser = #"""
        {"traceEvents":[
        {"ph":"M","pid":10,"tid":0,"ts":0,"name":"process_name","args":{"name":"Browser"}},
        {"ph":"M","pid":11,"tid":0,"ts":0,"name":"process_name","args":{"name":"Renderer"}},
        {"ph":"M","pid":12,"tid":0,"ts":0,"name":"process_name","args":{"name":"Renderer"}},
        {"ph":"M","pid":11,"tid":10,"ts":0,"name":"thread_name","args":{"name":"Compositor"}},
        {"ph":"X","pid":10,"tid":10,"ts":0,"dur":10,"name":"a"},
        {"ph":"X","pid":11,"tid":10,"ts":5,"dur":10,"name":"b"},
        {"ph":"X","pid":12,"tid":10,"ts":7,"dur":10,"name":"c"},
        {"ph":"b","pid":11,"tid":10,"ts":8,"cat":"net","id2":{"local":"0x1"},"name":"load"},
        {"ph":"b","pid":12,"tid":10,"ts":9,"cat":"net","id2":{"local":"0x1"},"name":"load"}
        ]}
        """#

    @Test("imported processes are those of a Chrome trace, each with its threads and asynchronous slices")
    func chrome() throws {
        let trace = try imported(browser)
        #expect(trace.header.processes.map(\.process) == ["Browser", "Renderer", "Renderer"])
        #expect(trace.header.processes.map(\.processID) == [10, 11, 12])
        #expect(trace.operations.map(\.process) == [0, 1, 2, 1, 2])
        #expect(
            trace.queues.map(\.displayName) == [
                "thread 10 in Browser", "Compositor in Renderer 11", "thread 10 in Renderer 12",
                "net in Renderer 11", "net in Renderer 12",
            ])
        // One thread each, though the number is the same.
        #expect(trace.operations.store.columns.threadProcesses == [0, 1, 2])
        #expect(TraceTimings(trace).groups(by: .process).map(\.name).count == 3)
        let rows = exported { TraceTable.operations.write(ExportedTrace(trace), as: .jsonLines, $0) }
        #expect(
            rows.contains(#""process":"Browser","pid":10,"#)
                && rows.contains(#""process":"Renderer","pid":12,"#))
    }

    @Test("imported processes stay apart when the trace becomes a log of ours")
    func converted() throws {
        let trace = try imported(browser)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(browser.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let contents = try TraceReader(path: file.path).events()
        var json = JSONLogEncoder(header: contents.header)
        for event in contents.events { json.encode(event) }
        let bytes = contents.header.jsonPrologue() + json.takeBytes() + JSONLogEncoder.epilogue
        let again = try imported(String(decoding: bytes, as: UTF8.self))
        #expect(again.header.processes == trace.header.processes && again.losses.isEmpty)
        #expect(again.operations.map(\.process) == trace.operations.map(\.process))
    }

    @Test("imported processes have thread numbers that databases accept, even if the file has others")
    func threads() throws {
        let identifiers = [#""ui""#, #""io""#, "0", "-5", "2", #""18446744073709551612""#]
        let events = identifiers.enumerated().map {
            #"{"ph":"X","pid":1,"tid":\#($1),"ts":\#($0),"dur":1,"name":"a"}"#
        }
        let trace = try imported("[" + events.joined(separator: ",") + "]")
        #expect(trace.operations.map(\.thread) == [1, 3, 4, 5, 2, 6])
        #expect(trace.queues.map(\.name).prefix(3) == ["thread ui", "thread io", "thread 0"])
        let spans = identifiers.enumerated().map {
            span($0 + 1, more: #","attributes":[{"key":"thread.id","value":{"stringValue":\#($1)}}]"#)
        }
        let otlp = try imported(request([("shop", spans)]))
        #expect(otlp.operations.map(\.thread) == [1, 3, 4, 5, 2, 6])
    }

    // MARK: Dates

    @Test(
        "imported processes have the date of the file, if it has one",
        arguments: [
            (#","beginningOfTime":1795276689213931"#, 1_795_276_689_213_932_500),
            (#","baseTimeNanoseconds":1795276689213931000"#, 1_795_276_689_213_932_500),
            (
                #","viztracer_metadata":{"baseTimeNanoseconds":1795276689213931000}"#,
                1_795_276_689_213_932_500
            ),
            (#","otherData":{"profile_start_ts":1795276689213,"date":"x"}"#, 1_795_276_689_213_001_500),
            (#","metadata":{"clock-offset-since-epoch":"1795276689213931"}"#, 1_795_276_689_213_932_500),
            // In no unit, in nanoseconds, nothing: 1970, or 56,000 years from now.
            (#","metadata":{"clock-offset-since-epoch":"0"}"#, 0),
            (#","beginningOfTime":1795276689213931000"#, 0), (#","beginningOfTime":{"a":1}"#, 0), ("", 0),
        ] as [(String, Int64)])
    func dates(said: String, start: Int64) throws {
        let trace = try imported(
            #"{"traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1.5,"dur":1,"name":"a"}]\#(said)}"#)
        #expect(trace.header.start == start)
        let row = exported { TraceTable.runs.write(ExportedTrace(trace), as: .jsonLines, $0) }
        #expect(row.contains(#""trace_start_utc_ns":\#(start == 0 ? "null" : String(start)),"#))
        let otlp = exported(OTLPExport(ExportedTrace(trace)).write)
        #expect(!otlp.contains(#"UnixNano":"0""#) && !otlp.contains(#""intValue":"0""#))
        #expect(otlp.contains("opviz.trace.start_unix_nano") == (start != 0))
        #expect(try imported(otlp).header.start == start)
    }

    @Test("imported processes have the date of microseconds since 1970, and kernel events are left out")
    func absolute() throws {
        let trace = try imported(
            #"{"systemTraceEvents":"# + "\"# tracer: nop\","
                + #""traceEvents":[{"ph":"X","pid":1,"tid":1,"ts":1795276689213931,"#
                + #""dur":1,"name":"a"}]}"#)
        #expect(trace.header.start == 1_795_276_689_213_931_000)
        #expect(trace.notes.contains("its times are read as microseconds since 1970"))
        #expect(trace.notes.contains("not used: the kernel's events (systemTraceEvents)"))
    }

    // MARK: OpenTelemetry

    private func span(_ number: Int, start: Int = 1_000, more: String = "") -> String {
        #"{"traceId":"000000000000000000000000000000ff","spanId":"00000000000000\#(number + 10)","#
            + #""name":"s\#(number)","#
            + #""startTimeUnixNano":"\#(start + number)","endTimeUnixNano":"\#(start + 500)"\#(more)}"#
    }

    private func request(_ resources: [(attributes: String, spans: [String])]) -> String {
        let parts = resources.map { attributes, spans in
            let list = attributes.split(separator: " ").enumerated().map { index, word in
                let parts = word.split(separator: "=")
                let (key, value) = parts.count == 2 ? (parts[0], parts[1]) : ("service.name", word)
                return #"{"key":"\#(key)","value":{"stringValue":"\#(value)"}}"#
            }
            return #"{"resource":{"attributes":[\#(list.joined(separator: ","))]},"#
                + #""scopeSpans":[{"spans":[\#(spans.joined(separator: ","))]}]}"#
        }
        return #"{"resourceSpans":["# + parts.joined(separator: ",") + "]}"
    }

    @Test("imported processes are the services of an OpenTelemetry trace, on their machines")
    func services() throws {
        let parent = #","parentSpanId":"0000000000000011""#
        let trace = try imported(
            request([
                ("shop host.name=a process.pid=7", [span(1)]),
                ("cart host.name=b process.pid=7", [span(2, more: parent)]),
                ("mail k8s.pod.name=pod-1", [span(3, more: parent)]),
                // As collectors write: a resource comes again with each batch.
                ("shop host.name=a process.pid=7", [span(4)]),
            ]))
        #expect(trace.header.processes.map(\.process) == ["shop", "cart", "mail"])
        #expect(trace.header.processes.map(\.host) == ["a", "b", "pod-1"])
        #expect(trace.header.process == "shop, cart and mail" && trace.header.host == "")
        #expect(trace.operations.map(\.process) == [0, 1, 2, 0])
        #expect(trace.operations.map(\.parent) == [nil, 0, 0, nil])
        #expect(trace.queues.map(\.displayName) == ["shop in shop", "cart in cart", "mail in mail"])
        // What the file does not say of threads is not known.
        #expect(trace.operations.allSatisfy { $0.thread == nil })
        let rows = exported { TraceTable.operations.write(ExportedTrace(trace), as: .jsonLines, $0) }
        #expect(rows.contains(#""process":"cart","pid":7,"host":"b""#))
        #expect(rows.contains(#""is_complete":true"#))
    }

    @Test("imported processes are the instances of a service, even if only that distinguishes them")
    func instances() throws {
        let trace = try imported(
            request([("shop service.instance.id=i1", [span(1)]), ("shop service.instance.id=i2", [span(2)])]))
        #expect(trace.header.processes.map(\.process) == ["shop i1", "shop i2"])
    }
}
