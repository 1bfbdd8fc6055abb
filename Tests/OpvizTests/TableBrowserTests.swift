import EventLog
import Foundation
import TestTraces
import Testing

/// What the tables of a page show, and what they are saved as, in a real browser.
@Suite("Tables of a page, in a browser", .needsBrowser)
struct TableBrowserTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func page(of log: Data) throws -> URL {
        try log.write(to: URL(filePath: folder.path("trace.json")))
        let run = try CommandRun("report", "trace.json", "-o", "page.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        return URL(filePath: folder.path("page.html"))
    }

    /// Operations in a queue with one slot, and as many in one without a limit, all added at once.
    private static func limited() -> EventLogContents {
        let second: Int64 = 1_000_000_000
        var events: [LogEvent] = [
            LogEvent(
                time: 0, thread: 1, .queueOpened(QueueID(1), name: "narrow", limit: 1, isSuspended: false)),
            LogEvent(
                time: 0, thread: 1, .queueOpened(QueueID(2), name: "wide", limit: -1, isSuspended: false)),
        ]
        for number in 0..<8 as Range<UInt64> {
            let (id, thread) = (OperationID(number + 1), number + 2)
            let isNarrow = number < 4
            let start = isNarrow ? Int64(number) * second : 0
            events += [
                LogEvent(
                    time: 0, thread: 1,
                    .enqueued(.init(operation: id, kind: "Work", queue: QueueID(isNarrow ? 1 : 2)))),
                LogEvent(time: 0, thread: 1, .ready(id)),
                LogEvent(time: start, thread: thread, .executing(id)),
                LogEvent(time: start + second, thread: thread, .finished(id, .succeeded)),
            ]
        }
        events.sort { $0.time < $1.time }
        let header = LogHeader(process: "test", processID: 7, host: "box", start: 0, isClosed: true)
        return EventLogContents(header: header, events: events)
    }

    /// The cells of a table, row by row, with the headings first.
    private static func cells(_ table: String) -> String {
        """
        [...document.querySelectorAll('#\(table) [role=row]')]
          .map((row) => [...row.children].map((cell) => cell.textContent).join('|'))
        """
    }

    @Test("the table of queues says which queue its slots bound")
    func boundBySlots() async throws {
        try await Browser.open(try page(of: Self.limited().json)) { browser in
            try browser.click("#tab-queues")
            let rows = try #require(try browser.evaluate(Self.cells("queues-table")) as? [String])
                .map { $0.components(separatedBy: "|") }
            let column = try #require(rows[0].firstIndex(of: "bound by"))
            let bound = Dictionary(uniqueKeysWithValues: rows.dropFirst().map { ($0[0], $0[column]) })
            try browser.check(bound == ["narrow": "slots", "wide": "–"], "\(rows)")
            try browser.expectQuiet()
        }
    }

    @Test("a table is saved as CSV with its headings and each row that is shown, also those out of sight")
    func csv() async throws {
        try await Browser.open(try page(of: recordedTrace()), width: 1600, height: 700) { browser in
            let all = try browser.save("table-save")
            try browser.check(all.name == "quotes-operations.csv", all.name)
            let lines = Self.lines(all.data)
            try browser.check(
                lines[0].hasPrefix("operation,kind,ending,lifetime (ns),execution (ns),"), lines[0])
            try browser.check(lines.count == 1 + 101, "\(lines.count) lines")
            let inSight = try browser.number(
                "document.querySelectorAll('#operations-table [data-row]').length")
            try browser.check(inSight < 101, "all are in sight")

            try browser.press("/")
            try browser.type("kind:StorePage")
            let found = Self.lines(try browser.save("table-save").data)
            try browser.check(found.count == 1 + 20 && found[0] == lines[0], "\(found)")
            // In the order in which they are shown.
            let names = try #require(try browser.evaluate("opviz.rows.map(opviz.nameOf)") as? [String])
            try browser.check(
                zip(found.dropFirst(), names).allSatisfy { $0.hasPrefix("\($1),StorePage,succeeded,") },
                "\(found), not \(names)")
            try browser.press("Escape")

            try browser.click("#tab-kinds")
            let kinds = try browser.save("table-save")
            try browser.check(kinds.name == "quotes-kinds.csv", kinds.name)
            let shown = try #require(try browser.evaluate(Self.cells("kinds-table")) as? [String])
            let rows = Self.lines(kinds.data)
            try browser.check(rows.count == shown.count, "\(rows), not \(shown)")
            for (row, cells) in zip(rows, shown) {
                try browser.check(
                    row.prefix { $0 != "," } == cells.prefix { $0 != "|" }, "\(row), not \(cells)")
            }
            try browser.expectQuiet()
        }
    }

    @Test("a tab is saved as PNG with its rows, also those out of sight, and the table stays as it was")
    func picture() async throws {
        try await Browser.open(try page(of: recordedTrace()), width: 1600, height: 700) { browser in
            let inSight = "document.querySelectorAll('#operations-table [data-row]').length"
            let before = try browser.number(inSight)
            try browser.evaluate(
                """
                window.texts = [];
                const { fillText } = CanvasRenderingContext2D.prototype;
                CanvasRenderingContext2D.prototype.fillText = function(text, x, y) {
                  if (!this.canvas.id) texts.push(text);
                  return fillText.call(this, text, x, y);
                };
                """)
            let operations = try browser.save("tab-save")
            try browser.check(operations.name == "quotes-operations.png", operations.name)
            // Twice as many pixels as the page has, for a heading and 101 rows.
            let height = operations.data.dropFirst(20).prefix(4).reduce(0) { $0 << 8 | Int($1) }
            try browser.check(
                height > 2 * 102 * 26 && height < 2 * 104 * 26 + 100, "\(height) pixels high")
            try browser.expect(
                "opviz.rows.every((row) => texts.includes(opviz.nameOf(row).split(' ')[0]))", true)
            try browser.expect(inSight, before)

            try browser.click("#tab-findings")
            try browser.check(try browser.save("tab-save").name == "quotes-findings.png", "findings")
            try browser.expectQuiet()
        }
    }

    private static func lines(_ file: Data) -> [String] {
        var lines = String(decoding: file, as: UTF8.self).components(separatedBy: "\r\n")
        // Each line has an end.
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
