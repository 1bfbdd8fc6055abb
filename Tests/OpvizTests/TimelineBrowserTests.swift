import EventLog
import Foundation
import Testing

/// What the timeline says and shows, in a real browser.
@Suite("The timeline of a page, in a browser", .needsBrowser)
struct TimelineBrowserTests {
    private let folder: Folder
    private static let millisecond: Int64 = 1_000_000

    init() throws { folder = try Folder() }

    /// - Parameters:
    ///   - events: their times in milliseconds.
    ///   - lastAlive: when the trace ends, in milliseconds.
    private func page(
        _ events: [(time: Int64, body: LogEvent.Body)], lastAlive: Int64 = 0
    ) throws -> URL {
        let header = LogHeader(
            process: "test", processID: 7, host: "box", start: 0, isClosed: true,
            lastAlive: lastAlive * Self.millisecond)
        let events = events.map { LogEvent(time: $0.time * Self.millisecond, thread: 1, $0.body) }
        try folder.write(EventLogContents(header: header, events: events), to: "trace.json")
        try #require(try CommandRun("report", "trace.json", in: folder).status == 0)
        return URL(filePath: folder.path("trace.html"))
    }

    @Test("a range counts a parent that finished before its child, which it did not wait for")
    func earlierParent() async throws {
        let (parent, child) = (OperationID(1), OperationID(2))
        let page = try page([
            (0, .enqueued(.init(operation: parent, kind: "Parent", queue: QueueID(1)))),
            (0, .ready(parent)), (0, .executing(parent)),
            (20, .enqueued(.init(operation: child, kind: "Child", queue: QueueID(2), parent: parent))),
            (20, .ready(child)), (50, .executing(child)), (100, .finished(parent, .succeeded)),
            (200, .finished(child, .succeeded)),
        ])
        try await Browser.open(page) { browser in
            let range = try browser.text("opviz.textOfRange(...opviz.span)")
            try browser.check(range.contains("work 250 ms, 1.25 at once, peak 2"), range)
            let figures = try browser.text("document.getElementById('figures').textContent")
            for figure in ["work250 ms", "at once1.25", "peak 2"] {
                try browser.check(figures.contains(figure), "\(figure) is not in \(figures)")
            }
            try browser.expectQuiet()
        }
    }

    @Test("a long bar is drawn also if a short one before it in its lane ends within the same pixel")
    func longAfterShort() async throws {
        let (short, long) = (OperationID(1), OperationID(2))
        let page = try page([
            (0, .enqueued(.init(operation: short, kind: "Short", queue: QueueID(1)))),
            (0, .ready(short)), (10, .executing(short)),
            (10, .enqueued(.init(operation: long, kind: "Long", queue: QueueID(1)))), (10, .ready(long)),
            (11, .finished(short, .succeeded)), (11, .executing(long)), (10_000, .finished(long, .succeeded)),
        ])
        try await Browser.open(page) { browser in
            try browser.click("[data-timeline=queue]")
            try browser.evaluate("opviz.select(-1)")
            try browser.settle()
            let colors = """
                (([x, y]) => {
                  const canvas = document.getElementById('timeline');
                  const frame = canvas.getBoundingClientRect();
                  const border = y + opviz.views.timeline.scaleY / 2;
                  const context = canvas.getContext('2d');
                  const { data } = context.getImageData(x - frame.x, border - frame.y - 5, 1, 10);
                  return new Set(data.filter((_, at) => at % 4 === 0)).size;
                })(opviz.placeInTimeline(1))
                """
            // Across its lower border: the background, the border, and the color of the bar.
            try browser.check(try browser.number(colors) > 1, "nothing is drawn there")
            try browser.expectQuiet()
        }
    }

