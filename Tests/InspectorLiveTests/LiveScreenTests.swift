import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorLive
@testable import InspectorText

@Suite("The screen of a running program")
struct LiveScreenTests {
    private func text(_ picture: LivePicture, _ width: Int, _ height: Int, note: String? = nil) -> String {
        let lines = LiveScreen(picture, note: note).lines(width: width, height: height, isColored: false)
        return lines.joined(separator: "\n") + "\n"
    }

    @Test("the screen fits the terminal", arguments: [(80, 24), (120, 40), (40, 10)])
    func sizes(width: Int, height: Int) throws {
        try Golden("watch-\(width)x\(height).txt").expect(text(LiveRun.inTrouble().picture(), width, height))
    }

    @Test("the screen says what is lost, and that it is behind")
    func losses() throws {
        var picture = LiveRun.inTrouble().picture()
        picture.behind = 2_300_000_000
        picture.lost = 12
        picture.losses = ["about 12,345 records were skipped: 5 % of a core cannot read that fast"]
        picture.standing = .silent(4_000_000_000)
        try Golden("watch-losses.txt").expect(text(picture, 80, 24, note: "traces/a.optrace of 2 logs"))
    }

    @Test("the screen of a program that does nothing is short")
    func idle() throws {
        try Golden("watch-idle.txt").expect(text(LiveRun().picture(), 80, 24))
    }

    @Test("the screen leaves out queues that were idle for ten seconds, and counts them, unless all were")
    func idleQueues() {
        func queue(_ name: String, idle: Int64?) -> LivePicture.Queue {
            LivePicture.Queue(
                number: 0, name: name, limit: 4, executing: idle == nil ? 1 : 0, pending: 0, ready: 0,
                finished: 7, finishedPerSecond: 0, lacksSlots: false, idle: idle)
        }
        var picture = LiveRun.inTrouble().picture()
        picture.queues = [
            queue("old", idle: 10_000_000_000), queue("busy", idle: nil), queue("new", idle: 9_999_999_999),
        ]
        let shown = text(picture, 120, 40)
        #expect(shown.contains("2 queues, 1 idle"))
        #expect(shown.contains("\nbusy ") && shown.contains("\nnew ") && !shown.contains("\nold "))
        picture.queues.removeLast(2)
        #expect(text(picture, 120, 40).contains("\nold "))
    }

    @Test("the screen is never larger than the terminal, for any size and names")
    func bounds() {
        var run = LiveRun.inTrouble()
        let names = [
            "画像のデコード処理をする操作", "👩‍🚀👩‍🚀👩‍🚀", "a\u{1b}[2Jb\nc\td", "e\u{301}\u{301}",
            String(repeating: "x", count: 5_000),
        ]
        for (index, name) in names.enumerated() {
            let id = UInt64(5_000_000 + index)
            run.take(
                at(12_000, .opened(100 + id, name, limit: 2)),
                at(12_000, .enqueued(id, name, kind: name, on: 100 + id)),
                at(12_000, .ready(id)))
            if index.isMultiple(of: 2) { run.take(at(12_001, .executing(id))) }
        }
        let screen = LiveScreen(run.picture(), note: names.joined())
        for width in [1, 2, 7, 20, 39, 80, 200] {
            for height in [1, 2, 3, 5, 9, 24, 70] {
                for focus in LiveScreen.View.Focus.allCases {
                    for showsHelp in [true, false] {
                        var view = LiveScreen.View()
                        view.focus = focus
                        view.showsHelp = showsHelp
                        let lines = screen.lines(view, width: width, height: height, isColored: false)
                        #expect(lines.count <= height, "\(width)×\(height)")
                        for line in lines {
                            #expect(TextWidth.columns(of: line) <= width, "\(width): \(line)")
                            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
                        }
                    }
                }
            }
        }
    }

