import EventLog
import Foundation
import Testing

/// What a reader sees of a page without looking for it: names that can be read, also on a phone.
@Suite("What a page shows, in a browser", .needsBrowser)
struct PageSightTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private func page(_ trace: String) throws -> URL {
        try page(Repository.url.appending(path: trace))
    }

    private func page(_ trace: URL) throws -> URL {
        let run = try CommandRun("report", trace.path, "-o", "page.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        return URL(filePath: folder.path("page.html"))
    }

    private static let demo = "Documentation/sample/demo.json"
    private static let faults = "Tests/OpvizTests/Traces/faults"

    /// Records what is drawn from now on, in order: texts with their middle, rectangles, and whether a
    /// rectangle is hatched.
    private static let record = """
        window.drawn = [];
        const { fillText, fillRect } = CanvasRenderingContext2D.prototype;
        CanvasRenderingContext2D.prototype.fillText = function(text, x, y) {
          const { width } = this.measureText(text);
          const font = parseFloat(this.font);
          drawn.push({ canvas: this.canvas.id, text, left: x, right: x + width, y, font });
          return fillText.call(this, text, x, y);
        };
        CanvasRenderingContext2D.prototype.fillRect = function(x, y, width, height) {
          const isHatched = this.fillStyle instanceof CanvasPattern;
          drawn.push({ canvas: this.canvas.id, left: x, right: x + width, y, width, height, isHatched });
          return fillRect.call(this, x, y, width, height);
        };
        """

    /// Names with something low behind or over the middle of their letters, unless it was covered before.
    private static let struck = """
        (() => {
          const all = drawn.filter(({ canvas }) => canvas === 'timeline');
          return all.flatMap((name, at) => {
            if (name.text === undefined || name.y < 26) return [];
            const [top, bottom] = [name.y - 3, name.y + 3];
            const isOver = ({ left, right, y, height }) => (
              left < name.right - 2 && right > name.left + 2 && y < bottom && y + height > top);
            const covers = ({ left, right, y, height }) => (
              height >= 10 && left <= name.left && right >= name.right - 1
              && y <= top && y + height >= bottom);
            const last = all.slice(0, at).findLastIndex(covers);
            const isLine = (one, other) => other > last && one.height < 10 && one.width > 1 && isOver(one);
            return all.some(isLine) ? [name.text] : [];
          });
        })()
        """

    @Test("words at edges of the graph lie over no box and over no other words")
    func wordsAtEdges() async throws {
        let (outer, next, last, inner) = (OperationID(1), OperationID(2), OperationID(3), OperationID(4))
        let queue = QueueID(1)
        func added(_ operation: OperationID, _ name: String, after: [OperationID] = []) -> LogEvent.Body {
            .enqueued(
                .init(operation: operation, kind: "Work", name: name, queue: queue, dependencies: after))
        }
        let bodies: [LogEvent.Body] = [
            .queueOpened(queue, name: "imports", limit: 1, isSuspended: false), added(outer, "import 0"),
            .ready(outer), .executing(outer), added(next, "import 1"), .ready(next),
            added(last, "publish", after: [outer, next]),
            .enqueued(
                .init(operation: inner, kind: "Work", name: "part 0", queue: queue, parent: outer)),
            .ready(inner), .waitBegan(.operation(inner), by: outer),
        ]
        try folder.write(hung: bodies, to: "trace.json")
        let trace = URL(filePath: folder.path("trace.json"))
        try await Browser.open(try page(trace), width: 1280, height: 800) { browser in
            try browser.evaluate(
                Self.record + """
                    window.boxes = [];
                    const { roundRect } = CanvasRenderingContext2D.prototype;
                    CanvasRenderingContext2D.prototype.roundRect = function(x, y, width, height, radius) {
                      boxes.push({ left: x, right: x + width, top: y, bottom: y + height });
                      return roundRect.call(this, x, y, width, height, radius);
                    };
                    """)
            try browser.click("#graph-fit")
            try browser.settle()
            let words = """
                [...new Map(drawn
                  .filter(({ canvas, text }) => canvas === 'graph' && /^(has|blocks)/.test(text))
                  .map((one) => [`${one.left} ${one.y}`, one])).values()]
                  .map((one) => ({ ...one, top: one.y - one.font / 2, bottom: one.y + one.font / 2 }))
                """
            let covered = """
                ((words) => words.filter((one, at) => [...boxes, ...words.slice(0, at)].some((other) => (
                  one.left < other.right && one.right > other.left && one.top < other.bottom
                  && one.bottom > other.top))).map(({ text }) => text))(\(words))
                """
            try browser.check(try browser.number("\(words).length") > 0, "no words")
            try browser.expect("\(covered).join()", "")
        }
    }

    @Test("no line goes through a name in the timeline, by queue and by operation", arguments: [1280, 2560])
    func names(width: Int) async throws {
        try await Browser.open(try page(Self.demo), width: width, height: width * 5 / 8) { browser in
            try browser.evaluate(Self.record)
            for rows in ["queue", "operation"] {
                try browser.click("[data-timeline=\(rows)]")
                for index in [3, 9, 20] {
                    try browser.evaluate("drawn.length = 0; opviz.select(\(index))")
                    try browser.settle()
                    let names = try browser.number(
                        "drawn.filter(({ text }) => text?.includes('photo')).length")
                    try browser.check(names > 0, "no name is drawn")
                    let found = try browser.evaluate(Self.struck) as? [String] ?? ["no answer"]
                    try browser.check(found.isEmpty, "\(rows), \(index): \(found)")
                }
            }
            try browser.expectQuiet()
        }
    }

    @Test(
        "headings are whole when their column sorts, and each says what it means",
        arguments: [390, 1280, 2560])
    func headings(width: Int) async throws {
        for trace in [Self.demo, "Documentation/traces/tasks.json"] {
            try await Browser.open(try page(trace), width: width, height: 900) { browser in
                let found = try browser.evaluate(Self.wrongHeadings) as? [String] ?? ["no answer"]
                try browser.check(found.isEmpty, "\(trace): \(found)")
                try browser.expect(
                    "[...document.querySelectorAll('.figure')].filter(({ title }) => !title).map((one) => "
                        + "one.textContent).join()", "")
                try browser.expectQuiet()
            }
        }
    }

    @Test("a panel that is maximized shows as much of the graph as then fits, and all of it once asked to")
    func maximized() async throws {
        try await Browser.open(try page(Self.demo), width: 1280, height: 800) { browser in
            let scale = "opviz.views.graph.scaleX"
            try browser.check(try browser.number(scale) < 0.81, "the graph fits already")
            try browser.press("1")
            try browser.expect("document.getElementById('graph-note').textContent", "43 operations visible")
            try browser.check(try browser.number(scale) > 0.81, "the graph does not fill its panel")
            try browser.press("1")
            try browser.check(abs(try browser.number(scale) - 0.8) < 0.01, "names cannot be read")
            try browser.click("#graph-fit")
            try browser.expect("document.getElementById('graph-note').textContent", "43 operations visible")
            try browser.expectQuiet()
        }
    }

    /// Clicks each heading of each tab twice.
    static let wrongHeadings = """
        (() => {
          const found = [];
          for (const tab of document.querySelectorAll('[role=tab]:not([hidden])')) {
            tab.click();
            const panel = document.getElementById(tab.getAttribute('aria-controls'));
            for (const heading of panel.querySelectorAll('[role=columnheader]')) {
              const button = heading.querySelector('button');
              if (!button.title) found.push(`${tab.textContent}, ${button.textContent}: no title`);
              for (let click = 0; click < 2; click += 1) {
                button.click();
                if (heading.scrollWidth <= heading.clientWidth) continue;
                found.push(`${tab.textContent}, ${button.textContent}: cut`);
              }
            }
          }
          return found;
        })()
        """

    @Test("after a selection out of sight, undo shows what the page showed first, a part of the graph")
    func undo() async throws {
        try await Browser.open(try page(Self.demo), width: 1280, height: 800) { browser in
            let view = "JSON.stringify(opviz.views.graph)"
            let first = try browser.text(view)
            try browser.evaluate("opviz.select(0)")
            try browser.check(try browser.text(view) != first, "the first operation was in sight")
            try browser.evaluate("document.getElementById('graph').focus()")
            try browser.press("u")
            try browser.expect(view, first)
            try browser.expectQuiet()
        }
    }

    @Test("on a phone the answer is short, words are whole, and the table shows how long operations took")
    func phone() async throws {
        try await Browser.open(try page(Self.demo), width: 390, height: 844) { browser in
            let heights =
                "[...document.querySelectorAll('#answer .summary')].map((one) => "
                + "Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)))"
            try browser.check(try browser.number("\(heights)[0]") <= 4, "the first is long")
            try browser.expect("Math.max(...\(heights).slice(1))", 1)
            // The first tap opens the rest, the second one the finding.
            try browser.click("#answer li:nth-child(2) button")
            try browser.check(try browser.number("\(heights)[1]") > 1, "it is still cut")
            try browser.expect("document.getElementById('findings').hidden", true)
            try browser.click("#answer li:nth-child(2) button")
            try browser.expect("document.getElementById('findings').hidden", false)
            try browser.click("#tab-operations")
            let broken = """
                [...document.querySelectorAll('#story td')].flatMap((cell) => {
                  const found = [], walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
                  while (walker.nextNode()) {
                    for (const { 0: word, index } of walker.currentNode.data.matchAll(/[a-z]+/g)) {
                      const range = document.createRange();
                      range.setStart(walker.currentNode, index);
                      range.setEnd(walker.currentNode, index + word.length);
                      if (range.getClientRects().length > 1) found.push(word);
                    }
                  }
                  return found;
                }).join()
                """
            try browser.expect(broken, "")
            let story = "document.getElementById('story')"
            try browser.expect("\(story).scrollWidth - \(story).clientWidth", 0)
            let lifetime =
                "[...document.querySelectorAll('#operations-table [role=columnheader]')]"
                + ".find((one) => one.textContent === 'lifetime').getBoundingClientRect().right"
            try browser.check(try browser.number(lifetime) < 390, "the lifetime is not in sight")
            try browser.evaluate(Self.record)
            for button in ["[data-timeline=operation]", "[data-timeline=queue]", "[data-graph=kind]"] {
                try browser.click(button)
            }
            let least = try browser.number("Math.min(...drawn.flatMap(({ font }) => font ?? []))")
            try browser.check(least >= 10, "a text has \(least) pixels")
            try browser.expectQuiet()
        }
    }

    /// Whether something was drawn over all of the last hatch.
    private static let isHatchCovered = """
        (() => {
          const at = drawn.findLastIndex(({ isHatched, width }) => isHatched && width > 100);
          const { left, right, y, height } = drawn[at];
          return drawn.slice(at + 1).some((one) => one.left <= left && one.right >= right - 1
            && one.y <= y + 1 && one.y + one.height >= y + height - 1);
        })()
        """

    @Test(
        "operations that never started are named over the hatch of their queue, and have no time in the graph"
    )
    func neverStarted() async throws {
        for (trace, name) in [
            ("\(Self.faults)/suspended.optrace", "upload 1, upload 2, upload 3 never started"),
            ("Documentation/traces/stuck.json", "page 3, download for page 1 and 1 more never started"),
        ] {
            try await Browser.open(try page(trace), width: 1280, height: 800) { browser in
                try browser.evaluate(Self.record)
                try browser.evaluate("document.getElementById('theme').click()")
                try browser.settle()
                let texts = try browser.evaluate("drawn.flatMap(({ text }) => text ?? [])") as? [String] ?? []
                try browser.check(texts.contains { $0.contains(name) }, "\(name) is not in \(texts)")
                try browser.check(!texts.contains("0 ns"), "a box has a time of zero")
                if trace.contains("suspended") {
                    try browser.expect(Self.isHatchCovered, false)
                }
                try browser.expectQuiet()
            }
        }
    }
}
