import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorText
@testable import InspectorTraces

@Suite("A run whose threads' switches were recorded")
struct ExecutionPartsReportTests {
    private let analysis = TraceAnalysis(switched())

    @Test("a run with clocks has operations that never finished as unmeasured in tables and JSON, not as 0")
    func unfinished() throws {
        let (measured, unfinished) = (OperationID(1), OperationID(2))
        let queue = QueueID(1)
        func enqueue(_ id: OperationID) -> LogEvent.Body {
            .enqueued(LogEvent.Enqueue(operation: id, kind: "Work", queue: queue))
        }
        let bodies: [(Int64, LogEvent.Body)] = [
            (0, .queueOpened(queue, name: "", limit: 2, isSuspended: false)),
            (0, enqueue(measured)), (0, enqueue(unfinished)), (0, .ready(measured)), (0, .ready(unfinished)),
            (100, .executing(measured)), (100, .executing(unfinished)),
            (600, .bodyUsed(measured, onCPU: 500, waitedForCPU: 0)), (600, .finished(measured, .succeeded)),
        ]
        let header = LogHeader(
            process: "app", processID: 1, host: "host", start: 0, isClosed: true, lastAlive: 1_100)
        let events = bodies.map { LogEvent(time: $0.0, thread: 7, $0.1) }
        let analysis = TraceAnalysis(Trace(EventLogContents(header: header, events: events)))
        let use = try #require(ProcessorUse(analysis.timings))
        #expect(use.parts(of: 1) == [.unmeasured: 1_000])
        let table = TimingTable(analysis.timings, by: .operations)
        let rows = String(decoding: table.csv(), as: UTF8.self).split(separator: "\r\n")
        #expect(rows.contains { $0.hasPrefix("0x2,") && $0.hasSuffix(",0,0,0,0,1000,false") })
        let unmeasured = #""offThreadNs": 0, "unmeasuredNs": 1000"#
        #expect(String(decoding: table.json(), as: UTF8.self).contains(unmeasured))
        let explanation = Explanation(of: 1, in: analysis)
        #expect(String(decoding: explanation.json, as: UTF8.self).contains(unmeasured))
    }

    @Test(
        "a run with switches has the parts in the timeline's bars, in the order of time",
        arguments: PictureTheme.allCases)
    func timeline(theme: PictureTheme) throws {
        try Golden("parts-timeline-\(theme).svg").expect(
            TimelinePicture(analysis, theme: theme, width: 900).svg)
    }

    @Test("a run with switches has parts in a terminal's timeline, which is as wide as without colours")
    func terminal() throws {
        let text = TimelineText(analysis).text(width: 100)
        try Golden("parts-timeline.txt").expect(text)
        let colored = TimelineText(analysis).text(width: 100, isColored: true)
        #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == text)
    }

    @Test(
        "a run with switches has the parts in the graph, by ranks and by time",
        arguments: [GraphOptions.Layout.ranks, .timeline])
    func graph(layout: GraphOptions.Layout) throws {
        var options = GraphOptions()
        options.layout = layout
        let graph = try DrawnGraph(analysis, options)
        try Golden("parts-graph-\(layout.rawValue).dot").expect(DOTGraph(graph).text)
        let json = String(decoding: GraphJSON(graph).bytes, as: UTF8.self)
        #expect(json.contains(#""executionParts": {"onCPUNs": 20000000, "waitingForCPUNs": 20000000, "#))
    }

    @Test("a run with switches has means of the parts where operations are drawn as one")
    func folded() throws {
        var options = GraphOptions()
        options.collapse = .queue
        let text = DOTGraph(try DrawnGraph(analysis, options)).text
        #expect(text.contains("mean execution 37.5 ms (on CPU 8.00 ms, waiting for a CPU 5.75 ms, "))
    }

    @Test("a run with switches says below the critical path what its executions did, and what would help")
    func criticalPath() throws {
        let report = CriticalPathReport(analysis)
        try Golden("parts-critical-path.txt").expect(report.text(width: 80))
        let json = String(decoding: report.json, as: UTF8.self)
        #expect(
            json.contains(#""conclusion": "something else had the CPUs; measure again on an idle machine""#))
        #expect(json.contains(#""executionParts": {"onCPUNs": 27000000, "#))
    }

    @Test("an execution of which nothing was measured is explained as unmeasured, if others were measured")
    func unmeasured() {
        func explanation(withoutTimesOf threads: ClosedRange<UInt64>) -> String {
            var log = SwitchedLog()
            log.events.removeAll { event in
                switch event.body {
                case .leftCPU, .waitedForCPU: threads.contains(event.thread)
                default: false
                }
            }
            return Explanation(of: 0, in: TraceAnalysis(Trace(log.contents))).text(width: nil)
        }
        let some = explanation(withoutTimesOf: 11...11)
        #expect(some.contains("40.0 ms of it executing (unmeasured)."), "\(some)")
        #expect(some.contains("executed, started on thread 11: unmeasured\n"), "\(some)")
        let none = explanation(withoutTimesOf: 11...14)
        #expect(none.contains("40.0 ms of it executing."), "\(none)")
        #expect(none.contains("executed, started on thread 11\n"), "\(none)")
    }

    @Test("a run with switches has its processor use in the summary, and in the page's head")
    func summary() throws {
        try Golden("parts-summary.txt").expect(RunSummary(analysis).text())
        let html = String(decoding: ReportPage(analysis).html, as: UTF8.self)
        let executing = try #require(ProcessorSummary(analysis)).executing
        #expect(
            executing
                == "150 ms: 55.0 ms off thread, 32.0 ms on CPU, 30.0 ms blocked, "
                + "23.0 ms waiting for a CPU, 10.0 ms unmeasured"
        )
        #expect(html.contains(#""threadsOnCPU": ["#))
    }

