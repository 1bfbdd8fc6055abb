import Foundation
import Testing

/// No text of a page is cut, leaves its box or lies over another one, whatever the window's size.
@Suite("The texts of a page, in a browser", .needsBrowser)
struct PageTextTests {
    private let folder: Folder
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    init() throws { folder = try Folder() }

    private func page(_ trace: String, _ name: String) throws -> URL {
        let run = try CommandRun("report", trace, "-o", "\(name).html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        return URL(filePath: folder.path("\(name).html"))
    }

    private func pages(_ sizes: [Int]) throws -> [URL] {
        var pages: [URL] = []
        for count in sizes {
            for shape in ["random", "nested"] {
                try folder.makeTrace(shape, count, to: "\(shape)-\(count).json")
                pages.append(try page("\(shape)-\(count).json", "\(shape)-\(count)"))
            }
        }
        for (name, path) in [
            ("demo", "Documentation/sample/demo.json"), ("tasks", "Documentation/traces/tasks.json"),
            ("polling", "Tests/OpvizTests/Traces/faults/polling.optrace"),
            ("circle", "Tests/OpvizTests/Traces/faults/circle.optrace"),
        ] {
            pages.append(try page(Self.root.appending(path: path).path, name))
        }
        return pages
    }

    /// What is opened one after the other.
    private static let states = [
        "", "document.getElementById('theme').click()",
        "document.querySelectorAll('#findings .finding').forEach((one) => { one.open = true; })",
        "opviz.select(opviz.rows[Math.min(3, opviz.rows.length - 1)])",
        "document.querySelector('[data-timeline=operation]').click()",
        "search.value = 'e'; search.dispatchEvent(new Event('input'))",
        "document.getElementById('help-open').click()",
        "document.getElementById('help-close').click()",
    ]

    @Test(
        "no text is cut, leaves its box or lies over another, in light and in dark", .needs("python3"),
        arguments: [(390, 844), (1280, 800), (1600, 1000), (2560, 1440)])
    func whole(width: Int, height: Int) async throws {
        for page in try pages([20, 2000]) {
            let found = try await Browser.open(page, width: width, height: height) { browser in
                var found: Set<String> = []
                let look = {
                    try browser.settle()
                    found.formUnion(try browser.evaluate(Self.probe) as? [String] ?? ["no answer"])
                }
                for state in Self.states {
                    try browser.evaluate(state)
                    try look()
                }
                let tabs = "[...document.querySelectorAll('[role=tab]:not([hidden])')]"
                for tab in 0..<Int(try browser.number("\(tabs).length")) {
                    try browser.evaluate("\(tabs)[\(tab)].click()")
                    try look()
                }
                for panel in ["graph-pane", "timeline-pane", "details", "tables"] {
                    try browser.click("[data-maximize=\(panel)]")
                    try look()
                    try browser.click("[data-maximize=\(panel)]")
                }
                try browser.expectQuiet()
                return found.sorted()
            }
            #expect(found == [], "\(page.lastPathComponent)")
        }
    }

    @Test("names in the graph are whole, also of kinds, and in bars either long enough to be read or absent")
    func pictures() async throws {
        let page = try page(Self.root.appending(path: "Documentation/sample/demo.json").path, "demo")
        for (width, height) in [(390, 844), (1280, 800), (1600, 1000), (2560, 1440)] {
            let drawn = try await Browser.open(page, width: width, height: height) { browser in
                try browser.evaluate(
                    """
                    window.drawn = [];
                    const { fillText } = CanvasRenderingContext2D.prototype;
                    CanvasRenderingContext2D.prototype.fillText = function(text, ...place) {
                      drawn.push(`${this.canvas.id}: ${text}`);
                      return fillText.call(this, text, ...place);
                    };
                    """)
                for button in [
                    "[data-graph=kind]", "[data-graph=operation]", "#graph-fit", "#graph-in", "#timeline-in",
                    "#timeline-in", "#timeline-fit", "[data-timeline=operation]",
                ] {
                    try browser.click(button)
                    try browser.settle()
                }
                return try #require(try browser.evaluate("drawn") as? [String])
            }
            #expect(drawn.contains { $0.hasPrefix("graph: download photo 4, attempt 2") }, "\(width)")
            #expect(drawn.contains { $0.hasPrefix("timeline: ") })
            #expect(drawn.filter { $0.hasPrefix("graph: ") && $0.hasSuffix("…") } == [], "\(width)")
            let unreadable = drawn.filter { text in
                text.hasSuffix("…") && text.drop { $0 != ":" }.count < ": abcde…".count
            }
            #expect(unreadable == [], "\(width)")
        }
    }

    /// A line for each text that is cut by a box that does not scroll, leaves its own box or the window, or
    /// is over another text. Only a very long name in a table may be cut: the pointer shows the whole of it.
    private static let probe = """
        (() => {
          const found = new Set(), seen = [];
          const root = document.querySelector('dialog[open]') ?? document.body;
          const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
          const isLongName = ({ role, title }, text) => {
            return role === 'gridcell' && title === text && text.length > 25;
          };
          const others = 'script, style, title, noscript, .visually-hidden, #tooltip, svg';
          const within = (box, { left, right, top, bottom }, isAcross) => {
            return isAcross ? box.left >= left - 1 && box.right <= right + 1
              : box.top >= top - 2 && box.bottom <= bottom + 2;
          };
          while (walker.nextNode()) {
            const node = walker.currentNode, made = node.parentElement;
            if (!node.data.trim() || made.closest(others) || isLongName(made, node.data)) continue;
            if (!made.checkVisibility({ visibilityProperty: true })) continue;
            const say = (what) => {
              const id = made.closest('[id]')?.id;
              found.add(`${node.data.trim().slice(0, 40)} in ${made.tagName} of ${id}: ${what}`);
            };
            const range = document.createRange();
            range.selectNodeContents(node);
            for (const full of range.getClientRects()) {
              if (full.width < 0.5) continue;
              const box = { left: full.left, right: full.right, top: full.top, bottom: full.bottom };
              let isClipped = false;
              for (let outer = made; outer !== document.documentElement; outer = outer.parentElement) {
                const { display, overflowX, overflowY } = getComputedStyle(outer);
                if (display === 'inline' || display === 'contents') continue;
                const frame = outer.getBoundingClientRect();
                const [left, top] = [frame.left + outer.clientLeft, frame.top + outer.clientTop];
                const [right, bottom] = [left + outer.clientWidth, top + outer.clientHeight];
                const inner = { left, top, right, bottom };
                if (overflowX === 'hidden' && !within(box, inner, true)) say('cut');
                if (overflowY === 'hidden' && !within(box, inner, false)) say('cut');
                const isFree = isClipped || overflowX !== 'visible' || within(full, frame, true);
                if (!isFree) say('leaves its box');
                if (overflowX !== 'visible') {
                  isClipped = true;
                  box.left = Math.max(box.left, inner.left);
                  box.right = Math.min(box.right, inner.right);
                }
                if (overflowY !== 'visible') {
                  box.top = Math.max(box.top, inner.top);
                  box.bottom = Math.min(box.bottom, inner.bottom);
                }
                const head = outer.querySelector(':scope > .headgroup');
                const isBelow = head && !head.contains(made);
                if (isBelow) box.top = Math.max(box.top, head.getBoundingClientRect().bottom);
              }
              if (box.right > innerWidth + 1) say('leaves the window');
              if (box.right - box.left > 1 && box.bottom - box.top > 1) seen.push([box, say, node]);
            }
          }
          seen.sort(([one], [other]) => one.top - other.top);
          seen.forEach(([box, say, node], at) => {
            for (let next = at + 1; next < seen.length && seen[next][0].top < box.bottom; next += 1) {
              const [other, , its] = seen[next];
              const width = Math.min(box.right, other.right) - Math.max(box.left, other.left);
              const height = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
              if (its !== node && width > 1 && height > 4) say(`is over ${its.data.trim().slice(0, 40)}`);
            }
          });
          return [...found];
        })()
        """
}
