import EventLog
import Foundation
import Testing

/// The tasks of a page of two runs in a real browser.
@Suite("Tasks on the page of two runs, in a browser", .needsBrowser)
struct ComparisonTasksBrowserTests {
    private let folder: Folder
    private let page: URL

    /// Both runs are the guide's. All times of the earlier one are 100 ms greater. In the later one, the
    /// actor `Journal` is called `Archive`.
    init() throws {
        folder = try Folder()
        let guide = Repository.url.appending(path: "Documentation/traces/tasks.json")
        let text = try String(contentsOf: guide, encoding: .utf8)
        let before = text.replacing(/("ts":|"lastAlive":")([0-9.]+)/) { match in
            let later = (Double(match.2) ?? 0) + 100_000
            return match.1 + String(format: match.1 == "\"ts\":" ? "%.3f" : "%020.3f", later)
        }
        let after = text.replacing("\"Journal\"", with: "\"Archive\"")
        try #require(before != text && after != text)
        try Data(before.utf8).write(to: URL(filePath: folder.path("before.json")))
        try Data(after.utf8).write(to: URL(filePath: folder.path("after.json")))
        let run = try CommandRun("diff", "before.json", "after.json", "-o", "diff.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        page = URL(filePath: folder.path("diff.html"))
    }

    private static let tip = "document.getElementById('tooltip').innerText"
    /// On the actor `Cache` for 50 ms: the fifth stay of the task.
    private static let onCache = "opviz.placeOfOther('page 1', 4)"

    /// Whether the colour around each place of the timeline is mostly that of the other run's bars. Reads the
    /// canvas once: Chromium logs a warning about more.
    private static func areStrong(_ places: String) -> String {
        """
        ((places) => {
          const canvas = document.getElementById('timeline');
          const frame = canvas.getBoundingClientRect();
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          const muted = getComputedStyle(document.documentElement).getPropertyValue('--mutedText');
          return places.map(([x, y]) => {
            const counts = new Map();
            for (let dx = -40; dx < 40; dx += 1) {
              const at = 4 * (Math.floor(y - frame.y) * canvas.width + Math.floor(x - frame.x) + dx);
              const color = [...data.slice(at, at + 3)].map((one) => one.toString(16).padStart(2, '0'));
              counts.set(color.join(''), (counts.get(color.join('')) ?? 0) + 1);
            }
            return '#' + [...counts].sort((a, b) => b[1] - a[1])[0][0] === muted;
          }).join();
        })([\(places)])
        """
    }

    /// By queue, with room for all its rows, and without an outline.
    private static func showTimeline(in browser: Browser) throws {
        try browser.click("[data-timeline=queue]")
        try browser.click("[data-maximize=timeline-pane]")
        try browser.evaluate("opviz.select(-1)")
        try browser.settle()
    }

    @Test(
        "by queue, the lanes of the other run's executors are below those of the same name, else last"
    )
    func headings() async throws {
        try await Browser.open(page, width: 1280, height: 1000) { browser in
            try browser.click("[data-timeline=queue]")
            let titles = try browser.text("opviz.rowTitles.join('|')")
                .split(separator: "|").map(String.init)
            try browser.check(
                titles == [
                    "network · limit 2", "network · limit 2 · the earlier run",
                    "global executor · 5 tasks, 20 runs",
                    "global executor · 5 tasks, 20 runs · the earlier run",
                    "main actor · 1 task, 2 runs", "main actor · 1 task, 2 runs · the earlier run",
                    "Cache · 4 tasks, 4 runs", "Cache · 4 tasks, 4 runs · the earlier run",
                    "Archive · 4 tasks, 4 runs · only in the later run",
                    "Journal · 4 tasks, 4 runs · only in the earlier run",
                ], "\(titles)")
            try browser.expectQuiet()
        }
    }

    @Test("executors of the same name correspond if their numbers differ")
    func numbers() async throws {
        let text = try String(contentsOf: URL(filePath: folder.path("after.json")), encoding: .utf8)
        try Data(text.replacing("\"Archive\"", with: "\"Cache\"").utf8)
            .write(to: URL(filePath: folder.path("two.json")))
        let run = try CommandRun("diff", "before.json", "two.json", "-o", "two.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        try await Browser.open(URL(filePath: folder.path("two.html"))) { browser in
            try browser.click("[data-timeline=queue]")
            try browser.expect(
                "opviz.rowTitles.slice(-3).join('|')",
                "Cache × 2 · 4 tasks, 8 runs|Cache · 4 tasks, 4 runs · the earlier run"
                    + "|Journal · 4 tasks, 4 runs · only in the earlier run")
            try browser.expectQuiet()
        }
    }

    @Test("an executor that only one page counts among further ones is in both runs")
    func further() async throws {
        /// Of 14 actors, the first one is the last of them by running time.
        func write(_ path: String, first: Int64) throws {
            let executor = { (number: UInt64) in QueueID(number + 1) }
            let events = (1...14 as ClosedRange<UInt64>).flatMap { number -> [LogEvent] in
                let task = OperationID(1 << 40 + number)
                let start = 1_000_000 * Int64(number)
                let length = number == 1 ? first : 100 * Int64(number) + 1_000
                let created = LogEvent.TaskCreation(
                    task: task, kind: "work \(number)", creation: .unstructured, parent: nil, priority: 21,
                    isQueued: true)
                let bodies: [LogEvent.Body] = [
                    .executorOpened(executor(number), .actor, name: "Actor \(number)"), .taskCreated(created),
                    .runBegan(task, executor: executor(number), name: nil), .finished(task, .succeeded),
                ]
                return bodies.enumerated().map { place, body in
                    LogEvent(time: place < 3 ? start : start + length, thread: 1, body)
                }
            }
            let header = LogHeader(
                process: "test", processID: 7, host: "box", start: 0, isClosed: true, lastAlive: 20_000_000)
            try folder.write(EventLogContents(header: header, events: events), to: path)
        }
        try write("rare.json", first: 10)
        try write("busy.json", first: 500_000)
        let run = try CommandRun("diff", "rare.json", "busy.json", "-o", "further.html", in: folder)
        try #require(run.status == 0, "\(run.error)")
        try await Browser.open(URL(filePath: folder.path("further.html"))) { browser in
            try browser.click("[data-timeline=queue]")
            let titles = try browser.text("opviz.rowTitles.join('|')").split(separator: "|").map(String.init)
            try browser.check(!titles.contains { $0.contains("only in") }, "\(titles)")
            try browser.check(titles.contains("Actor 1 · 1 task, 1 run"), "\(titles)")
            try browser.check(
                titles.contains("3 more executors · 3 tasks, 3 runs · the earlier run"), "\(titles)")
            try browser.expectQuiet()
        }
    }

    @Test("the stay of a task of the other run is a bar on the axis of the shown run, and leads to the task")
    func bars() async throws {
        try await Browser.open(page, width: 1280, height: 1000) { browser in
            try Self.showTimeline(in: browser)
            // The middle of its stay in the shown run, which has the same times after its start.
            let middle = (81_938_463 + 132_174_986) / 2
            let distance = try browser.number(
                "\(Self.onCache)[0] - document.getElementById('timeline').getBoundingClientRect().x "
                    + "- (\(middle) - opviz.views.timeline.x) * opviz.views.timeline.scaleX")
            try browser.check(abs(distance) < 1, "the bar is \(distance) pixels beside its place")
            try browser.expect(Self.areStrong(Self.onCache), "true")

            try browser.hover(at: Self.onCache)
            let tip = try browser.text(Self.tip)
            for part in ["page 1", "the earlier run", "running"] {
                try browser.check(tip.contains(part), "\(part) is not in \(tip)")
            }
            try browser.click(at: Self.onCache)
            try browser.expect("opviz.id(opviz.selected)", "0x10000000007")
            try browser.expect("document.querySelector('[data-run=after]').ariaPressed", "true")
            // On an actor that only the earlier run has.
            try browser.evaluate("opviz.select(-1)")
            try browser.settle()
            try browser.click(at: "opviz.placeOfOther('page 1', 2)")
            try browser.expect("opviz.id(opviz.selected)", "0x10000000007")
            try browser.expectQuiet()
        }
    }

    @Test("a search pales the other run's stays of tasks that it does not find")
    func search() async throws {
        try await Browser.open(page, width: 1280, height: 1000) { browser in
            try Self.showTimeline(in: browser)
            try browser.evaluate("document.getElementById('search').value = '\"page 1\"'")
            try browser.evaluate("document.getElementById('search').dispatchEvent(new Event('input'))")
            try browser.settle()
            try browser.expect(
                Self.areStrong("\(Self.onCache), opviz.placeOfOther('page 3', 4)"), "true,false")
            try browser.expectQuiet()
        }
    }
}
