import EventLog
import Foundation
import InspectorReports
import InspectorText
import TestTraces
import Testing

@Suite("A timing table as JSON and CSV")
struct TimingTableDataTests {
    private let analysis = TraceAnalysis(
        trace(limit: 1, lastAlive: 60) {
            op("a", kind: "Fast, \"and\" cheap", ready: 0, start: 0, finish: 10)
            op(
                "=1+1", kind: "Slow\n", ready: 2, start: 10, finish: 40,
                outcome: .failed(message: "no \u{1B}[2J"))
            op("c", kind: "Slow\n", ready: 5)
        })

    @Test("JSON by kind has counts, and every part of the lifetimes")
    func groups() throws {
        let table = try object(TimingTable(analysis.timings))
        #expect(table["format"] as? String == "opviz-table" && table["version"] as? Int == 4)
        #expect(table["by"] as? String == "kind" && table["total"] as? Int == 2)
        let rows = try #require(table["rows"] as? [[String: Any]])
        #expect(rows.map { $0["kind"] as? String } == ["Slow\n", "Fast, \"and\" cheap"])
        #expect(rows[0]["count"] as? Int == 2 && rows[0]["failed"] as? Int == 1)
        #expect(rows[0]["unfinished"] as? Int == 1 && rows[0]["succeeded"] as? Int == 0)
        let execution = try #require(rows[0]["execution"] as? [String: Int])
        #expect(
            execution == [
                "count": 1, "totalNs": 30, "meanNs": 30, "minNs": 30, "p50Ns": 30, "p90Ns": 30, "p95Ns": 30,
                "p99Ns": 30, "maxNs": 30,
            ])
        for part in ["dependency", "suspended", "slot", "dispatch", "unknown"] {
            #expect((rows[0][part] as? [String: Int])?["count"] == 2)
        }
    }

    @Test("JSON by operation says when, what and for how long; the parts sum to the lifetime")
    func operations() throws {
        let rows = try #require(
            try object(TimingTable(analysis.timings, by: .operations, order: .start))["rows"]
                as? [[String: Any]])
        #expect(rows.map { $0["name"] as? String } == ["a", "=1+1", "c"])
        #expect(rows.map { $0["outcome"] as? String } == ["succeeded", "failed", "unfinished"])
        #expect(rows[1]["message"] as? String == "no \u{1B}[2J")
        #expect(rows[1]["startedNs"] as? Int == 10 && rows[2]["startedNs"] == nil)
        for row in rows {
            let parts = ["dependencyNs", "suspendedNs", "slotNs", "dispatchNs", "executionNs", "unknownNs"]
                .compactMap { row[$0] as? Int }
            #expect(parts.count == 6 && parts.reduce(0, +) == row["lifetimeNs"] as? Int)
        }
    }

    @Test("CSV has a heading for each cell, quotes what must be, and no formulas")
    func csv() throws {
        let groups = String(decoding: TimingTable(analysis.timings).csv(), as: UTF8.self)
        let lines = groups.components(separatedBy: "\r\n")
        #expect(lines[0].hasPrefix("kind,count,succeeded,failed,cancelled,unfinished,dependency_total_ns,"))
        #expect(lines[0].split(separator: ",").count == 6 + 6 * 8)
        #expect(lines[1].hasPrefix("\"Slow\n\",2,0,1,0,1,"))
        #expect(lines[2].hasPrefix(#""Fast, ""and"" cheap",1,1,0,0,0,"#))
        #expect(lines.last?.isEmpty == true && lines.count == 4)

        let operations = String(
            decoding: TimingTable(analysis.timings, by: .operations, order: .start).csv(), as: UTF8.self)
        #expect(operations.contains(",'=1+1,main,0x1,,12,0,failed,no"))
    }

    @Test("an empty trace has tables without rows")
    func empty() throws {
        let table = TimingTable(TraceTimings(trace {}))
        #expect(try object(table)["rows"] as? [[String: Int]] == [])
        #expect(table.csv().filter { $0 == UInt8(ascii: "\n") }.count == 1)
    }

    @Test(
        "a table of many operations is written in pieces of bounded size, which make one whole document",
        arguments: [OutputFormat.json, .csv])
    func pieces(format: OutputFormat) throws {
        let count = 6_000
        let kind = String(repeating: "k", count: 200)
        let table = TimingTable(
            TraceTimings(
                trace {
                    for number in 0..<count {
                        op("\(number)", kind: kind, ready: 0, start: 0, finish: Int64(number))
                    }
                }), by: .operations, order: .start)
        var pieces: [[UInt8]] = []
        try TimingTable.renderer(of: format).render(table, WritingStyle()).write { pieces.append($0) }
        #expect(pieces.count > 1)
        // A piece ends with the row that fills it.
        for piece in pieces { #expect(piece.count < 1 << 20 + 1 << 12) }
        let whole = Array(pieces.joined())
        let names: [String?]
        if format == .json {
            #expect(whole == table.json())
            let rows = try #require(try object(whole)["rows"] as? [[String: Any]])
            names = rows.map { $0["name"] as? String }
        } else {
            #expect(whole == table.csv())
            let lines = String(decoding: whole, as: UTF8.self).components(separatedBy: "\r\n")
            names = lines.dropFirst().dropLast().map { $0.components(separatedBy: ",")[2] }
        }
        #expect(names == (0..<count).map(String.init))
    }

    private func object(_ table: TimingTable) throws -> [String: Any] { try object(table.json()) }

    private func object(_ bytes: [UInt8]) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}
