import Foundation
import Inspector
import Testing

/// The page in a real browser, with real clicks and keys. What it says of itself in `window.opviz` is documented there.
@Suite("opviz report, in a browser", .needsBrowser)
struct ReportPageTests {
    private let folder: Folder
    private let page: URL

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        let run = try CommandRun("report", "trace.json", in: folder)
        try #require(run.status == 0, "\(run.error)")
        page = URL(filePath: folder.path("trace.html"))
    }

    @Test("opens from disk, shows every operation, and asks for nothing")
    func loads() async throws {
        try await Browser.open(page) { browser in
            #expect(try browser.number("opviz.count") == 101)
            #expect(try browser.number("opviz.rows.length") == 101)
            #expect(try browser.text("document.getElementById('process').textContent") == "quotes")
            #expect(browser.complaints.isEmpty, "\(browser.complaints)")
            #expect(browser.requests.count == 1 && browser.requests[0].hasSuffix("trace.html"))
        }
    }

    @Test("what is selected in one picture is selected in the other, in the table and in the story")
    func selectionLinks() async throws {
        try await Browser.open(page) { browser in
            let wanted = try browser.number("opviz.rows[4]")
            try browser.click(at: "opviz.placeInGraph(opviz.rows[4])")
            #expect(try browser.number("opviz.selected") == wanted)
            let name = try browser.text("opviz.selectedName")
            #expect(try browser.text("document.querySelector('#story .answer').textContent").hasPrefix(name))
            #expect(try browser.number("+document.querySelector('.rows .active').dataset.row") == wanted)

            try browser.evaluate("opviz.select(-1)")
            try browser.evaluate("opviz.select(opviz.rows[1])")
            let second = try browser.number("opviz.selected")
            try browser.evaluate("opviz.select(-1)")
            try browser.settle()
            // It is in sight now, and nothing is selected.
            try browser.click(at: "opviz.placeInTimeline(\(Int(second)))")
            #expect(try browser.number("opviz.selected") == second)
            #expect(try browser.number("+document.querySelector('.rows .active').dataset.row") == second)

            // From the story to another operation.
            try browser.click("#story .answer .operation:not(:first-child)")
            #expect(try browser.number("opviz.selected") != second)
        }
    }

    @Test("search narrows the table, goes from match to match, and Escape takes it back")
    func search() async throws {
        try await Browser.open(page) { browser in
            try browser.press("/")
            #expect(try browser.text("document.activeElement.id") == "search")
            try browser.type("storepage")
            #expect(try browser.number("opviz.matches") == 20)
            #expect(try browser.number("opviz.rows.length") == 20)
            try browser.press("Enter")
            let first = try browser.number("opviz.selected")
            try browser.press("Enter")
            #expect(try browser.number("opviz.selected") != first)
            #expect(try browser.text("document.getElementById('matches').textContent") == "2 of 20")
            try browser.press("Escape")
            #expect(try browser.number("opviz.rows.length") == 101)
            try browser.type("0x44")
            #expect(try browser.number("opviz.matches") == 1)
            #expect(try browser.isTrue("opviz.nameOf(opviz.rows[0]).includes('0x44')"))
            try browser.evaluate("document.getElementById('search').select()")
            try browser.type("there is no such thing")
            #expect(try browser.text("document.getElementById('matches').textContent") == "no match")
        }
    }

    @Test("a heading sorts, and sorts the other way round when it is used again")
    func sorting() async throws {
        try await Browser.open(page) { browser in
            let column = "#operations-table [role=columnheader]:nth-child(5)"
            try browser.click("\(column) button")
            #expect(try browser.text("document.querySelector('\(column)').ariaSort") == "descending")
            let slowest = try browser.number("opviz.rows[0]")
            try browser.click("\(column) button")
            #expect(try browser.text("document.querySelector('\(column)').ariaSort") == "ascending")
            #expect(try browser.number("opviz.rows[opviz.rows.length - 1]") == slowest)
        }
    }

    @Test("is light or dark as the system is, and as the reader wants")
    func themes() async throws {
        try await Browser.open(page) { browser in
            let background = "getComputedStyle(document.body).backgroundColor"
            let light = try browser.text(background)
            try browser.click("#theme")
            let dark = try browser.text(background)
            #expect(light == "rgb(255, 255, 255)" && dark == "rgb(21, 24, 28)")
            try browser.press("t")
            #expect(try browser.text(background) == light)
        }
    }

    @Test("everything can be done with keys")
    func keys() async throws {
        try await Browser.open(page) { browser in
            try browser.press("g")
            #expect(try browser.text("document.activeElement.id") == "graph")
            try browser.press("ArrowRight")
            let first = try browser.number("opviz.selected")
            #expect(first >= 0)
            try browser.press("ArrowLeft")
            #expect(try browser.number("opviz.selected") != first)
            try browser.press("+")
            try browser.press("0")
            try browser.press("l")
            #expect(try browser.text("document.activeElement.id") == "timeline")
            let before = try browser.number("opviz.selected")
            try browser.press("ArrowDown")
            #expect(try browser.number("opviz.selected") != before)
            try browser.press("Escape")
            #expect(try browser.number("opviz.selected") == -1)
            try browser.press("?")
            #expect(try browser.isTrue("document.getElementById('help').open"))
            try browser.press("Escape")
            #expect(try browser.isTrue("!document.getElementById('help').open"))
            try browser.evaluate("document.querySelector('#operations-table .scroller').focus()")
            try browser.press("ArrowDown")
            try browser.press("ArrowDown")
            #expect(try browser.isTrue("opviz.selected === opviz.rows[1]"))
            #expect(browser.complaints.isEmpty, "\(browser.complaints)")
        }
    }

    @Test("tells the stories that opviz explain tells, in its words")
    func stories() async throws {
        let trace = try TraceReader(path: folder.path("trace.json")).read()
        let analysis = TraceAnalysis(trace)
        let expected = trace.operations.indices.map { Explanation(of: $0, in: analysis).text(width: nil, all: true) }
        try await Browser.open(page) { browser in
            for (index, text) in expected.enumerated() {
                let lines = text.split(separator: "\n").map(String.init)
                #expect(try browser.text("opviz.explain(\(index)).answer") == lines[0])
                let chain = try browser.text("opviz.explain(\(index)).chain")
                #expect(lines.contains("What it waited for, back to the start: \(chain)"), "\(chain) \(text)")
                let happened = try #require(
                    browser.evaluate("opviz.explain(\(index)).events.map(event => event[2])") as? [String])
                for event in happened { #expect(text.contains(event), "\(event) is not in \(text)") }
                for cost in try #require(browser.evaluate("opviz.explain(\(index)).cost") as? [String]) {
                    #expect(lines.contains(cost), "\(cost) \(text)")
                }
            }
        }
    }
}
