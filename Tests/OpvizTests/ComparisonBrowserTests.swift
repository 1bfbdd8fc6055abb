import Foundation
import Testing

/// The page of two runs in a real browser.
@Suite("The page of two runs, in a browser", .needsBrowser)
struct ComparisonBrowserTests {
    private let folder: Folder
    private let page: URL
    private static let traces = Repository.url.appending(path: "Documentation/traces")

    /// `Resize 12` is gone in the later run, and `Resize 13` is new.
    init() throws {
        folder = try Folder()
        for name in ["before.json", "after.json"] {
            let text = try String(contentsOf: Self.traces.appending(path: name), encoding: .utf8)
            let last = name == "after.json" ? "resize 13" : "resize 12"
            try Data(text.replacingOccurrences(of: "resize 12", with: last).utf8)
                .write(to: URL(filePath: folder.path(name)))
        }
        let run = try CommandRun("diff", "before.json", "after.json", "-o", "diff.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        page = URL(filePath: folder.path("diff.html"))
    }

    private static let rows =
        "[...document.querySelectorAll('#compared-table [data-row]')].map((row) => row.textContent)"
    private static let compared =
        "[...document.querySelectorAll('#story caption')]"
        + ".find(({ textContent }) => textContent.includes('show it in')).textContent"

    @Test("a page of two runs opens with what changed most, and says of each operation what changed")
    func opens() async throws {
        try await Browser.open(page) { browser in
            try browser.expect("document.getElementById('process').textContent", "before.json → after.json")
            try browser.expect("document.querySelector('[role=tab][aria-selected=true]').id", "tab-compared")
            let first = try browser.text("\(Self.rows)[0]")
            try browser.check(first.hasPrefix("▲ took longer") || first.hasPrefix("+ new"), first)
            let name = try browser.text("opviz.selectedName")
            try browser.check(first.contains(name), "\(name) is not in \(first)")
            try browser.evaluate("opviz.select(0)")
            try browser.check(
                try browser.text(Self.compared).hasSuffix("show it in the earlier run"), "no link")
            try browser.expect("document.querySelector('[data-timeline=operation]').ariaPressed", "true")
            try browser.check(
                try browser.text("document.getElementById('timeline-note').textContent")
                    .contains("thin and grey: the earlier run"), "the other bars have no explanation")
            try browser.expectQuiet()
        }
    }

    @Test("a key shows the same operation and time in the other run, and again the first one")
    func otherRun() async throws {
        try await Browser.open(page) { browser in
            try browser.evaluate("opviz.select(3)")
            try browser.evaluate("document.querySelector('#tab-operations').click()")
            try browser.evaluate("opviz.zoom('timeline', 2)")
            let (name, view) = (
                try browser.text("opviz.selectedName"), try browser.number("opviz.views.timeline.scaleX")
            )
            for (run, other) in [("before", "the later run"), ("after", "the earlier run")] {
                try browser.awaitLoad { try browser.press("b") }
                try browser.expect("document.querySelector('[data-run=\(run)]').ariaPressed", "true")
                try browser.expect("opviz.selectedName", name)
                try browser.expect(
                    "document.querySelector('[role=tab][aria-selected=true]').id", "tab-operations")
                let scale = try browser.number("opviz.views.timeline.scaleX")
                try browser.check(abs(scale / view - 1) < 0.01, "the scale is \(scale), not \(view)")
                try browser.check(try browser.text(Self.compared).hasSuffix("show it in \(other)"), "no link")
            }
            try browser.expectQuiet()
        }
    }

    @Test("what only the other run has is in the table and the timeline, and leads to that run")
    func gone() async throws {
        try await Browser.open(page) { browser in
            let wanted =
                "[...document.querySelectorAll('#compared-table [data-row]')]"
                + ".find((row) => row.textContent.startsWith('− gone'))"
            try browser.evaluate("document.querySelector('#compared-table .scroller').scrollTop = 1e6")
            try browser.wait(until: "\(wanted) !== undefined")
            try browser.evaluate("document.getElementById('search').value = '\"resize 12\"'")
            try browser.evaluate("document.getElementById('search').dispatchEvent(new Event('input'))")
            try browser.expect("\(Self.rows).length", 1)
            try browser.awaitLoad { try browser.evaluate("void setTimeout(() => \(wanted).click())") }
            try browser.expect("opviz.selectedName", "resize 12")
            try browser.expect("document.querySelector('[data-run=before]').ariaPressed", "true")
            try browser.expect(
                "document.querySelector('#story .compared').textContent",
                "− gone: the later run has no such operation.")
            try browser.expectQuiet()
        }
    }

    /// The bar of an operation of the earlier run says what it is, and leads to the operation.
    private static func expectOther(_ name: String, in browser: Browser) throws {
        let place = "opviz.placeOfOther('\(name)')"
        try browser.hover(at: place)
        let tip = try browser.text(Self.tip)
        for part in [name, "the earlier run", "→"] {
            try browser.check(tip.contains(part), "\(part) is not in \(tip)")
        }
        try browser.click(at: place)
        try browser.expect("opviz.selectedName", name)
    }

    private static let tip = "document.getElementById('tooltip').innerText"
    private static let titles = "opviz.rowTitles.join('|')"

    @Test(
        "by queue, the lanes of the other run are below those of the same queue, and lead to its operations"
    )
    func lanes() async throws {
        try await Browser.open(page) { browser in
            try browser.click("[data-timeline=queue]")
            try browser.expect(
                Self.titles,
                "network · limit 4|network · limit 1 · the earlier run|processor|processor · the earlier run")
            try Self.expectOther("download 3", in: browser)
            try browser.expect("document.querySelector('[data-run=after]').ariaPressed", "true")
            try browser.hover(at: "opviz.placeInTimeline(opviz.selected)")
            try browser.check(
                try browser.text(Self.tip).contains("the later run"), "the tooltip does not name its run")
            try browser.awaitLoad { try browser.click(at: "opviz.placeOfOther('resize 12')") }
            try browser.expect("opviz.selectedName", "resize 12")
            try browser.expect("document.querySelector('[data-run=before]').ariaPressed", "true")
            try browser.expectQuiet()
        }
    }

    @Test("by queue, a queue that only one run has is alone and says so")
    func unmatchedQueues() async throws {
        let text = try String(contentsOf: Self.traces.appending(path: "after.json"), encoding: .utf8)
        try Data(text.replacingOccurrences(of: "\"processor\"", with: "\"images\"").utf8)
            .write(to: URL(filePath: folder.path("renamed.json")))
        let run = try CommandRun("diff", "before.json", "renamed.json", "-o", "renamed.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        try await Browser.open(URL(filePath: folder.path("renamed.html"))) { browser in
            try browser.click("[data-timeline=queue]")
            try browser.expect(
                Self.titles,
                "network · limit 4|network · limit 1 · the earlier run|images · only in the later run"
                    + "|processor · only in the earlier run")
            try browser.expectQuiet()
        }
    }

    @Test("by operation, the thin bar of the other run says what it is and leads to the same operation")
    func thinBars() async throws {
        try await Browser.open(page) { browser in
            try browser.evaluate("opviz.select(opviz.all.find((one) => opviz.nameOf(one) === 'download 3'))")
            try browser.evaluate("opviz.select(-1)")
            try browser.settle()
            try Self.expectOther("download 3", in: browser)
            try browser.hover(at: "opviz.placeInTimeline(opviz.selected)")
            try browser.check(
                try browser.text(Self.tip).contains("the later run"), "the tooltip does not name its run")
            try browser.expectQuiet()
        }
    }

    @Test("headings are whole when their column sorts, and each says what it means")
    func headings() async throws {
        try await Browser.open(page) { browser in
            let found = try browser.evaluate(PageSightTests.wrongHeadings) as? [String] ?? ["no answer"]
            try browser.check(found.isEmpty, "\(found)")
            try browser.expect("document.querySelectorAll('.figure:not([title])').length", 0)
            try browser.expectQuiet()
        }
    }

    @Test("the legend names the other run and filters to what it has")
    func legend() async throws {
        try await Browser.open(page) { browser in
            let button =
                "[...document.querySelectorAll('#legend button')]"
                + ".find((one) => one.textContent === 'the earlier run')"
            try browser.evaluate("\(button).click()")
            try browser.expect("opviz.matches === opviz.count - 1", true)
            try browser.expect("\(button).ariaPressed", "true")
            try browser.evaluate("\(button).click()")
            try browser.expect("document.getElementById('search').value", "")
            try browser.expectQuiet()
        }
    }

    private static let marks = "opviz.changeMarks.join('|')"
    /// The text of a cell of the first row.
    private static func cell(_ number: Int, of table: String) -> String {
        "document.querySelector('\(table) [data-row]').children[\(number)].textContent"
    }

    @Test(
        "the graph marks what changed with a sign and the difference, and the tooltip says before and after")
    func marks() async throws {
        try await Browser.open(page) { browser in
            try browser.click("[data-graph=operation]")
            try browser.evaluate("document.getElementById('search').value = 'change:longer'")
            try browser.evaluate("document.getElementById('search').dispatchEvent(new Event('input'))")
            try browser.evaluate("document.querySelector('#compared-table [data-row]').click()")
            try browser.evaluate("document.getElementById('graph').focus()")
            try browser.press("f")
            let difference = try browser.text(Self.cell(5, of: "#compared-table"))
            let marks = try browser.text(Self.marks)
            try browser.check(marks.contains("▲ \(difference)"), "▲ \(difference) is not in \(marks)")
            try browser.hover(at: "opviz.placeInGraph(opviz.selected)")
            let tip = try browser.text(Self.tip)
            let times = try (3...4).map { try browser.text(Self.cell($0, of: "#compared-table")) }
            let words = "▲ took longer: \(times[0]) → \(times[1]) (\(difference))"
            try browser.check(tip.contains(words), "\(words) is not in \(tip)")
            // A new operation has its time.
            try browser.evaluate("document.getElementById('search').value = ''")
            try browser.evaluate("document.getElementById('search').dispatchEvent(new Event('input'))")
            let time = try browser.text(Self.cell(4, of: "#compared-table"))
            try browser.evaluate(
                "opviz.select(opviz.all.find((one) => opviz.nameOf(one) === 'resize 13'))")
            try browser.settle()
            try browser.check(
                try browser.text(Self.marks).contains("+ \(time)"), "the new one has no mark with \(time)")
            try browser.expect(
                "[...document.querySelectorAll('#legend button')]"
                    + ".find((one) => one.textContent === '▲ took longer').firstChild.className",
                "swatch change-2")
            try browser.expectQuiet()
        }
    }

    @Test(
        "zoomed out, a place of the graph has the sum of its changes, and a kind what its table has"
    )
    func summedMarks() async throws {
        try await Browser.open(page) { browser in
            try browser.click("[data-graph=operation]")
            try browser.evaluate("opviz.zoom('graph', 0.01)")
            try browser.settle()
            let sums = try browser.text(Self.marks)
            try browser.check(sums.contains(" · "), "\(sums) has no sum of several")
            try browser.click("[data-graph=kind]")
            try browser.evaluate("document.querySelector('#tab-compared-kinds').click()")
            let (change, difference) = (
                try browser.text(Self.cell(0, of: "#compared-kinds-table")),
                try browser.text(Self.cell(6, of: "#compared-kinds-table"))
            )
            let mark = "\(change.prefix(1)) \(difference)"
            let marks = try browser.text(Self.marks)
            try browser.check(marks.contains(mark), "\(mark) is not in \(marks)")
            try browser.hover(at: "opviz.placeInGraph(0)")
            let tip = try browser.text(Self.tip)
            try browser.check(tip.contains("mean execution"), "no mean in \(tip)")
            try browser.expectQuiet()
        }
    }

    @Test("operations can be searched by what changed, and an address that names no run opens the later one")
    func search() async throws {
        try await Browser.open(page) { browser in
            try browser.evaluate("document.getElementById('search').value = 'change:new'")
            try browser.evaluate("document.getElementById('search').dispatchEvent(new Event('input'))")
            try browser.expect("opviz.matches", 1)
            try browser.check(
                try browser.text("\(Self.rows)[0]").contains("resize 13"), "the new one is not there")
            for search in ["change:gone", "kind:Resize \"resize 12\"", "resize 12 kind:Resize"] {
                try browser.evaluate("document.getElementById('search').value = '\(search)'")
                try browser.evaluate("document.getElementById('search').dispatchEvent(new Event('input'))")
                try browser.expect("\(Self.rows).length", 1)
                try browser.check(try browser.text("\(Self.rows)[0]").contains("resize 12"), "\(search)")
                try browser.expect("document.getElementById('matches').textContent", "1 in the earlier run")
            }
            try browser.evaluate("document.getElementById('search').value = 'resize kind:Download'")
            try browser.evaluate("document.getElementById('search').dispatchEvent(new Event('input'))")
            try browser.expect("\(Self.rows).length", 0)
            try browser.expect("document.getElementById('no-match').checkVisibility()", true)
            try browser.click("#tab-kinds")
            try browser.expect("document.getElementById('no-match').hidden", true)
            try browser.click("#tab-operations")
            try browser.expect("document.getElementById('no-match').checkVisibility()", true)
            try browser.evaluate("location.hash = '#run=nowhere&select=none'")
            try browser.settle()
            try browser.expect("document.querySelector('[data-run=after]').ariaPressed", "true")
            try browser.expect("opviz.selected", -1)
            try browser.expectQuiet()
        }
    }
}
