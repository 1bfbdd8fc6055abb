import Foundation
import TestTraces
import Testing

@testable import InspectorExport
@testable import InspectorTraces

@Suite("A trace for viewers of Chrome traces")
struct ChromeExportTests {
    @Test("the Chrome export has executions by thread, waits and counters by queue, and arrows for edges")
    func golden() throws {
        try Golden("quotes.chrome.json").expect(exported(ChromeExport(ExportedTrace(dated(quotes()))).write))
    }

    @Test("the Chrome export begins no time before 0, as viewers want")
    func negative() throws {
        let export = ChromeExport(
            ExportedTrace(trace { op("a", enqueued: -5_000, ready: -5_000, start: -4_000, finish: 10) }))
        #expect(try events(export).allSatisfy { ($0["ts"] as? Double) ?? 0 >= 0 })
        #expect(exported(export.write).contains(#""ts":1.000,"dur":4.010"#))
    }

    @Test("the Chrome export has an arrow only between successive executions, and counts other edges")
    func arrows() throws {
        let export = ChromeExport(
            ExportedTrace(
                trace {
                    op("a", ready: 0, start: 0, finish: 10)
                    op("b", ready: 5, start: 5, finish: 20).after("a")
                    op("c", ready: 20, start: 20, finish: 30).after("a", "b")
                    op("never").after("a")
                }))
        #expect(try events(export).count { $0["ph"] as? String == "s" } == 2)
        #expect(try events(export).count { $0["ph"] as? String == "f" } == 2)
        #expect(
            export.notes.contains(
                "without an arrow: 2 edges between operations that did not execute one after the other"))
    }

    @Test("the Chrome export keeps an execution without length off the track of one that starts then")
    func noTime() throws {
        let export = ChromeExport(
            ExportedTrace(
                trace {
                    op("instant", ready: 0, start: 10, finish: 10)
                    op("long", ready: 0, start: 10, finish: 20)
                    op("later", ready: 0, start: 20, finish: 20)
                }))
        let tracks = try events(export).filter { $0["ph"] as? String == "X" }.map { $0["tid"] as? Int }
        #expect(tracks.count == 3 && Set(tracks).count == 2)
    }

    @Test("the Chrome export lists only the kinds of loss that occurred, with their counts")
    func leftOut() {
        var run = trace {
            op("a", ready: 0, start: 0, finish: 10)
            op("b", ready: 10, start: 10, finish: 20).after("a", "never enqueued")
            op("never enqueued", enqueued: nil)
        }
        run.marks = [TraceMark(time: 5, thread: 1, text: "half")]
        let notes = ChromeExport(ExportedTrace(run)).notes
        #expect(notes.contains("left out: 1 mark"))
        #expect(notes.contains("left out: 1 edge of operations that were never enqueued"))
        #expect(!notes.contains { $0.contains("without an arrow") })
    }

    @Test("the Chrome export assigns numbers to threads and processes that have none or one too large")
    func numbers() throws {
        let export = ChromeExport(ExportedTrace(senseless()))
        for event in try events(export) {
            let (process, thread) = (event["pid"] as? Int ?? 0, event["tid"] as? Int ?? -1)
            #expect((1..<1 << 25).contains(process) && (0..<1 << 25).contains(thread))
        }
    }

    @Test("the Chrome export counts what executes and what waits, to nothing in the end")
    func counters() throws {
        let counters = try events(ChromeExport(ExportedTrace(quotes()))).filter { $0["ph"] as? String == "C" }
        let values = counters.compactMap { $0["args"] as? [String: Int] }
        #expect(values.count == counters.count && values.map { $0["executing"] ?? 0 }.max() == 2)
        #expect(values.last == ["executing": 0, "waiting": 0])
    }

    private func events(_ export: ChromeExport) throws -> [[String: Any]] {
        let object = try JSONSerialization.jsonObject(with: Data(exported(export.write).utf8))
        return try #require((object as? [String: Any])?["traceEvents"] as? [[String: Any]])
    }
}
