import EventLog
import Foundation
import Inspector
import TestTraces
import Testing

/// The page in a real browser, with real clicks and keys. What it says of itself in `window.opviz` is
/// documented there.
@Suite("opviz report, in a browser", .needsBrowser)
struct ReportBrowserTests {
    private let folder: Folder
    private let page: URL

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        let run = try CommandRun("report", "trace.json", in: folder)
        try #require(run.status == 0, "\(run.error)")
        page = URL(filePath: folder.path("trace.html"))
    }

    @Test("a report opens from disk, shows every operation, and asks for nothing")
    func loads() async throws {
        try await Browser.open(page) { browser in
            try browser.expect("opviz.count", 101)
            try browser.expect("opviz.rows.length", 101)
            try browser.expect("document.getElementById('process').textContent", "quotes")
            try browser.expectQuiet()
        }
    }

    @Test("what is selected in one picture is selected in the other, in the table and in the story")
    func selectionLinks() async throws {
        try await Browser.open(page) { browser in
            try browser.click("#graph-fit")
            let wanted = try browser.number("opviz.rows[4]")
            try browser.click(at: "opviz.placeInGraph(opviz.rows[4])")
            try browser.expect("opviz.selected", wanted)
            let name = try browser.text("opviz.selectedName")
            let answer = try browser.text("document.querySelector('#story .answer').textContent")
            try browser.check(answer.hasPrefix(name), "\(answer) is not of \(name)")
            try browser.expect("+document.querySelector('.rows .active').dataset.row", wanted)

            try browser.evaluate("opviz.select(-1)")
            try browser.evaluate("opviz.select(opviz.rows[1])")
            let second = try browser.number("opviz.selected")
            try browser.evaluate("opviz.select(-1)")
            try browser.settle()
            // It is in sight now, and nothing is selected.
            try browser.click(at: "opviz.placeInTimeline(\(Int(second)))")
            try browser.expect("opviz.selected", second)
            try browser.expect("+document.querySelector('.rows .active').dataset.row", second)

            // From the story to another operation.
            try browser.click("#story .answer .operation:not(:first-child)")
            try browser.expect("opviz.selected !== \(Int(second))", true)
        }
    }

    @Test("search filters the table, steps through the matches, and Escape clears it")
    func search() async throws {
        try await Browser.open(page) { browser in
            try browser.press("/")
            try browser.expect("document.activeElement.id", "search")
            try browser.type("storepage")
            try browser.expect("opviz.matches", 20)
            try browser.expect("opviz.rows.length", 20)
            try browser.press("Enter")
            let first = try browser.number("opviz.selected")
            try browser.press("Enter")
            try browser.expect("opviz.selected !== \(Int(first))", true)
            try browser.expect("document.getElementById('matches').textContent", "2 of 20")
            try browser.press("Escape")
            try browser.expect("opviz.rows.length", 101)
            try browser.type("0x44")
            try browser.expect("opviz.matches", 1)
            try browser.expect("opviz.nameOf(opviz.rows[0]).includes('0x44')", true)
            try browser.evaluate("document.getElementById('search').select()")
            try browser.type("there is no such thing")
            try browser.expect("document.getElementById('matches').textContent", "no match")
        }
    }

    @Test("a search can be for kinds, queues, outcomes, lengths, names and expressions, and all must hold")
    func terms() async throws {
        let numbers: KeyValuePairs = [
            "kind:store": 20, "kind:\"StorePage\"": 20, "kind:\"Store\"": 0,
            "kind:/^(store|parse)/": 40,
            "queue:import": 21, "queue:\"page 1\"": 4, "\"page 1\"": 1, "page 1": 11, "0x44": 1,
            "outcome:succeeded": 101, "outcome:failed": 0, "kind:store >180ms": 4, ">180ms <190ms": 9,
            "/^page 1$/": 1, "no:such": 0, "   ": 101,
        ]
        try await Browser.open(page) { browser in
            try browser.press("/")
            for (text, number) in numbers {
                try browser.evaluate("document.getElementById('search').select()")
                try browser.type(text)
                try browser.check(
                    try browser.number("opviz.rows.length") == Double(number), "\(text): not \(number)")
                try browser.expect("document.getElementById('no-match').hidden", number > 0)
            }
            try browser.expectQuiet()
        }
    }

    @Test("what a search leaves out is pale in graph and timeline, until the search is cleared")
    func pale() async throws {
        try await Browser.open(page, width: 1600, height: 1300) { browser in
            try browser.click("#graph-fit")
            for pane in ["Graph", "Timeline"] {
                // The darkest colour around the middle of one that matches, and of one that does not.
                let darkest = { (name: String) in
                    "(() => { const index = opviz.all.find((row) => opviz.nameOf(row) === '\(name)'); "
                        + "const canvas = document.getElementById('\(pane.lowercased())'); "
                        + "const frame = canvas.getBoundingClientRect(); "
                        + "const [x, y] = opviz.placeIn\(pane)(index); "
                        + "const image = canvas.getContext('2d').getImageData("
                        + "x - frame.x - 30, y - frame.y - 5, 60, 10); "
                        + "return Math.min(...image.data.filter((_, at) => at % 4 === 0)) })()"
                }
                try browser.evaluate("opviz.select(-1)")
                let (one, other) = (
                    try browser.number(darkest("page 4")), try browser.number(darkest("page 5"))
                )
                try browser.press("/")
                try browser.type("\"page 4\"")
                try browser.settle()
                try browser.check(
                    try abs(browser.number(darkest("page 4")) - one) < 12, "\(pane): a match is pale")
                try browser.check(
                    try browser.number(darkest("page 5")) > other + 40, "\(pane): another is not pale")
                try browser.press("Escape")
                try browser.settle()
                try browser.check(
                    try abs(browser.number(darkest("page 5")) - other) < 12, "\(pane): it is pale still")
                try browser.press("Escape")
            }
        }
    }

    @Test("a heading sorts, and sorts the other way round when it is used again")
    func sorting() async throws {
        try await Browser.open(page) { browser in
            let column = "#operations-table [role=columnheader]:nth-child(5)"
            try browser.click("\(column) button")
            try browser.expect("document.querySelector('\(column)').ariaSort", "descending")
            let slowest = try browser.number("opviz.rows[0]")
            try browser.click("\(column) button")
            try browser.expect("document.querySelector('\(column)').ariaSort", "ascending")
            try browser.expect("opviz.rows[opviz.rows.length - 1]", slowest)
        }
    }

    @Test("a report is light or dark as the system is, and as the reader wants")
    func themes() async throws {
        try await Browser.open(page) { browser in
            let background = "getComputedStyle(document.body).backgroundColor"
            let light = try browser.text(background)
            try browser.click("#theme")
            let dark = try browser.text(background)
            try browser.check(light == "rgb(255, 255, 255)" && dark == "rgb(21, 24, 28)", light + dark)
            try browser.press("t")
            try browser.expect(background, light)
        }
    }

    @Test("the wheel and two fingers zoom, dragging moves, and neither selects")
    func pointers() async throws {
        try await Browser.open(page) { browser in
            try browser.evaluate("opviz.select(-1)")
            for pane in ["Graph", "Timeline"] {
                // How far apart two operations are drawn, and where one of them is.
                let width =
                    "opviz.placeIn\(pane)(opviz.rows[0])[0] - opviz.placeIn\(pane)(opviz.rows[90])[0]"
                let first = try abs(browser.number(width))
                try browser.scroll("#\(pane.lowercased())", by: -300)
                let second = try abs(browser.number(width))
                try browser.check(second > first * 1.2, "the wheel: \(first), \(second)")
                try browser.pinch("#\(pane.lowercased())")
                let third = try abs(browser.number(width))
                try browser.check(third > second * 1.2, "two fingers: \(second), \(third)")
                let place = "opviz.placeIn\(pane)(opviz.rows[0])[0]"
                let before = try browser.number(place)
                try browser.drag("#\(pane.lowercased())", by: 40, shift: true)
                let moved = try browser.number(place) - before
                try browser.check(abs(moved - 40) < 1, "dragging moved it by \(moved)")
            }
            try browser.expect("opviz.selected", -1)
            try browser.expectQuiet()
        }
    }

    @Test("everything can be done with keys")
    func keys() async throws {
        try await Browser.open(page) { browser in
            try browser.check(browser.number("opviz.selected") >= 0, "nothing is selected to begin with")
            try browser.press("g")
            try browser.expect("document.activeElement.id", "graph")
            try browser.press("ArrowRight")
            let first = try browser.number("opviz.selected")
            try browser.check(first >= 0, "nothing is selected")
            try browser.evaluate("opviz.select(opviz.rows.find(row => opviz.nameOf(row) === 'report'))")
            let report = try browser.number("opviz.selected")
            try browser.press("ArrowLeft")
            try browser.expect("opviz.selected !== \(Int(report))", true)
            try browser.press("+")
            try browser.press("0")
            try browser.press("l")
            try browser.expect("document.activeElement.id", "timeline")
            try browser.evaluate("opviz.select(0)")
            let before = try browser.number("opviz.selected")
            try browser.press("ArrowDown")
            try browser.expect("opviz.selected !== \(Int(before))", true)
            try browser.press("Escape")
            try browser.expect("opviz.selected", -1)
            try browser.press("?")
            try browser.expect("document.getElementById('help').open", true)
            try browser.press("Escape")
            try browser.expect("!document.getElementById('help').open", true)
            try browser.evaluate("document.querySelector('#operations-table .scroller').focus()")
            try browser.press("ArrowDown")
            try browser.press("ArrowDown")
            try browser.expect("opviz.selected === opviz.rows[1]", true)
            try browser.expectQuiet()
        }
    }

    @Test(
        "a report explains operations in the same words as opviz explain", .needs("python3"),
        arguments: [nil, "merged", "switched", "random", "nested", "serial", "tasks"])
    func stories(shape: String?) async throws {
        if shape == "merged" {
            try mergedLog().write(to: URL(filePath: folder.path("trace.json")))
            try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        } else if shape == "switched" {
            try switchedLog().write(to: URL(filePath: folder.path("trace.json")))
            try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        } else if shape == "tasks" {
            // The events of the guide's trace, where operations and tasks wait for each other.
            let guide = Repository.url.appending(path: "Documentation/traces/tasks.json")
            try FileManager.default.removeItem(atPath: folder.path("trace.json"))
            try FileManager.default.copyItem(atPath: guide.path, toPath: folder.path("trace.json"))
            try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        } else if let shape {
            try folder.makeTrace(shape, 120, to: "trace.json", isStuck: true)
            try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        }
        let trace = try TraceReader(path: folder.path("trace.json")).read().withTasks()
        let analysis = TraceAnalysis(trace)
        // Some are enough: each is a replay of the run.
        let expected = stride(
            from: 0, to: trace.operations.count, by: ["switched", "merged", "tasks"].contains(shape) ? 1 : 4
        ).map {
            (index: $0, text: Explanation(of: $0, in: analysis).text(width: nil, all: true))
        }
        try await Browser.open(page) { browser in
            for (index, text) in expected {
                let lines = text.split(separator: "\n").map(String.init)
                let story = try browser.evaluate("opviz.explain(\(index))") as? [String: Any] ?? [:]
                if trace.operations[index].enqueued == nil {
                    try browser.check(
                        lines.contains(story["answer"] as? String ?? "?"), "\(story) is not in \(text)")
                    continue
                }
                let chain = "What delayed it, back to the start: \(story["chain"] as? String ?? "?")"
                let whole =
                    [story["answer"] as? String ?? "?", chain] + (story["cost"] as? [String] ?? ["?"])
                for line in whole { try browser.check(lines.contains(line), "\(line) is not in \(text)") }
                let events = (story["events"] as? [[String]] ?? []).map { $0[2] }
                let steps = (story["steps"] as? [[String]] ?? []).map { $0[1] }
                try browser.check(events.count > 1 && !steps.isEmpty, "\(story)")
                let followers = (story["followers"] as? [[String]] ?? []).flatMap(\.self)
                for part in events + steps + followers {
                    try browser.check(text.contains(part), "\(part) is not in \(text)")
                }
            }
        }
    }

    @Test("a report closes a circle of waits as opviz explain does, also for what only waits for it")
    func circle() async throws {
        let (outer, next, inner) = (OperationID(1), OperationID(2), OperationID(3))
        let queue = QueueID(1)
        func added(_ operation: OperationID, _ name: String, by parent: OperationID? = nil) -> LogEvent.Body {
            .enqueued(.init(operation: operation, kind: "Work", name: name, queue: queue, parent: parent))
        }
        let bodies: [LogEvent.Body] = [
            .queueOpened(queue, name: "main", limit: 1, isSuspended: false), added(outer, "outer"),
            .ready(outer), .executing(outer), added(next, "next"), .ready(next),
            added(inner, "inner", by: outer), .ready(inner), .waitBegan(.operation(inner), by: outer),
        ]
        try folder.write(hung: bodies, to: "trace.json")
        try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        let analysis = TraceAnalysis(try TraceReader(path: folder.path("trace.json")).read())
        try await Browser.open(page) { browser in
            for (index, path) in ["outer → inner → outer", "next → outer → inner → outer"].enumerated() {
                let said = try browser.text("opviz.explain(\(index)).circle")
                try browser.check(said.contains(" \(path) (each waits for the next)"), said)
                let text = Explanation(of: index, in: analysis).text(width: nil, all: true)
                try browser.check(text.contains("\n\(said)\n"), "\(said) is not in \(text)")
            }
        }
    }

    @Test("a report draws the parts of executions, with a legend and columns in the table")
    func parts() async throws {
        try switchedLog().write(to: URL(filePath: folder.path("trace.json")))
        try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        try await Browser.open(page) { browser in
            try browser.expect(
                "document.getElementById('legend').innerText.replaceAll('\\n', '')"
                    + ".includes('on CPUwaiting for a CPUblockedoff threadunmeasured')", true)
            try browser.evaluate("opviz.select(0)")
            try browser.expect("document.querySelectorAll('#story .parts .part').length", 3)
            try browser.expect(
                "document.querySelector('#story .parts .waitingForCPU').style.flexGrow > 0.4", true)
            try browser.expect(
                "document.querySelector('#operations-table .head').textContent.includes('blocked')", true)
            try browser.expectQuiet()
        }
    }

    /// Of processes that cause operations of each other, with names that several of them use.
    private func mergedLog() throws -> Data {
        var generator = SplitMix64(seed: 46)
        var logs: [MadeUpLog] = []
        for number in 1...24 {
            logs.append(randomLog("program \(number % 7)", pid: Int32(number), after: logs, &generator))
        }
        let merge = try TraceMerge(
            logs.map { (path: "\($0.header.processID).optrace", contents: $0.contents) })
        return merge.contents.json
    }

    private func switchedLog() throws -> Data { SwitchedLog().contents.json }

    @Test("names that are markup, scripts or turn the direction of text are nothing but text")
    func hostileNames() async throws {
        let names = [
            "<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "<!--<script>", "]]>",
            "\u{202E}gnp.exe\u{202C}", "\u{1B}[2J\u{0}\n", String(repeating: "W", count: 10_000), "__proto__",
            "${alert(3)}`", "' onclick='alert(4)", "&lt;b&gt;", "javascript:alert(5)",
        ]
        let slices = names.enumerated().map { index, name in
            ["ph": "X", "name": name, "pid": 1, "tid": index, "ts": index * 10, "dur": 5, "cat": name]
                as [String: Any]
        }
        let trace = try JSONSerialization.data(withJSONObject: ["traceEvents": slices])
        try trace.write(to: URL(filePath: folder.path("hostile.json")))
        let run = try CommandRun("report", "hostile.json", in: folder)
        try #require(run.status == 0, "\(run.error)")
        try await Browser.open(URL(filePath: folder.path("hostile.html"))) { browser in
            try browser.expect("opviz.count", names.count)
            for index in names.indices {
                try browser.evaluate("opviz.select(\(index))")
                try browser.settle()
            }
            try browser.evaluate("document.getElementById('search').focus()")
            try browser.type("<img")
            try browser.expect("opviz.matches", 1)
            for tab in ["kinds", "queues", "delays", "critical", "whatif"] {
                try browser.click("#tab-\(tab)")
            }
            try browser.expect("document.querySelectorAll('img, iframe, b').length", 0)
            try browser.expect("document.scripts.length", 2)
            try browser.expect("opviz.nameOf(0)", names[0])
            try browser.expect("opviz.nameOf(4)", "\\u{202e}gnp.exe\\u{202c}")
            try browser.expect("opviz.nameOf(6).length", 200)
            try browser.expectQuiet()
        }
    }

    @Test("a report runs no script that is not its own")
    func policy() async throws {
        try await Browser.open(page) { browser in
            try browser.evaluate(
                "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.broken = 1\">')")
            try browser.evaluate(
                "{ const s = document.createElement('script'); s.textContent = 'window.broken = 2'; "
                    + "document.body.append(s) }"
            )
            try browser.settle()
            try browser.expect("typeof window.broken", "undefined")
        }
    }

    @Test("an empty trace gives a page that says so")
    func empty() async throws {
        try folder.write(
            "{\"otherData\": {\"format\": \"opviz-trace\", \"version\": 1}, \"traceEvents\": []}",
            to: "empty.json")
        let run = try CommandRun("report", "empty.json", in: folder)
        try #require(run.status == 0, "\(run.error)")
        try await Browser.open(URL(filePath: folder.path("empty.html"))) { browser in
            try browser.expect("opviz.count", 0)
            try browser.expect("opviz.selected", -1)
            try browser.press("g")
            try browser.press("ArrowRight")
            try browser.press("0")
            try browser.press("l")
            try browser.press("+")
            try browser.expectQuiet()
        }
    }
}
