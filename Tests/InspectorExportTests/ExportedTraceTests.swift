import Foundation
import TestTraces
import Testing

@testable import InspectorExport
@testable import InspectorTraces

@Suite("A trace as exports tell it")
struct ExportedTraceTests {
    @Test("the export of a run that makes sense has nothing to say of itself")
    func sense() {
        let exported = ExportedTrace(dated(quotes()))
        #expect(exported.mendedCount == 0 && exported.unobservedCount == 0)
        #expect(exported.notesOfTimes.isEmpty)
    }

    @Test("the export counts operations with contradictory times, and those without times")
    func mended() {
        let exported = ExportedTrace(
            dated(
                trace(lastAlive: 50) {
                    op("backwards", ready: 5, start: 10, finish: 2)
                    op("far", enqueued: .max - 1, start: .max)
                    op("interval", ready: 5, finish: 30).starting(within: 3...20).after("unseen")
                    op("unseen", enqueued: nil)
                }))
        #expect(exported.mendedCount == 2 && exported.unobservedCount == 1)
        #expect(
            exported.notesOfTimes == [
                "2 operations have contradictory or impossible times; they are exported in a possible "
                    + "order, and marked as corrected",
                "left out: 1 operation that was never enqueued, and has no times",
            ])
    }

    @Test(
        "exported times are dates, except where the trace's start is not known or cannot be",
        arguments: [-1, 0, Int64.max])
    func start(_ start: Int64) {
        var run = quotes()
        run.header.start = 1_700_000_000_000_000_000
        #expect(ExportedTrace(run).absolute(5) == 1_700_000_000_000_000_005)
        run.header.start = start
        #expect(ExportedTrace(run).absolute(5) == nil)
        #expect(ExportedTrace(run).notes == ["the trace does not say when it was recorded"])
    }

    @Test("the export of an empty run is valid in each format, with the same bytes each time")
    func senselessRuns() throws {
        for exported in [ExportedTrace(senseless()), ExportedTrace(trace {})] {
            let writers: [(([UInt8]) -> Void) -> Void] = [
                ChromeExport(exported).write, OTLPExport(exported).write, SpeedscopeExport(exported).write,
            ]
            for write in writers {
                let text = TestTraces.exported(write)
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
                #expect(text == TestTraces.exported(write))
            }
            for table in TraceTable.allCases {
                let rows = TestTraces.exported { table.write(exported, as: .jsonLines, $0) }
                for row in rows.split(separator: "\n") {
                    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(row.utf8)) }
                }
                let csv = TestTraces.exported { table.write(exported, as: .csv, $0) }
                #expect(!csv.contains("\0"))
            }
            _ = ChromeExport(exported).notes + OTLPExport(exported).notes + SpeedscopeExport(exported).notes
        }
    }
}