    @Test("the timeline of a run that stood still shows the part before, also if a task ran to the end")
    func runningTask() async throws {
        let (stuck, done, task) = (OperationID(1), OperationID(2), OperationID(1 << 40))
        let page = try page(
            [
                (0, .enqueued(.init(operation: stuck, kind: "Stuck", queue: QueueID(1)))),
                (0, .ready(stuck)), (1, .executing(stuck)),
                (
                    2,
                    .taskCreated(
                        .init(
                            task: task, kind: "spin()", creation: .unstructured, priority: 21, isQueued: true)
                    )
                ),
                (3, .runBegan(task, executor: nil, name: nil)),
                (4, .enqueued(.init(operation: done, kind: "Done", queue: QueueID(2)))),
                (4, .ready(done)), (5, .executing(done)), (20, .finished(done, .succeeded)),
            ], lastAlive: 10_000)
        try await Browser.open(page) { browser in
            let shown =
                try browser.number("document.getElementById('timeline').clientWidth")
                / browser.number("opviz.views.timeline.scaleX")
            let whole = try browser.number("opviz.span[1] - opviz.span[0]")
            try browser.check(whole == 10_000_000_000, "the whole run is \(whole)")
            try browser.check(shown < whole / 100, "\(shown) of \(whole)")
            try browser.expectQuiet()
        }
    }

    @Test(
        "a finger selects a range after a long press, and moves the timeline without one",
        arguments: [500, 1200])
    func longPress(width: Int) async throws {
        let (one, other) = (OperationID(1), OperationID(2))
        let page = try page([
            (0, .enqueued(.init(operation: one, kind: "Work", queue: QueueID(1)))),
            (0, .ready(one)), (0, .executing(one)), (100, .finished(one, .succeeded)),
            (100, .enqueued(.init(operation: other, kind: "Work", queue: QueueID(1)))),
            (100, .ready(other)), (100, .executing(other)), (200, .finished(other, .succeeded)),
        ])
        try await Browser.open(page, width: width, height: 900) { browser in
            try browser.call("Emulation.setTouchEmulationEnabled", ["enabled": true])
            let (view, range) = ("JSON.stringify(opviz.views.timeline)", "opviz.range")
            // Enlarged, so that it can be moved.
            try browser.evaluate("opviz.zoom('timeline', 3)")
            try browser.settle()
            let before = try browser.text(view)
            try browser.swipe("#timeline", by: 60)
            try browser.expect("\(range) === null", true)
            try browser.check(try browser.text(view) != before, "a short drag does not move it")

            let start = try browser.text(view)
            let scale = try browser.number("opviz.views.timeline.scaleX")
            // Also where a finger would scroll the window.
            for down in [0.0, 40] {
                try browser.swipe("#timeline", by: 60, down: down, after: 0.7)
                try browser.expect(view, start)
                let bounds = try #require(try browser.evaluate(range) as? [NSNumber]).map(\.doubleValue)
                let pixels = (bounds[1] - bounds[0]) * scale
                try browser.check(abs(pixels - 60) < 1, "\(pixels) pixels")
                try browser.expect("document.getElementById('range').hidden", false)
            }
            // A long press alone selects nothing.
            try browser.swipe("#timeline", by: 0, after: 0.7)
            try browser.expect("\(range) === null", true)
            try browser.expect("document.getElementById('range').hidden", true)
            // The graph has no time.
            try browser.swipe("#graph", by: 60, after: 0.7)
            try browser.expect("\(range) === null", true)
            try browser.expectQuiet()
        }
    }

    /// Operations that never start, each after the next one, and the last after the first.
    private static func ring(_ count: UInt64) -> [(time: Int64, body: LogEvent.Body)] {
        let all = (1...count).map { number -> (time: Int64, body: LogEvent.Body) in
            let next = OperationID(number % count + 1)
            return (
                0,
                .enqueued(
                    .init(
                        operation: OperationID(number), kind: "Work", name: "step \(number)",
                        queue: QueueID(1), dependencies: [next]))
            )
        }
        let other = OperationID(count + 1)
        return all + [
            (0, .enqueued(.init(operation: other, kind: "Other", queue: QueueID(2)))), (0, .ready(other)),
            (1, .executing(other)), (50, .finished(other, .succeeded)),
        ]
    }

    @Test("the members of a circle are outlined, with an arrow from each, also if they share a row")
    func circle() async throws {
        try await Browser.open(try page(Self.ring(3), lastAlive: 100)) { browser in
            try browser.settle()
            // All begin within the same pixel.
            try browser.expect("opviz.circles.outlined.join()", "0")
            try browser.expect("opviz.circles.arrows.length", 1)
            try browser.click("[data-timeline=operation]")
            try browser.click("#timeline-fit")
            try browser.settle()
            try browser.expect("opviz.circles.outlined.join()", "0,1,2")
            try browser.expect(
                "opviz.circles.arrows.map((pair) => pair.map(opviz.nameOf).join('→')).sort().join()",
                "step 1→step 2,step 2→step 3,step 3→step 1")
            try browser.hover(at: "opviz.placeInTimeline(1)")
            let tip = try browser.text("document.getElementById('tooltip').innerText")
            try browser.check(tip.contains("circle of waits: waits for step 3"), tip)
            let button =
                "[...document.querySelectorAll('#legend button')]"
                + ".find(({ textContent }) => textContent === 'circle of waits')"
            try browser.check(
                try browser.text("\(button).title").contains("each waits for the next"), "title")
            try browser.evaluate("\(button).click()")
            try browser.expect("opviz.matches", 3)
            try browser.expectQuiet()
        }
    }

