import Foundation
import Testing

/// Where axe-core is: `Tests/accessibility.sh` says so.
private let library = ProcessInfo.processInfo.environment["OPVIZ_AXE"]

/// What axe-core finds on pages.
@Suite("The rules of accessibility, in a browser", .needsBrowser, .enabled(if: library != nil))
struct AccessibilityTests {
    private static let probe = """
        axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, any, all, none }) =>
            `${id}: ${html.slice(0, 100)}: ${[...any, ...all, ...none][0]?.message}`)))
        """
    /// `make soak` looks at all of them.
    private static let pages =
        ProcessInfo.processInfo.environment["OPVIZ_PAGES"] == "all"
        ? ["demo", "tasks", "two runs"] : ["demo"]

    @Test("axe-core finds nothing on a page, whatever is open", arguments: pages)
    func rules(page name: String) async throws {
        let folder = try Folder()
        let traces = Repository.url.appending(path: "Documentation/traces").path
        let sample = Repository.url.appending(path: "Documentation/sample/demo.json").path
        let arguments =
            switch name {
            case "demo": ["report", sample]
            case "tasks": ["report", "\(traces)/tasks.json"]
            default: ["diff", "\(traces)/before.json", "\(traces)/after.json"]
            }
        let run = try CommandRun(arguments + ["-o", "page.html"], in: folder)
        try #require(run.status == 0, "\(run.error)")
        let rules = try String(contentsOfFile: try #require(library), encoding: .utf8)
        let found = try await PageTextTests.inEachWindow(
            URL(filePath: folder.path("page.html")), of: [(390, 844), (1280, 800)]
        ) { browser, window in
            try browser.evaluate(rules + "; 0")
            // It would see the colours of a transition.
            try browser.evaluate("document.styleSheets[0].insertRule('* { transition: none !important; }')")
            var found: Set<String> = []
            try PageTextTests.inEachState(of: browser) { action in
                let problems = try browser.evaluate(Self.probe) as? [String] ?? ["no answer"]
                found.formUnion(problems.map { "\(window), after \(action): \($0)" })
            }
            try browser.expectQuiet()
            return found.sorted()
        }
        #expect(found == [])
    }
}