    @Test("the screen shows the important ones of thousands of queues in the chosen order, and counts others")
    func queues() {
        var run = LiveRun()
        for queue in 1...UInt64(3_000) {
            run.take(at(1, .opened(queue, "queue \(queue)", limit: 1)))
            for operation in 0..<(queue % 7) {
                run.take(
                    at(2, .enqueued(queue * 10 + operation, "", on: queue)),
                    at(2, .ready(queue * 10 + operation)))
            }
        }
        var view = LiveScreen.View()
        view.focus = .queues
        let screen = LiveScreen(run.picture())
        let lines = screen.lines(view, width: 80, height: 24, isColored: false)
        #expect(lines.contains { $0.hasPrefix("3,000 queues, 18 shown") })
        view = screen.view(view, after: .last, width: 80, height: 24) ?? view
        let end = screen.lines(view, width: 80, height: 24, isColored: false)
        #expect(end.contains { $0.hasPrefix("3,000 queues, 2,983 to 3,000") })
        view.cursor = nil
        #expect(lines.contains { $0.hasPrefix("queue 6 ") })
        view.order = .name
        #expect(
            screen.lines(view, width: 80, height: 24, isColored: false).contains {
                $0.hasPrefix("queue 1000 ")
            })
    }

    @Test("the screen has colours if the terminal shows them, with the same text")
    func colours() throws {
        let screen = LiveScreen(LiveRun.inTrouble().picture())
        let plain = screen.lines(width: 80, height: 24, isColored: false)
        let coloured = screen.lines(width: 80, height: 24, isColored: true)
        #expect(plain != coloured)
        let stripped = coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        #expect(stripped == plain)
    }

    @Test("the screen is one line without a screen")
    func sentence() {
        #expect(
            LiveScreen(LiveRun.inTrouble().picture()).sentence
                == "12.0 s: 5 executing, 7 waiting, 6,000 finished, 7 of them failed, 0 finished/s; "
                + "deadlock: outer blocks its thread until inner finishes, inner needs a slot of queue "
                + "serial (limit 1), and outer has it"
        )
    }

    // MARK: Keys

    private func press(_ keys: [ScreenKey], _ view: LiveScreen.View = .init(), _ screen: LiveScreen)
        -> LiveScreen.View
    {
        keys.reduce(view) { screen.view($0, after: $1, width: 80, height: 24) ?? $0 }
    }

    /// The line that the cursor is on.
    private func selected(_ view: LiveScreen.View, _ screen: LiveScreen) -> [String] {
        screen.lines(view, width: 80, height: 24, isColored: false).filter { $0.hasPrefix("\u{1B}[7m") }
            .map { $0.dropFirst(4).dropLast(4).trimmingCharacters(in: .whitespaces) }
    }

    @Test("the screen has its keys, its help and its columns within 80 columns, nothing cut off")
    func fits() {
        let screen = LiveScreen(LiveRun.inTrouble().picture())
        for focus in LiveScreen.View.Focus.allCases {
            for order in LiveScreen.View.Order.allCases {
                for (showsHelp, opened) in [(false, nil), (true, nil), (false, UInt64(10))] {
                    var view = LiveScreen.View()
                    (view.focus, view.order, view.showsHelp, view.opened) = (focus, order, showsHelp, opened)
                    view.isPaused = true
                    let lines = screen.lines(view, width: 80, height: 24, isColored: false)
                    #expect(lines.allSatisfy { !$0.contains("…") }, "\(lines)")
                }
            }
        }
    }

    @Test("the screen drops less important columns before names become ambiguous")
    func narrow() {
        var run = LiveRun(at(0, .opened(1, "com.example.app.images.decoding")))
        let name = "https://example.com/images/2026/11/a-photo.jpeg"
        run.take(
            at(0, .enqueued(1, name, kind: "ImageDecodingOperation")), at(0, .ready(1)), at(0, .executing(1)))
        var view = LiveScreen.View()
        view.focus = .executing
        let lines = LiveScreen(run.picture(at: 100)).lines(view, width: 40, height: 24, isColored: false)
        #expect(lines.contains { $0.hasPrefix("https://exampl") }, "\(lines)")
    }

    @Test("the screen scrolls a list with the cursor, and keeps it on its entry when the list changes")
    func scrolling() {
        var run = LiveRun(at(0, .opened(1, "main")))
        for id in UInt64(1)...300 {
            run.take(at(Int64(id), .enqueued(id, "job \(id)")), at(Int64(id), .ready(id)))
        }
        let screen = LiveScreen(run.picture(rows: LiveScreen.mostRows))
        var view = LiveScreen.View()
        view.focus = .waiting
        // The operation that the others are behind is a sentence above the list.
        view = press([.down, .down], view, screen)
        let first = selected(view, screen)
        #expect(first.count == 1 && first[0].hasPrefix("job "))
        view = press(Array(repeating: .pageDown, count: 5), view, screen)
        let further = selected(view, screen)
        #expect(further.count == 1 && further != first)
        // It finished in the meantime what stood above.
        for id in UInt64(1)...20 { run.take(at(400, .executing(id)), at(401, .finished(id))) }
        let later = LiveScreen(run.picture(rows: LiveScreen.mostRows))
        #expect(selected(view, later).first?.split(separator: " ")[1] == further[0].split(separator: " ")[1])
        view = press([.last], view, later)
        #expect(selected(view, later).first?.hasPrefix("job 300") == true)
        view = press([.first, .up], view, later)
        #expect(selected(view, later).count == 1)
        #expect(selected(press([.back], view, later), later).isEmpty)
    }

    @Test("the screen opens an operation, with its times, what it depends on and what is waiting for it")
    func opening() throws {
        let screen = LiveScreen(LiveRun.inTrouble().picture())
        var view = press([.character(UInt8(ascii: "\t")), .character(UInt8(ascii: "\t"))], .init(), screen)
        view = press([.down, .enter], view, screen)
        #expect(view.opened == 10)
        let lines = screen.lines(view, width: 80, height: 24, isColored: false)
        try Golden("watch-opened.txt").expect(lines.joined(separator: "\n") + "\n")
        #expect(press([.back], view, screen).opened == nil)
        view.opened = 13
        let waiting = screen.lines(view, width: 80, height: 24, isColored: false)
        try Golden("watch-opened-waiting.txt").expect(waiting.joined(separator: "\n") + "\n")
        view.opened = 1_000
        let forgotten = screen.lines(view, width: 80, height: 24, isColored: false)
        #expect(forgotten.contains { $0.hasPrefix("This operation is not among the last 2,048") })
    }

    @Test("the screen takes arrows, pages and escape from a terminal's bytes, and ignores other sequences")
    func keys() {
        let bytes = Array("\u{1B}[A\u{1B}OB\u{1B}[5~\u{1B}[6~\u{1B}OQ\u{1B}[1;2Q\u{1B}[H\u{1B}[4~\rq".utf8)
        #expect(
            ScreenKey.keys(in: bytes) == [
                .up, .down, .pageUp, .pageDown, .first, .last, .enter, .character(UInt8(ascii: "q")),
            ])
        #expect(ScreenKey.keys(in: [0x1B]) == [.back])
        #expect(ScreenKey.keys(in: [0x1B, 9]) == [.back, .character(9)], "two keys, quickly")
    }
}
