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
}
