import Foundation
import Testing

/// No text of a page is cut, leaves its box or lies over another one, whatever the window's size.
@Suite("The texts of a page, in a browser", .needsBrowser)
struct PageTextTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func page(_ trace: String, _ name: String) throws -> URL {
        let run = try CommandRun("report", trace, "-o", "\(name).html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        return URL(filePath: folder.path("\(name).html"))
    }

    private static let traces = [
        "demo": "Documentation/sample/demo.json", "tasks": "Documentation/traces/tasks.json",
        "polling": "Tests/OpvizTests/Traces/faults/polling.optrace",
        "circle": "Tests/OpvizTests/Traces/faults/circle.optrace",
    ]
    /// Those of 100,000 operations, which `make soak` asks for, take minutes.
    private static let made = (["20", "2000"] + [ProcessInfo.processInfo.environment["OPVIZ_OPERATIONS"]])
        .compactMap { $0 }.flatMap { ["random \($0)", "nested \($0)"] }

    private func page(of name: String) throws -> URL {
        if let path = Self.traces[name] { return try page(Repository.url.appending(path: path).path, name) }
        let words = name.split(separator: " ").map(String.init)
        try folder.makeTrace(words[0], try #require(Int(words[1])), to: "made.json")
        return try page("made.json", "made")
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
        arguments: made + traces.keys.sorted())
    func whole(_ name: String) async throws {
        #expect(try await Self.found(in: page(of: name)) == [])
    }

    @Test(
        "no text is cut in DejaVu Sans, which is wide, nor in a font as narrow as Helvetica",
        arguments: [100, 88])
    func fonts(percent: Int) async throws {
        let found = try await Self.found(in: page(of: "demo")) { browser in
            // In the page's own sheet, because its content policy forbids others.
            let width = try browser.number(
                """
                (async () => {
                  const [sheet] = document.styleSheets;
                  for (const [weight, name] of [["normal", "DejaVu Sans"], ["bold", "DejaVu Sans Bold"]]) {
                    sheet.insertRule(`@font-face {
                      font-family: forced; font-weight: ${weight};
                      src: local("${name}"); size-adjust: \(percent)%;
                    }`);
                    await document.fonts.load(`${weight} 10px forced`);
                  }
                  sheet.insertRule("html { font-family: forced !important; }", sheet.cssRules.length);
                  const context = document.createElement("canvas").getContext("2d");
                  context.font = "100px forced";
                  return context.measureText("nnnnnnnnnn").width;
                })()
                """)
            try browser.check(abs(width - 634 * Double(percent) / 100) < 2, "the font is not used: \(width)")
        }
        #expect(found == [])
    }

    /// What is wrong in windows of all sizes, a line each.
    private static func found(
        in page: URL, prepare: @escaping @Sendable (Browser) throws -> Void = { _ in }
    ) async throws -> [String] {
        try await inEachWindow(page) { browser, window in
            try prepare(browser)
            let found = try problems(browser).sorted()
            try browser.expectQuiet()
            return found.map { "\(window): \($0)" }
        }
    }

    /// The page is loaded anew in a window of each size, in one browser: starting it takes longer.
    static func inEachWindow(
        _ page: URL, of sizes: [(Int, Int)] = [(390, 844), (1280, 800), (1600, 1000), (2560, 1440)],
        _ body: @escaping @Sendable (_ browser: Browser, _ window: String) throws -> [String]
    ) async throws -> [String] {
        let empty = try #require(URL(string: "about:blank"))
        return try await Browser.open(empty) { browser in
            try sizes.flatMap { width, height in
                try browser.resize(width: width, height: height)
                try browser.load(page)
                return try body(browser, "\(width) x \(height)")
            }
        }
    }

    private static func problems(_ browser: Browser) throws -> Set<String> {
        var found: Set<String> = []
        try inEachState(of: browser) { _ in
            found.formUnion(try browser.evaluate(probe) as? [String] ?? ["no answer"])
        }
        return found
    }

    /// - Parameter body: called after each action that opens something, with the action.
    static func inEachState(of browser: Browser, _ body: (String) throws -> Void) throws {
        func look(after action: String) throws {
            try browser.evaluate(action)
            try browser.settle()
            try body(action)
        }
        for state in states { try look(after: state) }
        let tabs = "[...document.querySelectorAll('[role=tab]:not([hidden])')]"
        for tab in 0..<Int(try browser.number("\(tabs).length")) {
            try look(after: "\(tabs)[\(tab)].click()")
        }
        for panel in ["graph-pane", "timeline-pane", "details", "tables"] {
            let button = "document.querySelector('[data-maximize=\(panel)]')"
            try look(after: "\(button).click()")
            try browser.evaluate("\(button).click()")
        }
    }

    @Test("names in the graph are whole, also of kinds, and in bars either long enough to be read or absent")
    func pictures() async throws {
        let page = try page(Repository.url.appending(path: "Documentation/sample/demo.json").path, "demo")
        let found = try await Self.inEachWindow(page) { browser, window in
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
            }
            let drawn = try browser.evaluate("drawn") as? [String] ?? []
            for whole in ["graph: download photo 4, attempt 2", "timeline: "] {
                try browser.check(drawn.contains { $0.hasPrefix(whole) }, "\(window): no \(whole)")
            }
            let cut = drawn.filter { text in
                // Not the sign of an operation that has not finished.
                guard text.contains("…"), !text.contains(": … ") else { return false }
                return text.hasPrefix("graph: ") || text.drop { $0 != ":" }.count < ": abc…def".count
            }
            return cut.map { "\(window): \($0)" }
        }
        #expect(found == [])
    }

    /// A line for each text that is cut by a box that does not scroll, leaves its own box or the window, or
    /// is over another text. Only a very long name in a table may be cut: the pointer shows the whole of it.
    private static let probe = """
        (() => {
          const found = new Set(), seen = [], boxes = new Map();
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
          const boxOf = (element) => {
            const { display, overflowX, overflowY } = getComputedStyle(element);
            if (display === 'inline' || display === 'contents') return undefined;
            const frame = element.getBoundingClientRect();
            const [left, top] = [frame.left + element.clientLeft, frame.top + element.clientTop];
            const [right, bottom] = [left + element.clientWidth, top + element.clientHeight];
            const head = element.querySelector(':scope > .headgroup');
            return {
              element, overflowX, overflowY, frame, inner: { left, top, right, bottom },
              head, headEnd: head?.getBoundingClientRect().bottom,
            };
          };
          const boxesAround = (element) => {
            if (element === document.documentElement) return [];
            if (!boxes.has(element)) {
              const own = boxOf(element), outer = boxesAround(element.parentElement);
              boxes.set(element, own ? [own, ...outer] : outer);
            }
            return boxes.get(element);
          };
          while (walker.nextNode()) {
            const node = walker.currentNode, made = node.parentElement;
            if (!node.data.trim() || made.closest(others) || isLongName(made, node.data)) continue;
            if (!made.checkVisibility({ visibilityProperty: true })) continue;
            // On a phone: a tap opens it.
            if (getComputedStyle(made).webkitLineClamp !== 'none') continue;
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
              for (const { overflowX, overflowY, frame, inner, head, headEnd } of boxesAround(made)) {
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
                if (head && !head.contains(made)) box.top = Math.max(box.top, headEnd);
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
