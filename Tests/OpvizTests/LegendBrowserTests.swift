import Foundation
import Testing

/// What the legend of a page says of edges, in a real browser.
@Suite("Edges in the legend of a page, in a browser", .needsBrowser)
struct LegendBrowserTests {
    private let folder: Folder
    private let page: URL

    init() throws {
        folder = try Folder()
        try recordedTrace().write(to: URL(filePath: folder.path("trace.json")))
        try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        page = URL(filePath: folder.path("trace.html"))
    }

    private static let edgeSorts = """
        [...document.querySelectorAll('#legend .edge-sort:not([hidden])')]
          .map((one) => one.textContent).join('|')
        """

    @Test("the legend has the sorts of edges that the graph draws, each with the line that it draws")
    func edges() async throws {
        try await Browser.open(page) { browser in
            try browser.click("[data-graph=operation]")
            try browser.expect(Self.edgeSorts, "A → B: B waits for A|finished last|added")
            let line = { (words: String) in
                "(() => { const style = getComputedStyle([...document.querySelectorAll('.edge-sort')]"
                    + ".find((one) => one.textContent === '\(words)').firstChild); "
                    + "return [style.borderTopStyle, style.borderTopColor].join() })()"
            }
            let plain = try browser.text(line("A → B: B waits for A"))
            try browser.check(plain.hasPrefix("solid,rgb"), plain)
            try browser.check(try browser.text(line("finished last")) != plain, "both are \(plain)")
            try browser.expect(line("added"), plain.replacing("solid", with: "dashed"))
            try browser.click("[data-graph=kind]")
            try browser.expect(Self.edgeSorts, "A → B: B waits for A, or A added it; wider: more edges")
            try browser.expectQuiet()
        }
    }

    @Test("the legend has what unfinished operations waited for, deadlocks, and what woke a task")
    func unfinishedEdges() async throws {
        for (trace, words) in [
            ("Documentation/traces/stuck.json", "A → B: B was still waiting for A at the end"),
            ("Tests/OpvizTests/Traces/faults/circle.optrace", "part of a circle of waits"),
        ] {
            let path = Repository.url.appending(path: trace).path
            try #require(try CommandRun("report", path, "-o", "edges.html", in: folder).status == 0)
            try await Browser.open(URL(filePath: folder.path("edges.html"))) { browser in
                try browser.click("[data-graph=operation]")
                let sorts = try browser.text(Self.edgeSorts)
                try browser.check(sorts.split(separator: "|").contains { $0 == words }, "\(trace): \(sorts)")
                try browser.expectQuiet()
            }
        }
        let path = Repository.url.appending(path: "Documentation/traces/tasks.json").path
        try #require(try CommandRun("report", path, "-o", "edges.html", in: folder).status == 0)
        try await Browser.open(URL(filePath: folder.path("edges.html"))) { browser in
            try browser.click("[data-graph=operation]")
            let woke = "A → B: B awaited A, or A woke it"
            let isWoken =
                "opviz.all.some((one) => { opviz.select(one); "
                + "return (\(Self.edgeSorts)).includes('\(woke)') })"
            try browser.expect(isWoken, true)
            // Its arrows are those of what is selected.
            try browser.evaluate("opviz.select(-1)")
            try browser.expect("\(Self.edgeSorts).includes('\(woke)')", false)
            try browser.expectQuiet()
        }
    }
}
