import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorExport
@testable import InspectorReports
@testable import InspectorTraces

/// A trace that is exported and read again gives the same tables, or the reader says what is not in the file.
@Suite("A trace that was exported and is read again")
struct RoundTripTests {
    enum Format: CaseIterable { case otlp, chrome }

    private func exportedText(_ trace: Trace, _ format: Format) -> String {
        let told = ExportedTrace(trace)
        return switch format {
        case .otlp: exported(OTLPExport(told).write)
        case .chrome: exported(ChromeExport(told).write)
        }
    }

    /// The rows of a table in the order of operations, which another order of the log changes.
    private func rows(_ table: TraceTable, _ trace: Trace) -> [String] {
        exported { table.write(ExportedTrace(trace), as: .jsonLines, $0) }.split(separator: "\n").map(
            String.init
        )
        .sorted()
    }

    private func expectSame(_ trace: Trace, _ format: Format) throws {
        let again = try imported(exportedText(trace, format))
        for table in [TraceTable.operations, .edges, .runs] {
            let (before, after) = (rows(table, trace), rows(table, again))
            #expect(after == before, "\(table)")
        }
        #expect(TimingTable(TraceTimings(again)).text() == TimingTable(TraceTimings(trace)).text())
        #expect(again.queues.map(\.name) == trace.queues.map(\.name))
        #expect(again.queues.map { $0.limits.map(\.limit) } == trace.queues.map { $0.limits.map(\.limit) })
        #expect(again.queues.map(\.suspensions) == trace.queues.map(\.suspensions))
        #expect(again.queues.map(\.cancellations) == trace.queues.map(\.cancellations))
        #expect(again.notes.count == 1 + again.notes.count { $0.contains("did not end") })
    }

    @Test("an exported trace has the same waits, edges and figures", arguments: Format.allCases)
    func waits(format: Format) throws { try expectSame(dated(quotes()), format) }

    @Test(
        "an exported trace of three slots that were all taken has slot waits, not waits for threads",
        arguments: Format.allCases
    )
    func slots(format: Format) throws {
        var run = trace(limits: [(0, 1), (25, 2), (40, 1)]) {
            op("a", ready: 0, start: 0, finish: 30)
            op("b", ready: 5, start: 26, finish: 50)
            op("c", ready: 5, start: 55, finish: 60)
            op("d", ready: 5, start: 62, finish: 80, outcome: .failed(message: "no \"luck\"\n"))
            op("e", ready: 70, finish: 75, outcome: .cancelled)
            op("f", ready: 80)
            op("g")
        }
        run.header.lastAlive = 100
        run.queues[0].cancellations = [75, 90]
        let waits = TraceAnalysis(run).waits
        #expect((waits[1]?.slot ?? 0) > 0 && (waits[2]?.dispatch ?? 0) > 0 && (waits[5]?.dispatch ?? 0) > 0)
        try expectSame(dated(run), format)
    }

    @Test(
        "an exported trace that was suspended again and again has the same waits", arguments: Format.allCases)
    func suspensions(format: Format) throws {
        let stretches: [Range<Int64>] = (0..<30).map { 10 + 20 * $0..<15 + 20 * $0 }
        let run = trace(limit: 1, suspensions: stretches) {
            op("a", ready: 0, start: 5, finish: 300)
            op("b", ready: 1, start: 420, finish: 500)
            op("c", ready: 11, start: 13, finish: 700)
            op("d", ready: 12, start: 710, finish: 720)
        }
        try expectSame(dated(run), format)
    }

    @Test(
        "a trace that is undated, or was lost in part, says so again when its export is read",
        arguments: Format.allCases)
    func losses(format: Format) throws {
        var run = quotes()
        run.header.droppedEvents = 3
        run.header.processors = ProcessorCount(online: 8, usable: 2, quota: 1_500, later: 4)
        run.losses = ["the recorder could not write 3 events"]
        let again = try imported(exportedText(run, format))
        #expect(again.header.start == 0 && again.header.droppedEvents == 3 && again.losses == run.losses)
        #expect(again.header.processors == run.header.processors)
        try expectSame(run, format)
        run.header.isClosed = false
        run.header.lastAlive = 400_000_000
        try expectSame(run, format)
    }