    @Test("parts of executions shorter than a pixel are drawn in proportion, and not one by one")
    func dithered() throws {
        var log = SwitchedLog()
        // Thread 14 calculates and sleeps in turn, a microsecond each.
        let start: Int64 = 81_000_000
        for turn in 0..<5_000 {
            log.events.append(
                LogEvent(
                    time: start + Int64(turn) * 2_000 + 1_000, thread: 14,
                    .leftCPU(afterNanoseconds: 1_000, .blocked)))
        }
        let analysis = TraceAnalysis(Trace(log.contents))
        let use = try #require(ProcessorUse(analysis.timings))
        let columns = TimeColumns(from: 0, to: 91_000_000, count: 910)
        let stretches = use.drawnStretches(of: 3, within: 0..<91_000_000, columns)
        #expect((50...102).contains(stretches.count))
        #expect(stretches.first?.start == start && stretches.last?.end == start + 10_000_000)
        let onCPU = stretches.filter { $0.part == .onCPU }.reduce(0) { $0 + $1.end - $1.start }
        #expect(abs(onCPU - 5_000_000) <= 100_000)
        #expect(TimelinePicture(analysis).svg.utf8.count < 40_000)
    }

    @Test(
        "a run with switches has stretches that add up to each part, whatever the log contains",
        arguments: 0..<40)
    func anything(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var log = SwitchedLog()
        for _ in 0..<30 {
            let time = Int64.random(in: -10_000_000...120_000_000, using: &random)
            log.events.append(
                LogEvent(
                    time: time, thread: UInt64.random(in: 11...14, using: &random),
                    .leftCPU(
                        afterNanoseconds: Int64.random(in: 0...20_000_000, using: &random),
                        [.unknown, .preempted, .blocked].randomElement(using: &random) ?? .unknown)))
        }
        let analysis = TraceAnalysis(Trace(log.contents))
        let use = try #require(ProcessorUse(analysis.timings))
        for index in 0..<4 {
            let parts = try #require(use.parts(of: index))
            let column = Int64.random(in: 1_000...1_000_000, using: &random)
            let stretches = use.drawnStretches(
                of: index, within: .min..<Int64.max, TimeColumns(from: 0, width: Double(column)))
            #expect(
                zip(stretches, stretches.dropFirst()).allSatisfy { $0.end == $1.start && $0.part != $1.part })
            #expect(stretches.reduce(0) { $0 + $1.end - $1.start } == parts.total)
            for part in ExecutionParts.Part.allCases {
                let drawn = stretches.filter { $0.part == part }.reduce(0) { $0 + $1.end - $1.start }
                #expect(abs(drawn - parts[part]) <= 5 * column, "\(part)")
            }
        }
    }
}

@Suite("What would help the critical path")
struct CriticalPathPartsTests {
    @Test(
        "what would help is decided by the part that its executions mostly were",
        arguments: [
            ([.onCPU: 38, .blocked: 371], "more processors will not help"),
            (
                [.onCPU: 100, .offThread: 300],
                "the log does not show whether the time off thread was spent calculating"
            ),
            ([.onCPU: 300, .blocked: 109], "only faster code or smaller operations will help"),
            ([.onCPU: 200, .waitingForCPU: 120], "fewer slots or more processors would help"),
            ([.onCPU: 40, .blocked: 30, .unmeasured: 50], nil),
            ([.onCPU: 40, .unmeasured: 300], nil),
        ] as [(ExecutionParts, String?)])
    func conclusion(parts: ExecutionParts, words: String?) {
        #expect(CriticalPathParts(parts).conclusion == words)
    }

    @Test("what would help says what was not measured")
    func unmeasured() {
        #expect(
            CriticalPathParts([.onCPU: 40, .unmeasured: 300]).text
                == "300 ns unmeasured, 40 ns on CPU")
        #expect(CriticalPathParts([.unmeasured: 300]).text == "300 ns unmeasured")
    }
}
