import EventLog
import Foundation
import TestTraces
import Testing

@Suite("Flame graphs, in a browser", .needsBrowser)
struct FlameBrowserTests {
    private let folder: Folder

    init() throws {
        folder = try Folder()
        try FlameCommandTests.write(FlameCommandTests.run(), to: "trace.json", in: folder)
    }

    @Test("the picture enlarges what is clicked, searches, and can be used with keys alone")
    func picture() async throws {
        try #require(try CommandRun("flame", "trace.json", "-o", "flame.svg", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("flame.svg"))) { browser in
            let box = { (name: String) in
                "document.querySelector('.box[data-name=\"\(name)\"] rect')"
            }
            let width = { (name: String) in try browser.number("+\(box(name)).getAttribute('width')") }
            let detail = "document.querySelector('#detail text').textContent"
            let whole = try width("all operations")
            try browser.check(try width("blend(_:)") < whole, "nothing is enlarged at first")

            try browser.click("[data-name='blend(_:)'] rect")
            try browser.check(try abs(width("blend(_:)") - whole) < 1, "a click enlarges")
            try browser.expect(
                "document.querySelector('.box[data-name=Store]').getAttribute('display')", "none")
            let said = try browser.text(detail)
            try browser.check(said.hasPrefix("blend(_:) (app): 300 ms"), said)
            try browser.press("Escape")
            try browser.check(try width("blend(_:)") < whole, "Escape shows everything")

            try browser.press("/")
            for letter in ["b", "l", "E"] { try browser.press(letter) }
            try browser.expect("document.querySelectorAll('.box.found').length", 1)
            try browser.expect(detail, "Search: blE▏ in 81.3 % of the time")
            try browser.press("Backspace")
            try browser.press("Backspace")
            try browser.press("Backspace")
            try browser.expect("document.querySelectorAll('.box.found, .box.other').length", 0)
            try browser.press("Escape")

            try browser.press("ArrowUp")
            try browser.press("ArrowRight")
            try browser.press("ArrowDown")
            try browser.press("ArrowUp")
            try browser.press("Enter")
            let enlarged = try browser.text("document.querySelector('.box.selected').dataset.name")
            try browser.check(try abs(width(enlarged) - whole) < 1, "\(enlarged) was not enlarged")
            try browser.expectQuiet()
        }
    }

    @Test("the page shows the code of the selected operation, or of its kind")
    func page() async throws {
        try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("trace.html"))) { browser in
            try browser.expect("document.getElementById('tab-code').hidden", false)
            try browser.click("#tab-code")
            try browser.evaluate("opviz.select(opviz.rows.find(row => opviz.nameOf(row) === 'resize 3'))")
            try browser.settle()
            let names = "opviz.flame.map(([name]) => name).join()"
            let note = "document.getElementById('flame-note').textContent"
            try browser.expect(names, "resize 3,Resize.main(),scaled(_:),blend(_:)")
            try browser.expect(note, "resize 3: 60.0 ms on CPU, in 60 samples")
            try browser.click("[data-flame=kind]")
            try browser.expect(names, "Resize,Resize.main(),scaled(_:),blend(_:)")
            try browser.expect(note, "Resize: 360 ms on CPU, in 360 samples")

            let whole = try browser.number("opviz.flame[0][1]")
            try browser.click("#flame .box:last-child rect")
            try browser.expect("opviz.flame[3][1]", whole)
            try browser.evaluate("document.getElementById('flame').focus()")
            try browser.press("Escape")
            try browser.check(try browser.number("opviz.flame[3][1]") < whole, "Escape shows everything")
            try browser.check(try browser.number("opviz.selected") >= 0, "Escape did not deselect")
            try browser.press("ArrowUp")
            try browser.press("Enter")
            try browser.expect("document.querySelector('#flame .selected text').textContent", "scaled(_:)")

            // An operation without a sample has the graph of its kind.
            try browser.evaluate("opviz.select(opviz.rows.find(row => opviz.nameOf(row) === 'store 2'))")
            try browser.settle()
            try browser.expect(names, "Store,Store.main(),<b>&\"write")

            // The whole run; with a search, what matches.
            try browser.click("[data-flame=run]")
            try browser.check(try browser.text(names).hasPrefix("all operations,Resize,"), "not the run")
            let all = try browser.text(note)
            try browser.press("/")
            try browser.type("kind:Store")
            try browser.expect(names, "6 that match,Store,Store.main(),<b>&\"write")
            try browser.check(try browser.text(note) != all, "it is still of the run")
            try browser.press("Escape")
            try browser.expect(note, all)
            try browser.check(all.hasPrefix("all operations: "), all)
            try browser.expectQuiet()
        }
    }

    @Test("the page shows what blocked operations, for how long and in how many samples")
    func blocked() async throws {
        var run = FlameCommandTests.run()
        run.execute("Wait", name: "wait", 700..<900, thread: 9)
        run.execute("Wait", name: "wait longer", 900..<1_000, thread: 9)
        let body = SampledRun.start + ["Wait.main()"]
        for (start, function, length) in [(710, "load()", 40), (800, "store()", 20), (910, "load()", 80)]
            as [(Int64, String, Int64)]
        {
            run.sample(body + [function], at: start, thread: 9, .blocked)
            run.leaveCPU(at: start, after: 10, thread: 9)
            run.leaveCPU(at: start + length + 10, after: 10, .preempted, thread: 9)
        }
        try FlameCommandTests.write(run, to: "trace.json", in: folder)
        try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("trace.html"))) { browser in
            let names = "opviz.flame.map(([name]) => name).join()"
            let note = "document.getElementById('flame-note').textContent"
            try browser.click("#tab-code")
            try browser.expect("document.getElementById('flame-what').hidden", false)
            try browser.click("[data-flame=run]")
            let calculated = try browser.text(note)
            try browser.check(calculated.contains(" on CPU, in 369 samples"), calculated)
            try browser.click("[data-flame-what=blocked]")
            try browser.expect("document.querySelector('[data-flame-what=blocked]').ariaPressed", "true")
            try browser.expect(names, "all operations,Wait,Wait.main(),load(),store()")
            try browser.expect(note, "all operations: 140 ms blocked, in 3 samples")
            let widths = try #require(
                try browser.evaluate("opviz.flame.slice(3).map(([, width]) => width)") as? [NSNumber])
            let share = widths[0].doubleValue / widths[1].doubleValue
            try browser.check(abs(share - 6) < 0.2, "120 ms and 20 ms are as \(share) to 1")

            try browser.evaluate("opviz.select(opviz.rows.find(row => opviz.nameOf(row) === 'wait'))")
            try browser.click("[data-flame=operation]")
            try browser.expect(names, "wait,Wait.main(),load(),store()")
            try browser.expect(note, "wait: 60.0 ms blocked, in 2 samples")
            try browser.click("[data-flame=kind]")
            try browser.expect(note, "Wait: 140 ms blocked, in 3 samples")
            try browser.click("[data-flame=run]")
            try browser.press("/")
            try browser.type("\"wait longer\"")
            try browser.expect(note, "1 that match: 80.0 ms blocked, in 1 sample")
            try browser.press("Escape")
            try browser.evaluate("opviz.select(opviz.rows.find(row => opviz.nameOf(row) === 'resize 3'))")
            try browser.click("[data-flame=operation]")
            try browser.expect(note, "No samples in resize 3.")
            try browser.click("[data-flame-what=cpu]")
            try browser.expect(note, "resize 3: 60.0 ms on CPU, in 60 samples")
            try browser.expectQuiet()
        }
    }

    @Test("the page of a trace without samples has no panel of code")
    func absent() async throws {
        try recordedTrace().write(to: URL(filePath: folder.path("quotes.json")))
        try #require(try CommandRun("report", "quotes.json", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("quotes.html"))) { browser in
            try browser.expect("document.getElementById('tab-code').hidden", true)
            try browser.expectQuiet()
        }
    }
}
