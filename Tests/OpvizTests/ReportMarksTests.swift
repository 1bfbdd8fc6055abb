import Foundation
import TestTraces
import Testing

/// What a search marks besides operations, in a real browser.
@Suite("What a search marks in the panels of a page, in a browser", .needsBrowser)
struct ReportMarksTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func page(_ trace: String) throws -> URL {
        let run = try CommandRun("report", trace, "-o", "page.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        return URL(filePath: folder.path("page.html"))
    }

    private static func texts(_ selector: String) -> String {
        "[...document.querySelectorAll('\(selector)')].map((one) => one.textContent).join('|')"
    }

    private static func found(_ id: String) -> String {
        "document.getElementById('\(id)').dataset.found ?? ''"
    }

    @Test("functions that a search finds are marked in the code, which stays open and says how many")
    func functions() async throws {
        try FlameCommandTests.write(FlameCommandTests.run(), to: "trace.json", in: folder)
        try await Browser.open(try page("trace.json")) { browser in
            try browser.click("#tab-code")
            let resize = "opviz.rows.find(row => opviz.nameOf(row) === 'resize 3')"
            try browser.evaluate("opviz.select(\(resize))")
            let marked = Self.texts("#flame .box.found text")
            try browser.press("/")
            try browser.type("BLEND")
            try browser.expect(marked, "blend(_:)")
            try browser.expect("document.querySelectorAll('#flame .box.other').length", 3)
            try browser.expect(Self.found("tab-code"), "1")
            try browser.expect("document.getElementById('matches').textContent", "no operation")
            try browser.expect("document.getElementById('flame-pane').hidden", false)
            let share = try browser.text("document.getElementById('flame-found').textContent")
            try browser.check(share.hasPrefix("1 box found, ") && share.hasSuffix(" % of the time"), share)
            // The run has all of its code: no operation has that name.
            try browser.click("[data-flame=run]")
            try browser.expect("\(marked).includes('blend(_:)')", true)
            try browser.expect("opviz.flame[0][0]", "all operations")
            // The name of an operation is not that of a function.
            try browser.evaluate("document.getElementById('search').focus()")
            try browser.evaluate("document.getElementById('search').select()")
            try browser.type("resize 3")
            try browser.expect(Self.found("tab-code"), "")
            try browser.expect("document.querySelectorAll('#flame .box.other').length", 0)
            try browser.press("Escape")
            try browser.expect(marked, "")
            try browser.expectQuiet()
        }
    }

    @Test("lines of the story and of lists that have the text are marked and counted, until the search ends")
    func lines() async throws {
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        try await Browser.open(try page("trace.json")) { browser in
            let page = "opviz.all.find((one) => opviz.nameOf(one) === 'page 3')"
            try browser.evaluate("opviz.select(\(page))")
            try browser.press("/")
            try browser.type("downloadpage")
            let rows = try browser.number("document.querySelectorAll('#story tr.marked').length")
            try browser.check(rows > 0, "no row is marked")
            try browser.expect(Self.found("details-title"), "\(Int(rows))")
            try browser.expect(
                "[...document.querySelectorAll('#story tr.marked')].every((row) => "
                    + "row.textContent.includes('DownloadPage'))", true)
            try browser.expect("document.querySelectorAll('#answer .marked').length", 1)
            try browser.expect(Self.found("tab-delays"), "1")
            // A part of a name and a time beside it are not a name.
            try browser.expect(Self.texts("#delays-table .sums .marked"), "DownloadPage")
            // The story of another operation is marked, too.
            try browser.press("Enter")
            try browser.expect("document.querySelectorAll('#story tr.marked').length > 0", true)
            // A kind is not a text.
            try browser.evaluate("document.getElementById('search').select()")
            try browser.type("kind:DownloadPage")
            try browser.expect("document.querySelectorAll('.marked, [data-found]').length", 0)
            try browser.evaluate("document.getElementById('search').select()")
            try browser.type("\"DownloadPage\"")
            try browser.expect("document.querySelectorAll('.marked').length > 0", true)
            try browser.press("Escape")
            try browser.expect("document.querySelectorAll('.marked, [data-found]').length", 0)
            try browser.expectQuiet()
        }
    }
}