    @Test(
        "an exported trace of times that are known as intervals has the intervals", arguments: Format.allCases
    )
    func intervals(format: Format) throws {
        let run = trace {
            op("a", ready: 3, finish: 40).starting(within: 5...9).finishing(within: 30...44)
            op("b", ready: 44, start: 50, finish: 60).after("a")
        }
        try expectSame(dated(run), format)
    }

    @Test(
        "an exported trace of two processes has both, with what each caused in the other",
        arguments: Format.allCases)
    func processes(format: Format) throws {
        let (client, server) = clientAndServer()
        try expectSame(Trace(try merged(client, server).contents), format)
    }

    @Test("an export of three services has three, on their machines, in one file or in files of their own")
    func services() throws {
        let (client, server) = clientAndServer(serverStart: -5_000)
        var third = MadeUpLog("store", pid: 300, host: "other", start: 3_000)
        third.receive(server.traceparent(2), for: 1, at: 100)
        third.run(1, "write", from: 100, to: 900)
        var sending = server
        sending.send(2, at: 3_200)
        let run = Trace(try merged(client, sending, third).contents)
        #expect(run.processes.count == 3)
        for format in Format.allCases { try expectSame(run, format) }
        // As collectors put together what came from several processes.
        let lines = [client, sending, third].map {
            exportedText(
                Trace(EventLogContents(header: $0.contents.header, events: $0.contents.events)), .otlp)
        }
        let together = try imported(lines.joined())
        #expect(Set(together.processes.map(\.process)) == ["client", "server", "store"])
        #expect(together.operations.count == run.operations.count)
        #expect(together.processes.map { $0.host }.sorted() == ["box", "box", "other"])
        // The cause that the server received is still known, and is still outside the trace.
        #expect(together.receivedContexts.count == 2 || together.edges.count > 0)
    }

    @Test("an exported trace with a cause outside continues that trace")
    func causes() throws {
        var run = dated(quotes())
        let cause = try #require(
            TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
        run.receivedContexts = [ReceivedContext(time: 0, process: 0, operation: nil, context: cause)]
        let first = exportedText(run, .otlp)
        #expect(first.contains(#""parentSpanId":"00f067aa0ba902b7""#))
        let again = try imported(first)
        #expect(again.receivedContexts.count == 1)
        let second = exportedText(again, .otlp)
        func identifiers(_ text: String) -> [Substring] {
            text.matches(of: /"(?:spanId|traceId|parentSpanId)":"[0-9a-f]+"/).map(\.output).sorted()
        }
        #expect(identifiers(second) == identifiers(first))
    }

