import Foundation
import Testing

/// What the graph of a page says of the edge under the pointer, in a real browser.
@Suite("Tooltips of edges, in a browser", .needsBrowser)
struct GraphHoverTests {
    private let folder: Folder
    private static let traces = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Traces")
    private static let tip = "document.getElementById('tooltip')"
    /// The number of the operation of that name.
    private static func operation(_ name: String) -> String {
        "opviz.all.find((one) => opviz.nameOf(one) === '\(name)')"
    }
    /// Between the middles of two boxes, which is the middle of an edge that leads to the right.
    private static func middle(_ from: String, _ to: String, below: Double = 0) -> String {
        "(([[x1, y1], [x2, y2]]) => [(x1 + x2) / 2, (y1 + y2) / 2 + \(below)])"
            + "([\(from), \(to)].map(opviz.placeInGraph))"
    }
    private static func between(_ from: String, _ to: String, below: Double = 0) -> String {
        middle(operation(from), operation(to), below: below)
    }

    init() throws { folder = try Folder() }

    private func page(_ trace: String) throws -> URL {
        let path = Self.traces.appending(path: trace).path
        let run = try CommandRun("report", path, "-o", "page.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        return URL(filePath: folder.path("page.html"))
    }

    /// What the tooltip says, line by line.
    private static let lines = "\(tip).innerText.split('\\n').filter(Boolean)"

    @Test("an edge near the pointer says what it is, with both names, unless a box is there")
    func dependencies() async throws {
        try await Browser.open(try page("quotes.json")) { browser in
            try browser.click("[data-graph=operation]")
            let (download, parse) = ("DownloadPage 0x1e", "ParsePage 0x1f")
            try browser.evaluate("opviz.select(\(Self.operation(parse)))")
            try browser.evaluate("document.getElementById('graph').focus()")
            try browser.press("f")
            try browser.hover(at: Self.between(download, parse))
            try browser.expect(
                "\(Self.lines).join('|')",
                "\(download) → \(parse)|\(parse) depends on it, its last dependency")
            try browser.hover(at: Self.between("page 3", download))
            try browser.expect(
                "\(Self.lines).join('|')", "page 3 → \(download)|page 3 added \(download)")
            // The edge ends at this box, and another one passes below it.
            try browser.hover(at: "opviz.placeInGraph(\(Self.operation(parse)))")
            try browser.expect("\(Self.lines)[0]", "ParsePage")
            try browser.hover(at: "[5, 5]")
            try browser.expect("\(Self.tip).hidden", true)
            try browser.expectQuiet()
        }
    }

    @Test("an edge between kinds has the number of edges of each sort")
    func kinds() async throws {
        try await Browser.open(try page("quotes.json")) { browser in
            try browser.click("[data-graph=kind]")
            let kinds = try #require(
                try browser.evaluate(
                    "[...document.querySelectorAll('#kinds-table .rows [data-row]')]"
                        + ".sort((a, b) => a.dataset.row - b.dataset.row)"
                        + ".map((row) => row.children[0].textContent)"
                ) as? [String])
            let number = { (kind: String) in "\(kinds.firstIndex(of: kind) ?? -1)" }
            try browser.hover(at: Self.middle(number("DownloadPage"), number("ParsePage")))
            try browser.expect(
                "\(Self.lines).join('|')",
                "DownloadPage → ParsePage|20 dependencies, of which 20 finished last|1 on the critical path")
            try browser.hover(at: Self.middle(number("ImportPage"), number("DownloadPage")))
            try browser.expect("\(Self.lines).join('|')", "ImportPage → DownloadPage|20 added")
            try browser.expectQuiet()
        }
    }

    @Test(
        "an edge to what never finished, or was never added, says so",
        arguments: [
            ("circle", "resize 1", "decode 1", "which has not finished"),
            ("never-added", "login", "decode 4", "which was never added to a queue"),
        ])
    func standstills(fault: String, first: String, second: String, why: String) async throws {
        try await Browser.open(try page("faults/\(fault).optrace")) { browser in
            try browser.click("[data-graph=operation]")
            try browser.hover(at: Self.between(first, second))
            try browser.expect(
                "\(Self.lines).join('|')", "\(first) → \(second)|\(second) waits for \(first), \(why)")
            try browser.hover(at: "[5, 5]")
            try browser.hover(at: Self.between(first, second, below: 4))
            try browser.expect("\(Self.tip).hidden", false)
            try browser.hover(at: Self.between(first, second, below: 12))
            try browser.expect("\(Self.tip).hidden", true)
            try browser.expectQuiet()
        }
    }

    @Test("an edge of tasks says what one created or awaited, and that it is on the critical path")
    func tasks() async throws {
        try await Browser.open(try page("../../../Documentation/traces/tasks.json")) { browser in
            try browser.click("[data-graph=operation]")
            let (parent, child) = ("async main", "page 4")
            try browser.hover(at: Self.between(parent, child))
            try browser.expect(
                "\(Self.lines).join('|')",
                "\(parent) → \(child)|\(parent) added \(child)|part of the critical path")
            try browser.expectQuiet()
        }
    }

    @Test("an edge of what two operations wait for has its words, and that it goes in both directions")
    func mutual() async throws {
        let stuck = "../../../Documentation/traces/stuck.json"
        try await Browser.open(try page(stuck)) { browser in
            try browser.click("[data-graph=operation]")
            let found = try browser.text(
                """
                (() => {
                  const canvas = document.getElementById('graph');
                  const frame = canvas.getBoundingClientRect();
                  const found = new Set();
                  for (let x = 0; x < frame.width; x += 4) {
                    for (let y = 0; y < frame.height; y += 4) {
                      const place = { clientX: frame.x + x, clientY: frame.y + y };
                      canvas.dispatchEvent(new PointerEvent('pointermove', place));
                      found.add(\(Self.lines).join('|'));
                    }
                  }
                  return [...found].join('\\n');
                })()
                """)
            let (page, download) = ("page 1", "download for page 1")
            let mutual = "in both directions: each waits for the other"
            try browser.check(
                found.contains("\(page) → \(download)|\(page) has a slot of imports|\(mutual)"), found)
            try browser.check(found.contains("\(download) → \(page)|\(download) blocks|\(mutual)"), found)
        }
    }
}
