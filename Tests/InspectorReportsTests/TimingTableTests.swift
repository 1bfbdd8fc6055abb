import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorText

@Suite struct TimingTableTests {
    private let hostile = [
        "\u{1B}[2J", "two\nlines", "</td><script>alert(1)</script>", "a|b", "\u{202E}gnp.exe",
        String(repeating: "long ", count: 2000), "日本語の名前はとても長いです", "👩‍🚀 rocket",
    ]

    private var hostileAnalysis: TraceAnalysis {
        TraceAnalysis(
            trace {
                for name in hostile { op(name, kind: name, ready: 5, start: 9, finish: 1000) }
            })
    }

    @Test("the table by kind is as it was")
    func byKind() throws {
        try Golden("table.txt").expect(TimingTable(TraceTimings(quotes())).text())
    }

    @Test("the table by operation is as it was")
    func byOperation() throws {
        try Golden("table-operations.txt").expect(
            TimingTable(TraceTimings(quotes()), by: .operations).text())
    }

    @Test("the Markdown table is as it was")
    func markdown() throws {
        let analysis = TraceAnalysis(quotes())
        try Golden("table.md").expect(
            TimingTable(analysis.timings).markdown() + "\n"
                + TimingTable(analysis.timings, by: .operations).markdown())
    }

    @Test("hostile and wide names stay in their cells")
    func hostileNames() throws {
        try Golden("table-hostile.txt").expect(TimingTable(hostileAnalysis.timings, by: .operations).text())
        try Golden("table-hostile.md").expect(TimingTable(hostileAnalysis.timings).markdown())
    }

    @Test("no line is wider than the terminal, and numbers end in the same column", arguments: [72, 80, 120])
    func width(columns: Int) {
        for grouping in [TimingTable.Rows.groups(.kind), .operations] {
            let text = TimingTable(hostileAnalysis.timings, by: grouping).text(width: columns)
            let lines = text.split(separator: "\n").filter { $0.contains("ns") }
            #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
            #expect(!lines.isEmpty)
        }
        let rows = TimingTable(hostileAnalysis.timings, by: .operations).text(width: columns).split(
            separator: "\n"
        )
        .dropFirst()
        #expect(Set(rows.map { TextWidth.columns(of: $0) }).count == 1)
    }

    @Test("a table of every part fits a terminal of 80 columns, with short headings")
    func everyPart() {
        let text = TimingTable(TraceTimings(quotes()), by: .operations).text(width: 80)
        #expect(text.split(separator: "\n").allSatisfy { TextWidth.columns(of: $0) <= 80 })
        #expect(text.contains("unknown"))
        #expect(TimingTable(TraceTimings(quotes()), by: .operations).text(width: nil).contains("dependency"))
    }

    @Test("a table that is still too wide leaves out the shortest times and names them", arguments: [60, 80])
    func tooWide(columns: Int) {
        let timings = TraceTimings(TraceAnalysis(switched()).trace)
        let text = TimingTable(timings, by: .operations).text(width: columns)
        #expect(text.split(separator: "\n").allSatisfy { TextWidth.columns(of: $0) <= columns })
        #expect(text.contains("calculate "))
        #expect(text.contains("\nNot shown for lack of space: "))
        #expect(!TimingTable(timings, by: .operations).text(width: nil).contains("Not shown"))
    }

    @Test("unknown time is always shown")
    func unknown() {
        let analysis = TraceAnalysis(trace { op("A", start: 10, finish: 30) })
        #expect(TimingTable(analysis.timings).text().contains("unknown"))
        #expect(TimingTable(analysis.timings, by: .operations).text().contains("unknown"))
    }

    @Test("a trace without operations has a table that says so")
    func empty() {
        #expect(TimingTable(TraceTimings(trace {})).text() == "No operations.\n")
    }

    @Test("rows of a table come in the order that was asked for", arguments: TableOrder.allCases)
    func order(_ order: TableOrder) throws {
        let analysis = TraceAnalysis(
            trace(limit: 1) {
                op("short", kind: "Short", ready: 0, start: 0, finish: 10)
                op("long", kind: "Long", ready: 0, start: 10, finish: 50)
                op("late", kind: "Late", enqueued: 40, ready: 45, start: 50, finish: 55)
            })
        if order.isForGroups {
            let groups = order.sorted(analysis.kinds).map(\.name)
            let expected =
                switch order {
                case .part(.slot): ["Long", "Late", "Short"]
                case .part(.dependency): ["Late", "Long", "Short"]
                case .name, .count, .part(.dispatch), .part(.suspended), .part(.unknown):
                    ["Late", "Long", "Short"]
                case .lifetime: ["Long", "Late", "Short"]
                default: ["Long", "Short", "Late"]
                }
            #expect(groups == expected)
        }
        if order.isForOperations {
            let operations = order.sorted(operationsOf: analysis.timings)
            let expected =
                switch order {
                case .part(.slot), .lifetime: [1, 2, 0]
                case .part(.dependency): [2, 0, 1]
                case .name: [2, 1, 0]
                case .start, .part(.dispatch), .part(.suspended), .part(.unknown): [0, 1, 2]
                default: [1, 0, 2]
                }
            #expect(operations == expected)
        }
    }

    @Test("a table counts the rows beyond those asked for")
    func limit() {
        let analysis = TraceAnalysis(quotes())
        for rows in [TimingTable.Rows.groups(.kind), .groups(.thread), .operations] {
            let all = TimingTable(analysis.timings, by: rows)
            let one = TimingTable(analysis.timings, by: rows, limit: 1)
            #expect(one.total == all.total)
            #expect(one.text().split(separator: "\n").last?.hasPrefix("\(all.total - 1) more ") == true)
            #expect(!all.text().contains(" more "))
        }
    }

    @Test("tables by queue and thread are as they were")
    func byQueueAndThread() throws {
        let analysis = TraceAnalysis(quotes())
        try Golden("table-groups.txt").expect(
            TimingTable(analysis.timings, by: .groups(.queue)).text() + "\n"
                + TimingTable(analysis.timings, by: .groups(.thread)).text())
    }
}