    @Test("an exported trace has the waits that a file states, and otherwise unknown ones")
    func stated() throws {
        // As an earlier version wrote it, without some operations and without queues.
        func span(_ number: Int, start: Int, executing: Int, waits: String) -> String {
            #"{"traceId":"000000000000000000000000000000ff","spanId":"000000000000000\#(number)","#
                + #""name":"Work","#
                + #""startTimeUnixNano":"\#(start)","endTimeUnixNano":"900","#
                + #""attributes":[{"key":"opviz.operation.id","#
                + #""value":{"stringValue":"0x\#(number)"}},{"key":"opviz.queue.id","#
                + #""value":{"stringValue":"0x1"}}],"#
                + #""events":[{"timeUnixNano":"\#(start)","name":"ready"},{"timeUnixNano":"\#(executing)","#
                + #""name":"executing"}"#
                + waits + "]}"
        }
        func wait(_ name: String, _ from: Int, _ length: Int) -> String {
            #",{"timeUnixNano":"\#(from)","name":"\#(name)","attributes":[{"key":"opviz.wait.duration_ns","#
                + #""value":{"intValue":"\#(length)"}}]}"#
        }
        let spans = [
            span(
                1, start: 100, executing: 200,
                waits: wait("slot wait", 100, 60) + wait("dispatch wait", 160, 40)),
            span(2, start: 300, executing: 400, waits: wait("suspended wait", 300, 100)),
            span(3, start: 500, executing: 600, waits: ""),
        ]
        let trace = try imported(
            #"{"resourceSpans":[{"scopeSpans":[{"spans":["# + spans.joined(separator: ",") + "]}]}]}")
        let waits = TraceAnalysis(trace).waits
        #expect(waits[0] == [.slot: 60, .dispatch: 40, .execution: 700])
        #expect(waits[1] == [.suspended: 100, .execution: 500])
        #expect(waits[2] == [.execution: 300, .unknown: 100])
        #expect(trace.notes.first?.contains("limits of queues") == true)
        // And in a log of ours.
        var json = JSONLogEncoder(header: trace.header)
        json.encode(LogEvent(time: 0, thread: 1, .slotFree(OperationID(1))))
        #expect(String(decoding: json.takeBytes(), as: UTF8.self).contains(#""event":"slotFree""#))
    }

    @Test("an exported trace of too many operations for viewers says that their waits are not in the file")
    func large() throws {
        let text = exportedText(dated(quotes()), .chrome).replacing(#""enqueued_ns""#, with: #""left_out""#)
        let trace = try imported(text)
        #expect(trace.notes.first?.contains("waits of 7 operations are not in it") == true, "\(trace.notes)")
        #expect(trace.operations.first { $0.name == "page 1" }?.executing == TraceMoment(4_000_000))
    }

    @Test(
        "an exported trace gives the position of an operation that cannot be read",
        arguments: [#""id": "0x3""#, #""enqueued_ns": "1000000""#])
    func damaged(member: String) throws {
        let again = try imported(
            exportedText(dated(quotes()), .chrome)
                .replacing(member, with: member.dropLast(2) + "?\"", maxReplacements: 1))
        #expect(again.operations.count(where: { $0.enqueued != nil }) == quotes().operations.count - 1)
        #expect(again.losses.count == 1 && again.losses[0].contains("(at byte "), "\(again.losses)")
    }

    @Test("an exported trace of a nonsensical run is read with any contents", arguments: Format.allCases)
    func senselessRun(format: Format) throws {
        let again = try imported(exportedText(senseless(), format))
        #expect(again.operations.count == 8)
        _ = TraceAnalysis(again)
    }
}

@Suite("What was set on a queue, as text")
struct QueueHistoryTests {
    @Test("the text of settings is read back as it was")
    func thereAndBack() throws {
        var queue = TracedQueue(id: QueueID(255), name: "io")
        queue.limits = [(-5, 2), (1_000, -1)]
        queue.suspensions = [-7 ..< -3, 10..<20]
        queue.cancellations = [-4, 30]
        let text = try #require(QueueHistory(queue)).text
        #expect(text == "0xff limits -5=2 1000=-1 suspended -7--3 10-20 cancelled -4 30")
        let again = try #require(QueueHistory(text[...]))
        #expect(
            again.queue == 255 && again.limits.map(\.time) == [-5, 1_000]
                && again.limits.map(\.limit) == [2, -1])
        #expect(again.suspensions == queue.suspensions)
        #expect(again.cancellations == queue.cancellations)
        #expect(QueueHistory(TracedQueue(id: QueueID(1), name: "")) == nil)
    }

    @Test(
        "the text of settings that makes no sense says what of it does",
        arguments: ["", "x", "0x", "0x1 9-3 a=b = - 1="])
    func damaged(text: String) {
        let history = QueueHistory(text[...])
        #expect(history?.limits.isEmpty ?? true && history?.suspensions.isEmpty ?? true)
        #expect(history?.cancellations.isEmpty ?? true)
    }
}
