import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorExport
@testable import InspectorReports
@testable import InspectorTraces

@Suite("Every output of a run whose threads' switches were recorded")
struct ExecutionPartsOutputTests {
    @Test("every output is written for any times", arguments: 0..<60)
    func anyTimes(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let extremes: [Int64] = [.min, -(1 << 60), -1, 0, 1, 1 << 60, 1 << 61, .max]
        var log = SwitchedLog()
        for index in log.events.indices where Int.random(in: 0..<4, using: &random) == 0 {
            let time = extremes.randomElement(using: &random) ?? 0
            log.events[index] = LogEvent(time: time, thread: log.events[index].thread, log.events[index].body)
        }
        for _ in 0..<8 {
            log.events.append(
                LogEvent(
                    time: extremes.randomElement(using: &random) ?? 0,
                    thread: UInt64.random(in: 11...14, using: &random),
                    .leftCPU(afterNanoseconds: extremes.randomElement(using: &random) ?? 0, .preempted)))
        }
        log.events.shuffle(using: &random)
        let analysis = TraceAnalysis(Trace(EventLogContents(header: log.contents.header, events: log.events)))
        var options = GraphOptions()
        options.layout = .timeline
        #expect(try !DOTGraph(DrawnGraph(analysis, options)).text.isEmpty)
        #expect(try !DOTGraph(DrawnGraph(analysis)).text.isEmpty)
        #expect(TimelinePicture(analysis).svg.utf8.count < 2_000_000)
        #expect(!TimelineText(analysis).text().isEmpty)
        #expect(!CriticalPathReport(analysis).text().isEmpty)
        #expect(!RunSummary(analysis).text().isEmpty)
        #expect(!ReportPage(analysis).html.isEmpty)
        let exported = ExportedTrace(analysis, run: "run")
        #expect(!TestTraces.exported(ChromeExport(exported).write).isEmpty)
        #expect(!TestTraces.exported(OTLPExport(exported).write).isEmpty)
    }
}
