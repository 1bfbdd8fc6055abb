import Foundation
import Inspector
import TestTraces
import Testing

/// The panels of the page, and moving about in them, in a real browser.
@Suite("The panels of a page, in a browser", .needsBrowser)
struct ReportLayoutTests {
    private let folder: Folder
    private let page: URL
    /// Smaller text than 9.5 pixels cannot be read.
    private static let legibleScale = 0.76

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        page = URL(filePath: folder.path("trace.html"))
    }

    private static func width(_ id: String) -> String {
        "document.getElementById('\(id)').getBoundingClientRect().width"
    }

    @Test(
        "the window is filled, and nothing has to be scrolled to be seen",
        arguments: [(800, 600), (1280, 800), (1600, 1000), (2560, 1440)])
    func window(width: Int, height: Int) async throws {
        try await Browser.open(page, width: width, height: height) { browser in
            try browser.expect("document.scrollingElement.scrollHeight === innerHeight", true)
            try browser.expect("document.scrollingElement.scrollWidth === innerWidth", true)
            for panel in ["graph-pane", "timeline-pane", "details", "tables"] {
                let isSeen =
                    "(() => { const b = document.getElementById('\(panel)').getBoundingClientRect(); return "
                    + "b.width > 150 && b.height > 100 && b.right <= innerWidth "
                    + "&& b.bottom <= innerHeight })()"
                try browser.expect(isSeen, true)
            }
            let bottom = "document.getElementById('tables').getBoundingClientRect().bottom"
            try browser.check(try browser.number(bottom) > Double(height) - 20, "there is room below")
            try browser.expectQuiet()
        }
    }

    @Test("on a phone the panels are below each other, and the page scrolls, also over pictures")
    func phone() async throws {
        try await Browser.open(page, width: 390, height: 844) { browser in
            try browser.expect("document.scrollingElement.scrollWidth === innerWidth", true)
            try browser.expect("document.scrollingElement.scrollHeight > 2 * innerHeight", true)
            try browser.expect("getComputedStyle(document.getElementById('graph')).touchAction", "pan-y")
            let scale = try browser.number("opviz.views.timeline.scaleX")
            try browser.evaluate("document.getElementById('timeline').scrollIntoView({block: 'center'})")
            let before = try browser.number("scrollY")
            try browser.scroll("#timeline", by: 200)
            try browser.wait(until: "scrollY > \(before)")
            try browser.expect("opviz.views.timeline.scaleX", scale)
            try browser.expectQuiet()
        }
    }

    @Test("a digit shows one panel alone, and the same digit, its button or Escape all of them again")
    func maximized() async throws {
        try await Browser.open(page) { browser in
            let selected = try browser.number("opviz.selected")
            let panels = ["graph-pane", "timeline-pane", "details", "tables"]
            for (number, panel) in panels.enumerated() {
                try browser.press("\(number + 1)")
                try browser.check(try browser.number(Self.width(panel)) > 1500, "\(panel) is not alone")
                for other in panels where other != panel { try browser.expect(Self.width(other), 0) }
                try browser.expect(
                    "document.querySelector('[data-maximize=\(panel)]').ariaPressed", "true")
                switch number {
                case 0: try browser.press("1")
                case 1: try browser.press("Escape")
                default: try browser.click("[data-maximize=\(panel)]")
                }
                for other in panels {
                    try browser.check(try browser.number(Self.width(other)) > 100, "\(other) is hidden")
                }
            }
            try browser.expect("opviz.selected", selected)
        }
    }

    @Test("splitters are moved with the pointer and with keys, and keep a least size")
    func splitters() async throws {
        try await Browser.open(page) { browser in
            let (graph, timeline) = (Self.width("graph-pane"), Self.width("timeline-pane"))
            let (first, second) = (try browser.number(graph), try browser.number(timeline))
            try browser.drag("#split-graph", by: 100)
            try browser.check(abs(try browser.number(graph) - first - 100) < 3, "it is not 100 wider")
            try browser.check(abs(try browser.number(timeline) - second + 100) < 3, "nor it 100 less wide")
            try browser.evaluate("document.getElementById('split-graph').focus()")
            try browser.press("ArrowLeft")
            try browser.check(abs(try browser.number(graph) - first - 76) < 3, "a key moves it by 24")
            try browser.drag("#split-graph", by: -2000)
            try browser.check(try browser.number(graph) > 100, "the graph is gone")
            let height = "document.getElementById('tables').getBoundingClientRect().height"
            let before = try browser.number(height)
            try browser.drag("#split-tables", by: 0, down: -90)
            try browser.check(abs(try browser.number(height) - before - 90) < 3, "the tables are not higher")
            try browser.expect("document.scrollingElement.scrollHeight === innerHeight", true)
        }
    }

    @Test("w, s, a, d, f and 0 move the picture under the pointer or with the focus, and u undoes it")
    func moves() async throws {
        try await Browser.open(page) { browser in
            for pane in ["graph", "timeline"] {
                try browser.evaluate("document.getElementById('\(pane)').focus()")
                let view = "JSON.stringify(opviz.views.\(pane))"
                for key in ["w", "s", "w", "d", "a", "f", "0"] {
                    // Moves that follow each other at once are undone together.
                    try browser.evaluate("new Promise((done) => setTimeout(done, 600))")
                    let before = try browser.text(view)
                    try browser.press(key)
                    if key == "0" { continue }
                    try browser.check(try browser.text(view) != before, "\(key) does nothing in the \(pane)")
                    if key == "d" || key == "f" {
                        try browser.press("u")
                        try browser.expect(view, before)
                    }
                }
            }
            // A click in the overview, too.
            for key in ["w", "w", "d", "d", "d"] { try browser.press(key) }
            try browser.evaluate("new Promise((done) => setTimeout(done, 600))")
            let view = "JSON.stringify(opviz.views.timeline)"
            let before = try browser.text(view)
            try browser.click("#overview")
            try browser.check(try browser.text(view) != before, "the overview moves nothing")
            try browser.evaluate("document.getElementById('timeline').focus()")
            try browser.press("u")
            try browser.expect(view, before)
            try browser.expectQuiet()
        }
    }

    @Test("dragging in the timeline selects a range of time, with what happened in it")
    func range() async throws {
        let trace = try TraceReader(path: folder.path("trace.json")).read()
        let executions = trace.operations.compactMap { operation -> (Int64, Int64)? in
            guard let start = operation.executing, let end = operation.finished else { return nil }
            return (start.notAfter, end.notBefore)
        }
        try await Browser.open(page) { browser in
            try browser.press("Escape")
            try browser.expect("opviz.selected", -1)
            try browser.drag("#timeline", by: 60)
            try browser.expect("opviz.selected", -1)
            let bounds = try #require(try browser.evaluate("opviz.range") as? [NSNumber])
            let (from, to) = (bounds[0].int64Value, bounds[1].int64Value)
            let executed = executions.filter { start, end in start < to && end > from && start < end }
            let text = try browser.text("document.querySelector('#range span').textContent")
            try browser.check(text.contains(": \(executed.count) operations, work "), text)
            // Of the whole run, the figures are those at the top of the page.
            let whole = try browser.text("opviz.textOfRange(...opviz.span)")
            let figures = try browser.text("document.getElementById('figures').textContent")
            for figure in ["101 operations", "work 2.64 s", "13.2", "peak 20"] {
                try browser.check(whole.contains(figure), "\(figure) is not in \(whole)")
                let words = figure.replacing("101 operations", with: "operations101")
                    .replacing("work ", with: "work")
                try browser.check(figures.contains(words), "\(words) is not in \(figures)")
            }

            try browser.click("#range button")
            let shown = try browser.number("opviz.views.timeline.scaleX") * Double(to - from)
            let width = try browser.number(Self.width("timeline"))
            try browser.check(abs(shown / width - 0.8) < 0.01, "it is not most of the picture")
            try browser.press("Escape")
            try browser.expect("opviz.range === null", true)
            try browser.evaluate("opviz.select(opviz.rows[0])")
            try browser.press("r")
            let lifetime = try #require(try browser.evaluate("opviz.range") as? [NSNumber])
            // As the table sorts them at first.
            let length = lifetime[1].int64Value - lifetime[0].int64Value
            try browser.expect("opviz.duration(\(length))", "200 ms")
            try browser.expectQuiet()
        }
    }

    @Test(
        "names in the graph can be read at first sight, and a kind opens its operations", .needs("python3"),
        arguments: [20, 2000])
    func firstSight(count: Int) async throws {
        for shape in ["random", "chain", "plain"] {
            try folder.makeTrace(shape, count, to: "\(shape).json")
            try #require(try CommandRun("report", "\(shape).json", in: folder).status == 0)
            let page = URL(filePath: folder.path("\(shape).html"))
            try await Browser.open(page) { browser in
                for (width, height) in [(390, 844), (1280, 800), (1600, 1000), (2560, 1440)] {
                    try browser.resize(width: width, height: height)
                    try browser.load(page)
                    try Self.checkSight(browser, "\(shape), \(width) pixels")
                    // Few lanes fill a large window, too.
                    guard shape == "chain", width == 2560 else { continue }
                    try browser.expect("opviz.views.timeline.scaleY", 32.0)
                }
            }
        }
    }

    private static func checkSight(_ browser: Browser, _ page: String) throws {
        func check(_ what: String) throws {
            let scale = try browser.number("opviz.views.graph.scaleX")
            try browser.check(scale >= legibleScale, "\(page), \(what): \(scale)")
        }
        try check("at first")
        if try browser.text("opviz.graphMode") == "kind" {
            try browser.click(at: "opviz.placeInGraph(0)")
            try browser.expect("opviz.graphMode", "operation")
            try browser.check(try browser.number("opviz.selected") >= 0, "nothing is selected")
            try check("opened")
        }
        for mode in ["operation", "kind"] {
            try browser.evaluate("document.querySelector('[data-graph=\(mode)]').click()")
            try check("by \(mode)")
        }
        try browser.expectQuiet()
    }

    @Test("the address has selection, search, range, tab and views, and brings them back")
    func link() async throws {
        let whatIsThere =
            "JSON.stringify([opviz.selected, opviz.matches, opviz.range, opviz.views, opviz.graphMode, "
            + "document.querySelector('[role=tab][aria-selected=true]').id, "
            + "document.getElementById('workspace').dataset.maximized ?? ''], "
            + "(_, value) => typeof value === 'number' ? +value.toPrecision(7) : value)"
        let (address, before) = try await Browser.open(page) { browser in
            try browser.evaluate("opviz.select(opviz.rows[5])")
            try browser.evaluate("document.getElementById('timeline').focus()")
            for key in ["w", "d", "r", "/"] { try browser.press(key) }
            try browser.type("kind:store")
            try browser.click("#tab-queues")
            try browser.press("2")
            // Its address follows a moment later.
            try browser.evaluate("new Promise((done) => setTimeout(done, 700))")
            return (try browser.text("location.hash"), try browser.text(whatIsThere))
        }
        try await Browser.open(page) { browser in
            try browser.evaluate("location.hash = \(String(reflecting: address))")
            try browser.evaluate("new Promise((done) => setTimeout(done, 100))")
            let after = try browser.text(whatIsThere)
            try browser.check(after == before, "\(after), not \(before), by \(address)")
            // Addresses may be typed.
            for wrong in [
                "#select=0xzz&range=1&graph=a,b,c&tab=none&panel=body", "#search=/(/", "#%E0%A4%A", "#",
            ] {
                try browser.evaluate("location.hash = '\(wrong)'")
                try browser.evaluate("new Promise((done) => setTimeout(done, 50))")
            }
            try browser.expectQuiet()
        }
    }

    @Test(
        "a story is copied as Markdown that is nothing but text, and a table is saved as CSV without formulas"
    )
    func copies() async throws {
        let slices = [
            ["ph": "X", "name": "=1+1 | *a* <b>", "pid": 1, "tid": 1, "ts": 0, "dur": 5, "cat": "a_b"]
                as [String: Any]
        ]
        let trace = try JSONSerialization.data(withJSONObject: ["traceEvents": slices])
        try trace.write(to: URL(filePath: folder.path("odd.json")))
        try #require(try CommandRun("report", "odd.json", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("odd.html"))) { browser in
            let story = try browser.text("opviz.storyAsMarkdown(0)")
            try browser.check(
                story.hasPrefix("**=1+1 \\| \\*a\\* &lt;b&gt;** (=1+1 \\| \\*a\\* &lt;b&gt;, 0x1) in "), story
            )
            try browser.check(
                story.contains("\n| at | for | what happened |\n| --- | --- | --- |\n| "), story)
            let table = try browser.text("opviz.csv")
            try browser.check(table.hasPrefix("operation,kind,ending,lifetime (ns),execution (ns),"), table)
            let row = "\r\n'=1+1 | *a* <b>,'=1+1 | *a* <b>,succeeded,5000,5000,"
            try browser.check(table.contains(row), table)
        }
    }

    @Test("no picture of a run that stood still has a critical path")
    func standstillPath() throws {
        let traces = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces/faults")
        for fault in ["circle", "forgotten-finish", "never-added", "semaphore", "suspended"] {
            let path = traces.appending(path: "\(fault).optrace").path
            for command in ["graph", "timeline"] {
                let run = try CommandRun(command, path, "-o", "picture.svg", in: folder)
                try #require(run.status == 0)
                let picture = try String(contentsOfFile: folder.path("picture.svg"), encoding: .utf8)
                #expect(!picture.contains("critical"), "\(command) of \(fault)")
            }
            let slack = try CommandRun(
                "graph", path, "-o", "-", "--format", "dot", "--color-by", "slack", in: folder)
            #expect(slack.status == 0)
            #expect(!String(decoding: slack.output, as: UTF8.self).contains("no slack"), "\(fault)")
            try #require(try CommandRun("report", path, "-o", "stuck.html", in: folder).status == 0)
            let page = try String(contentsOfFile: folder.path("stuck.html"), encoding: .utf8)
            #expect(page.contains(#""criticalPathCount": 0"#), "the page of \(fault)")
        }
        // Of others they have one.
        let healthy = traces.appending(path: "healthy.optrace").path
        for command in ["graph", "timeline"] {
            try #require(try CommandRun(command, healthy, "-o", "picture.svg", in: folder).status == 0)
            let picture = try String(contentsOfFile: folder.path("picture.svg"), encoding: .utf8)
            #expect(picture.contains("critical"), "\(command)")
        }
    }

    @Test("suspended queues and blocked threads are drawn, and can be searched for")
    func blocking() async throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
        let stuck = tests.appending(path: "../../Documentation/traces/stuck.json").path
        let suspended = tests.appending(path: "Traces/faults/suspended.optrace").path
        for (path, label, matches, mark) in [
            (stuck, "blocks its thread", 2, "class=\"blocking\""),
            (suspended, "queue suspended", 3, "class=\"suspended\""),
        ] {
            try #require(try CommandRun("timeline", path, "-o", "picture.svg", in: folder).status == 0)
            let picture = try String(contentsOfFile: folder.path("picture.svg"), encoding: .utf8)
            #expect(picture.contains(mark))
            try #require(try CommandRun("report", path, "-o", "stuck.html", in: folder).status == 0)
            try await Browser.open(URL(filePath: folder.path("stuck.html"))) { browser in
                try browser.evaluate("\(Self.entry(label)).click()")
                try browser.expect("opviz.matches", matches)
                try browser.expectQuiet()
            }
        }
    }

    @Test("the timeline of a run that stood still shows the part before, and the page says once why")
    func standstill() async throws {
        let traces = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Traces/faults")
        for fault in ["circle", "forgotten-finish", "never-added", "semaphore", "suspended"] {
            let path = traces.appending(path: "\(fault).optrace").path
            try #require(try CommandRun("report", path, "-o", "\(fault).html", in: folder).status == 0)
            try await Browser.open(URL(filePath: folder.path("\(fault).html"))) { browser in
                let shown =
                    try browser.number("document.getElementById('timeline').clientWidth")
                    / browser.number("opviz.views.timeline.scaleX")
                let whole = try browser.number("opviz.span[1] - opviz.span[0]")
                try browser.check(shown < whole / 2, "\(fault): \(shown) of \(whole)")
                try browser.expect("document.getElementById('stuck').hidden", true)
                try browser.expect("document.querySelectorAll('#answer .cause').length > 0", true)
                try browser.expectQuiet()
            }
        }
    }

    @Test("an address that lacks something shows it as the page was opened, also in a page that is open")
    func otherLinks() async throws {
        try await Browser.open(page) { browser in
            let pause = "new Promise((done) => setTimeout(done, 50))"
            let opened = try browser.number("opviz.selected")
            try browser.evaluate(
                "location.hash = '#search=store&panel=graph-pane&rows=operation&select=none'")
            try browser.evaluate(pause)
            try browser.expect("opviz.matches", 20)
            try browser.expect("opviz.selected", -1)
            try browser.evaluate("location.hash = '#panel=graph-pane'")
            try browser.evaluate(pause)
            try browser.expect("document.getElementById('search').value", "")
            try browser.expect("opviz.rows.length", 101)
            try browser.expect("opviz.selected", opened)
            try browser.expect("document.getElementById('workspace').dataset.maximized", "graph-pane")
            try browser.evaluate("location.hash = ''")
            try browser.evaluate(pause)
            try browser.expect("'maximized' in document.getElementById('workspace').dataset", false)
            try browser.expectQuiet()
        }
    }

    @Test("a low window scrolls, as a phone's does, and is never without pictures")
    func low() async throws {
        try await Browser.open(page, width: 844, height: 390) { browser in
            try browser.expect("document.scrollingElement.scrollHeight > 2 * innerHeight", true)
            try browser.check(
                try browser.number("document.getElementById('timeline').clientHeight") > 200, "no picture")
            for key in ["a", "w", "f"] { try browser.press(key) }
            try browser.expect("Number.isFinite(opviz.views.graph.x)", true)
            try browser.expectQuiet()
        }
    }

    @Test("rows of every table, and kinds in the graph, can be reached and chosen with keys")
    func rows() async throws {
        try await Browser.open(page) { browser in
            try browser.click("#tab-kinds")
            try browser.evaluate("document.querySelector('#kinds-table .scroller').focus()")
            for key in ["ArrowDown", "ArrowDown", "ArrowDown"] { try browser.press(key) }
            let kind = try browser.text(
                "document.querySelector('#kinds-table .active').firstChild.textContent")
            try browser.press("Enter")
            try browser.expect("document.getElementById('search').value", "kind:\"\(kind)\"")
            try browser.expect("opviz.rows.length", 20)
            // Kinds in the graph, too.
            try browser.click("[data-graph=kind]")
            try browser.evaluate("document.getElementById('graph').focus()")
            for key in ["ArrowRight", "ArrowRight", "Enter"] { try browser.press(key) }
            try browser.expect("opviz.graphMode", "operation")
            try browser.expect("document.getElementById('search').value.startsWith('kind:')", true)
            try browser.expectQuiet()
        }
    }

    @Test("the answer is at most four lines, and each leads to what shows more")
    func answer() async throws {
        try await Browser.open(page) { browser in
            try browser.expect("document.querySelectorAll('#answer li').length <= 4", true)
            try browser.click("#answer .cause")
            try browser.expect("document.getElementById('tab-delays').ariaSelected", "true")
        }
        let stuck = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Traces/faults/circle.optrace").path
        try #require(try CommandRun("report", stuck, "-o", "stuck.html", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("stuck.html"))) { browser in
            let text = try browser.text("document.getElementById('answer').textContent")
            try browser.check(text.hasPrefix("errordeadlock: "), text)
            // It says so once.
            try browser.expect("document.getElementById('stuck').hidden", true)
            // The circle is whole.
            try browser.expect(
                """
                (() => {
                  const frame = document.getElementById("graph").getBoundingClientRect();
                  return [0, 1, 2].map(opviz.placeInGraph).every(([x, y]) => x > frame.left + 40
                    && x < frame.right - 40 && y > frame.top + 5 && y < frame.bottom - 5);
                })()
                """, true)
            try browser.click("#answer .cause")
            try browser.expect("document.getElementById('findings').hidden", false)
            try browser.expect("document.querySelector('#findings .finding').open", true)
        }
    }

    private static func entry(_ text: String) -> String {
        "[...document.querySelectorAll('#legend button')].find((one) => one.textContent === '\(text)')"
    }

    @Test("the legend has what is drawn, and each entry filters, with others and without")
    func legend() async throws {
        try await Browser.open(page) { browser in
            let shown = "[...document.querySelectorAll('#legend button:not([hidden])')]"
            let texts = "\(shown).map((one) => one.textContent).join()"
            let all = try browser.text(texts)
            try browser.check(all.contains("dependency wait"), all)
            try browser.check(all.contains("critical path"), all)
            // Waits are drawn for what is selected, or by operation.
            try browser.press("Escape")
            try browser.check(!(try browser.text(texts).contains("wait")), "waits are not drawn")
            try browser.click("[data-timeline=operation]")
            try browser.expect(texts, all)
            let count = try browser.number("\(shown).length")
            for number in 0..<Int(count) {
                try browser.evaluate("\(shown)[\(number)].click()")
                try browser.expect("\(shown)[\(number)].ariaPressed", "true")
                try browser.check(try browser.number("opviz.matches") > 0, "entry \(number) finds nothing")
                try browser.expect("opviz.rows.length === opviz.matches", true)
                try browser.evaluate("\(shown)[\(number)].click()")
                try browser.expect("document.getElementById('search').value", "")
            }
            // Two of a sort: both. Two of different sorts: what is both.
            let kinds = try #require(
                try browser.evaluate("\(shown).slice(0, 2).map((one) => one.textContent)") as? [String])
            try browser.evaluate("\(shown)[0].click()")
            let first = try browser.number("opviz.matches")
            try browser.evaluate("\(shown)[1].click()")
            let both = try browser.number("opviz.matches")
            try browser.check(both > first, "\(kinds): \(both), not more than \(first)")
            try browser.evaluate("\(Self.entry("critical path")).click()")
            try browser.check(try browser.number("opviz.matches") < both, "the path is all of it")
            try browser.expect(
                "document.getElementById('search').value",
                "kind:\"\(kinds[0])\" kind:\"\(kinds[1])\" is:critical")
            try browser.expectQuiet()
        }
    }

    @Test("an entry of the legend is a term, whatever is in the field and in the names of kinds")
    func terms() async throws {
        let kinds = ["Resize", "resize", "x is:critical y", "", "a \"b\" c"]
        let slices = kinds.enumerated().map { number, kind in
            [
                "ph": "X", "name": "n\(number)", "pid": 1, "tid": number, "ts": 0, "dur": number + 1,
                "cat": kind,
            ] as [String: Any]
        }
        let trace = try JSONSerialization.data(withJSONObject: ["traceEvents": slices])
        try trace.write(to: URL(filePath: folder.path("kinds.json")))
        try #require(try CommandRun("report", "kinds.json", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("kinds.html"))) { browser in
            let buttons = "[...document.querySelectorAll('#legend button:not([disabled])')]"
            let pressed = "\(buttons).filter((one) => one.ariaPressed === 'true').length"
            let number = try browser.number("\(buttons).length")
            for before in ["", "\"n1", "/(/", "/n/ "] {
                for at in 0..<Int(number) {
                    let field = "document.getElementById('search')"
                    try browser.evaluate("\(field).value = \(String(reflecting: before))")
                    try browser.evaluate("\(field).dispatchEvent(new Event('input'))")
                    try browser.expect(pressed, 0)
                    try browser.evaluate("\(buttons)[\(at)].click()")
                    try browser.expect(pressed, 1)
                    try browser.evaluate("\(buttons)[\(at)].click()")
                    try browser.expect(pressed, 0)
                }
            }
            try browser.press("Escape")
            for at in 0..<kinds.count {
                try browser.evaluate("\(buttons)[\(at)].click()")
                try browser.expect("opviz.matches", 1)
                // Also when the focus is not in the field.
                try browser.press("Escape")
                try browser.expect("document.getElementById('search').value", "")
            }
            try browser.expectQuiet()
        }
    }

    @Test("words before a colon can be excluded, and the part that took longest can be searched for")
    func exclusion() async throws {
        let trace = try TraceReader(path: folder.path("trace.json")).read()
        let stores = trace.operations.count { $0.kind.lowercased().contains("store") }
        #expect(stores > 0)
        try await Browser.open(page) { browser in
            for (text, number) in [
                ("-kind:Store", trace.operations.count - stores), ("kind:Store -kind:Store", 0),
                ("is:critical -is:critical", 0), ("with:nothing", 0), ("is:nothing", 0),
            ] {
                try browser.evaluate("document.getElementById('search').value = ''")
                try browser.press("/")
                try browser.type(text)
                try browser.expect("opviz.matches", number)
                try browser.press("Escape")
                try browser.press("Escape")
            }
            try browser.press("/")
            try browser.type("with:wait")
            let waited = try browser.number("opviz.matches")
            try browser.press("Escape")
            try browser.type("-with:wait")
            try browser.expect("opviz.matches", Double(trace.operations.count) - waited)
            try browser.expectQuiet()
        }
    }

    @Test(
        "an operation has one colour in graph and timeline, and a tooltip in both; words have their meaning")
    func colours() async throws {
        try await Browser.open(page) { browser in
            try browser.evaluate("opviz.select(opviz.rows[5])")
            for pane in ["Graph", "Timeline"] {
                try browser.hover(at: "opviz.placeIn\(pane)(opviz.selected)")
                let text = try browser.text("document.getElementById('tooltip').innerText")
                let name = try browser.text("opviz.selectedName")
                try browser.check(text.contains("\n"), text)
                try browser.check(name.contains(text.prefix { $0 != "\n" }), "\(text) of \(name)")
                try browser.expect("document.getElementById('tooltip').hidden", false)
            }
            try browser.hover(at: "[5, 5]")
            try browser.expect("document.getElementById('tooltip').hidden", true)
            // The most frequent colour near the middle of its box and of its bar.
            let fill = { (pane: String, operation: Int) in
                // A bar may be short.
                let halfWidth = pane == "Graph" ? 8 : 1
                return """
                    ((pane, [x, y]) => {
                      const canvas = document.getElementById(pane.toLowerCase());
                      const frame = canvas.getBoundingClientRect();
                      const [left, top] = [x - frame.x - \(halfWidth), y - frame.y - 3];
                      const { data } = canvas.getContext('2d').getImageData(left, top, \(2 * halfWidth), 7);
                      const counts = new Map();
                      for (let at = 0; at < data.length; at += 4) {
                        const color = data.slice(at, at + 3).join();
                        counts.set(color, (counts.get(color) ?? 0) + 1);
                      }
                      return [...counts].sort((a, b) => b[1] - a[1])[0][0];
                    })('\(pane)', opviz.placeIn\(pane)(\(operation)))
                    """
            }
            try browser.press("Escape")
            try browser.click("[data-graph=operation]")
            try browser.click("[data-timeline=operation]")
            let longest = try #require(try browser.evaluate("opviz.rows.slice(0, 30)") as? [Int])
            for operation in [longest[0], longest[12], longest[29]] {
                try browser.evaluate("opviz.select(\(operation))")
                try browser.evaluate("document.getElementById('timeline').focus()")
                try browser.press("f")
                // Its outline would hide a short bar.
                try browser.press("Escape")
                let left = try browser.text(fill("Graph", operation))
                try browser.expect(fill("Timeline", operation), left)
                try browser.check(left != "255,255,255", "it has no colour")
            }
            for (word, meaning) in [
                ("slack", "how much later an operation could finish without moving the end of the run"),
                ("dependency", "from enqueue to ready"),
            ] {
                try browser.expect(
                    "[...document.querySelectorAll('#operations-table .head button')]"
                        + ".find((one) => one.textContent === '\(word)').title", meaning)
            }
        }
    }

    @Test("a story has the executions of the kind, with the selected one in its place")
    func histogram() async throws {
        let trace = try TraceReader(path: folder.path("trace.json")).read()
        let analysis = TraceAnalysis(trace)
        try await Browser.open(page) { browser in
            for index in [40, 60, 100] {
                let kind = trace.operations[index].kind
                let own = try #require(analysis.waits[index]).execution
                let all = trace.operations.indices.filter { trace.operations[$0].kind == kind }
                    .compactMap { analysis.waits[$0]?.execution }
                try browser.evaluate("opviz.select(\(index))")
                let text = try browser.text("document.querySelector('.of-kind')?.textContent ?? ''")
                if all.count < 5 {
                    try browser.check(text.isEmpty, text)
                    continue
                }
                let below = all.count { $0 < own }
                try browser.check(text.hasPrefix("The \(all.count) executions of \(kind): "), text)
                try browser.check(
                    text.hasSuffix(
                        below == 0 ? "None of them was shorter." : "It was longer than \(below) of them."),
                    text)
                try browser.expect("document.querySelectorAll('.histogram .own').length", 1)
            }
            try browser.expectQuiet()
        }
    }

    @Test("what would change is chosen among predictions, which are those of opviz whatif")
    func whatIf() async throws {
        let traces = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/traces/trace.json")
        let told = try CommandRun("whatif", traces.path, "--format", "json", in: folder)
        let object = try #require(
            try JSONSerialization.jsonObject(with: told.output) as? [String: Any])
        let predictions = try #require(object["predictions"] as? [[String: Any]])
        let kinds = try #require(object["kinds"] as? [[String: Any]])
        let makespans =
            predictions.map { $0["makespanOfPoolNs"] as? Int ?? 0 }
            + kinds.flatMap { kind in
                ["makespanOfTenthLessNs", "makespanOfHalfNs"].map { kind[$0] as? Int ?? 0 }
            }
        try #require(
            try CommandRun("report", traces.path, "-o", "whatif.html", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("whatif.html"))) { browser in
            try browser.click("#tab-whatif")
            let buttons = "[...document.querySelectorAll('.choice button')]"
            try browser.expect("\(buttons).length", makespans.count)
            for (number, makespan) in makespans.enumerated() {
                try browser.evaluate("\(buttons)[\(number)].click()")
                try browser.expect("\(buttons)[\(number)].ariaPressed", "true")
                try browser.expect("\(buttons).filter((one) => one.ariaPressed === 'true').length", 1)
                try browser.expect(
                    "document.querySelectorAll('.prediction .number')[1].textContent"
                        + " === opviz.duration(\(makespan))", true)
            }
            // What delayed the run, by kind: a click searches.
            try browser.click("#tab-delays")
            try browser.click("#delays-table .sums button")
            try browser.expect("document.getElementById('search').value", "kind:\"Download\"")
            try browser.expectQuiet()
        }
    }
}
