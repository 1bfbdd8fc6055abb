import EventLog
import Testing

@testable import Inspector

@Suite("The screen of a running program")
struct LiveScreenTests {
    private func text(_ picture: LivePicture, _ width: Int, _ height: Int, note: String? = nil) -> String {
        let lines = LiveScreen(picture, note: note).lines(width: width, height: height, isColored: false)
        return lines.joined(separator: "\n") + "\n"
    }

    @Test("fits the terminal", arguments: [(80, 24), (120, 40), (40, 10)])
    func sizes(width: Int, height: Int) throws {
        try Golden("watch-\(width)x\(height).txt").expect(text(LiveRun.inTrouble().picture(), width, height))
    }

    @Test("says what is lost, and that it is behind")
    func losses() throws {
        var picture = LiveRun.inTrouble().picture()
        picture.behind = 2_300_000_000
        picture.lost = 12
        picture.losses = ["about 12,345 records were written faster than 5 % of a core reads, and left out"]
        picture.standing = .silent(4_000_000_000)
        try Golden("watch-losses.txt").expect(text(picture, 80, 24, note: "traces/a.optrace of 2 logs"))
    }

    @Test("of a program that does nothing is short")
    func idle() throws {
        try Golden("watch-idle.txt").expect(text(LiveRun().picture(), 80, 24))
    }

    @Test("is never larger than the terminal, whatever the size and the names are")
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

    @Test(
        "shows of thousands of queues those that matter, in the order that is asked for, and counts the others"
    )
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
        #expect(lines.contains { $0.hasPrefix("queue 6 ") })
        view.order = .name
        #expect(
            screen.lines(view, width: 80, height: 24, isColored: false).contains {
                $0.hasPrefix("queue 1000 ")
            })
    }

    @Test("has colours where they are shown, and the same text")
    func colours() throws {
        let screen = LiveScreen(LiveRun.inTrouble().picture())
        let plain = screen.lines(width: 80, height: 24, isColored: false)
        let coloured = screen.lines(width: 80, height: 24, isColored: true)
        #expect(plain != coloured)
        let stripped = coloured.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "") }
        #expect(stripped == plain)
    }

    @Test("is one line, where there is no screen")
    func sentence() {
        #expect(
            LiveScreen(LiveRun.inTrouble().picture()).sentence
                == "12.0 s: 5 executing, 7 waiting, 6000 finished, 7 of them failed, 0 finished/s; deadlock: outer blocks its thread until inner finishes, inner needs a slot of queue serial (limit 1), and outer has it; 1 waits for it"
        )
    }
}
