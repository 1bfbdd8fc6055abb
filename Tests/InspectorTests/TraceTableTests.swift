import Foundation
import Testing

@testable import Inspector

@Suite("The tables of a trace")
struct TraceTableTests {
    private let run = ExportedTrace(quotes())

    @Test("are as recorded, in both forms", arguments: TraceTable.allCases, TraceTable.Form.allCases)
    func goldens(table: TraceTable, form: TraceTable.Form) throws {
        let text = exported { table.write(run, as: form, $0) }
        try Golden("quotes-\(table.rawValue).\(form.rawValue)").expect(text.replacing("\r\n", with: "\n"))
        if form == .csv { #expect(text.count { $0 == "\r\n" } == text.split(separator: "\r\n").count) }
    }

    @Test("say the same in both forms")
    func same() throws {
        for table in TraceTable.allCases {
            let csv = exported { table.write(run, as: .csv, $0) }.split(separator: "\r\n")
            let rows = exported { table.write(run, as: .jsonLines, $0) }.split(separator: "\n")
            #expect(csv.count == rows.count + 1)
            let columns = csv[0].split(separator: ",").map(String.init)
            for (line, row) in zip(csv.dropFirst(), rows) {
                let cells = line.split(separator: ",", omittingEmptySubsequences: false)
                let object = try #require(
                    try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])
                #expect(Set(object.keys) == Set(columns) && cells.count == columns.count)
                for (column, cell) in zip(columns, cells) where !(object[column] is NSNull) {
                    #expect(
                        row.contains("\"\(column)\":\(cell)") || row.contains("\"\(column)\":\"\(cell)\""))
                }
            }
        }
    }

    @Test("have the parts of each lifetime, which sum to it")
    func lifetimes() throws {
        for row in exported({ TraceTable.operations.write(run, as: .jsonLines, $0) }).split(separator: "\n") {
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])
            let parts = [
                "dependency_wait_ns", "suspended_wait_ns", "slot_wait_ns", "dispatch_wait_ns", "execution_ns",
                "unknown_ns",
            ].compactMap { object[$0] as? Int }
            #expect(parts.count == 6 && parts.reduce(0, +) == object["lifetime_ns"] as? Int)
        }
    }

    @Test("have what was never enqueued, without times, and no formulas for spreadsheets")
    func unknown() {
        let exported = ExportedTrace(
            trace {
                op("=1+1", ready: 0).after("unseen")
                op("unseen", enqueued: nil)
            })
        let csv = InspectorTests.exported { TraceTable.operations.write(exported, as: .csv, $0) }
        #expect(csv.contains(",'=1+1,") && csv.contains(",unseen,,,,,0,unobserved,,false,false,,,,"))
        let rows = InspectorTests.exported { TraceTable.operations.write(exported, as: .jsonLines, $0) }
        #expect(rows.contains(#""name":"=1+1""#))
        #expect(rows.contains(#""outcome":"unfinished""#) && rows.contains(#""outcome":"unobserved""#))
        #expect(
            InspectorTests.exported { TraceTable.edges.write(exported, as: .csv, $0) }.contains("0x2,0x1"))
    }

    @Test("have what queues and threads did as events")
    func events() {
        var run = quotes()
        run.marks = [TraceMark(time: 5, thread: 12, text: "half, way", operation: 0)]
        run.blockingWaits = [BlockingWait(target: .queue(0), thread: 1, start: 7, end: 9)]
        let events = exported { TraceTable.events.write(ExportedTrace(run), as: .csv, $0) }
        #expect(events.contains("run,5,5,5,mark,0x1,,12,,\"half, way\"\r\n"))
        #expect(events.contains("run,7,7,7,wait_began,,,1,0x1,\r\n"))
        #expect(events.contains("run,9,9,9,wait_ended,,,1,0x1,\r\n"))
        #expect(events.contains("run,2000000,2000000,2000000,suspended,,0x1,,,\r\n"))
        #expect(events.contains(",limit,,0x1,,,2\r\n"))
    }
}
