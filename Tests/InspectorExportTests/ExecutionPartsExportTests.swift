import Foundation
import TestTraces
import Testing

@testable import InspectorExport
@testable import InspectorTraces

@Suite("The exports of a run whose threads' switches were recorded")
struct ExecutionPartsExportTests {
    private let run = ExportedTrace(dated(switched()))

    @Test("exports of a run with switches are as they were")
    func goldens() throws {
        try Golden("parts.chrome.json").expect(exported(ChromeExport(run).write))
        try Golden("parts.otlp.json").expect(exported(OTLPExport(run).write))
        try Golden("parts-operations.csv").expect(
            exported { TraceTable.operations.write(run, as: .csv, $0) }.replacing("\r\n", with: "\n"))
        try Golden("parts-operations.jsonl").expect(
            exported { TraceTable.operations.write(run, as: .jsonLines, $0) })
    }

    @Test("exports of a run with switches keep the columns of the first trace in a CSV table of many")
    func columns() {
        let without = ExportedTrace(dated(quotes()))
        func cells(_ run: ExportedTrace, hasParts: Bool?) -> Set<Int> {
            let lines = exported { TraceTable.operations.write(run, as: .csv, hasParts: hasParts, $0) }
            return Set(
                lines.split(separator: "\r\n").map {
                    $0.split(separator: ",", omittingEmptySubsequences: false).count
                })
        }
        #expect(cells(without, hasParts: true) == cells(run, hasParts: nil))
        #expect(cells(run, hasParts: false) == cells(without, hasParts: nil))
    }

    @Test("exports of a run with switches are read again by the import, which leaves the parts out")
    func again() throws {
        for text in [exported(ChromeExport(run).write), exported(OTLPExport(run).write)] {
            let trace = try imported(text)
            #expect(trace.operations.count == 4 && trace.threadTimes.isEmpty)
        }
    }
}