    @Test("of a large circle, graph and timeline draw 50 arrows and say how many more there are")
    func largeCircle() async throws {
        try await Browser.open(try page(Self.ring(60), lastAlive: 100)) { browser in
            try browser.click("#graph-fit")
            try browser.settle()
            let note = try browser.text("document.getElementById('graph-note').textContent")
            try browser.check(note.hasSuffix(" · 10 more arrows of circles not drawn"), note)
            try browser.expectQuiet()
        }
        // Each blocks its thread until the next one has finished.
        let count: UInt64 = 150
        let events = (1...count).flatMap { number -> [(time: Int64, body: LogEvent.Body)] in
            let operation = OperationID(number)
            let wait = LogEvent.Body.waitBegan(.operation(OperationID(number % count + 1)), by: operation)
            return [
                (0, .enqueued(.init(operation: operation, kind: "Work", queue: QueueID(1)))),
                (0, .ready(operation)), (1, .executing(operation)), (2, wait),
            ]
        }.sorted { $0.time < $1.time }
        try await Browser.open(try page(events, lastAlive: 10)) { browser in
            try browser.click("#timeline-fit")
            try browser.settle()
            let (arrows, omitted) = (
                try browser.number("opviz.circles.arrows.length"),
                try browser.number("opviz.circles.omitted")
            )
            try browser.check(arrows == 50 && omitted > 0, "\(arrows) arrows, \(omitted) omitted")
            let note = try browser.text("document.getElementById('timeline-note').textContent")
            try browser.check(note.contains("more arrows of circles not drawn"), note)
            try browser.click("[data-graph=operation]")
            try browser.click("#graph-fit")
            try browser.settle()
            let ofGraph = try browser.text("document.getElementById('graph-note').textContent")
            try browser.check(ofGraph.hasSuffix(" · 100 more arrows of circles not drawn"), ofGraph)
            try browser.expectQuiet()
        }
    }

    @Test("tasks that await each other are outlined, with an arrow from each in graph and timeline")
    func awaitCircle() async throws {
        let executor = QueueID(1)
        func task(_ number: UInt64) -> OperationID { OperationID(1 << 40 + number) }
        func run(_ number: UInt64, _ name: String, from time: Int64, awaits other: UInt64) -> [(
            time: Int64, body: LogEvent.Body
        )] {
            let created = LogEvent.TaskCreation(
                task: task(number), kind: name, creation: .unstructured, parent: nil, priority: 21,
                isQueued: true)
            return [
                (time, .taskCreated(created)), (time, .runBegan(task(number), executor: executor, name: nil)),
                (time + 1, .runEnded(task(number), .init(awaits: .task, task: task(other)))),
            ]
        }
        let events =
            [(0, .executorOpened(executor, .pool, name: "pool"))] + run(1, "show()", from: 0, awaits: 2)
            + run(2, "fill()", from: 2, awaits: 3) + run(3, "load()", from: 4, awaits: 2)
        try await Browser.open(try page(events, lastAlive: 100)) { browser in
            let arrows = "opviz.circles.arrows.map((pair) => pair.map(opviz.nameOf).join('→')).sort().join()"
            for rows in ["queue", "operation"] {
                try browser.click("[data-timeline=\(rows)]")
                try browser.settle()
                try browser.expect("opviz.circles.outlined.join()", "1,2")
                try browser.expect(arrows, "fill()→load(),load()→fill()")
            }
            try browser.expect("document.querySelector('[data-graph=operation]').ariaPressed", "true")
            let figures = try browser.text("document.getElementById('figures').innerText")
            try browser.check(figures.contains("tasks") && !figures.contains("critical path"), figures)
            try browser.check(!figures.contains("operations"), figures)
            try browser.expectQuiet()
        }
    }
}
