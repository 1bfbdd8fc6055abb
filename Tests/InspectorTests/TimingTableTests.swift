import EventLog
import Inspector
import Testing

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
        try Golden("table.txt").expect(TimingTable(TraceAnalysis(quotes())).text())
    }

    @Test("the table by operation is as it was")
    func byOperation() throws {
        try Golden("table-operations.txt").expect(TimingTable(TraceAnalysis(quotes()), by: .operation).text())
    }

    @Test("the Markdown table is as it was")
    func markdown() throws {
        let analysis = TraceAnalysis(quotes())
        try Golden("table.md").expect(
            TimingTable(analysis).markdown() + "\n" + TimingTable(analysis, by: .operation).markdown())
    }

    @Test("hostile and wide names stay in their cells")
    func hostileNames() throws {
        try Golden("table-hostile.txt").expect(TimingTable(hostileAnalysis, by: .operation).text())
        try Golden("table-hostile.md").expect(TimingTable(hostileAnalysis).markdown())
    }

    @Test("no line is wider than the terminal, and numbers end in the same column", arguments: [72, 80, 120])
    func width(columns: Int) {
        for grouping in [TimingTable.Grouping.kind, .operation] {
            let text = TimingTable(hostileAnalysis, by: grouping).text(width: columns)
            let lines = text.split(separator: "\n").filter { $0.contains("ns") }
            #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
            #expect(!lines.isEmpty)
        }
        let rows = TimingTable(hostileAnalysis, by: .operation).text(width: columns).split(separator: "\n")
            .dropFirst()
        #expect(Set(rows.map { TextWidth.columns(of: $0) }).count == 1)
    }

    @Test("a table of every part fits a terminal of 80 columns, with short headings")
    func everyPart() {
        let text = TimingTable(TraceAnalysis(quotes()), by: .operation).text(width: 80)
        #expect(text.split(separator: "\n").allSatisfy { TextWidth.columns(of: $0) <= 80 })
        #expect(text.contains("unknown"))
        #expect(TimingTable(TraceAnalysis(quotes()), by: .operation).text(width: nil).contains("dependency"))
    }

    @Test("unknown time is always shown")
    func unknown() {
        let analysis = TraceAnalysis(trace { op("A", start: 10, finish: 30) })
        #expect(TimingTable(analysis).text().contains("unknown"))
        #expect(TimingTable(analysis, by: .operation).text().contains("unknown"))
    }

    @Test("a trace without operations has a table that says so")
    func empty() {
        #expect(TimingTable(TraceAnalysis(trace {})).text() == "No operations.\n")
    }
}
