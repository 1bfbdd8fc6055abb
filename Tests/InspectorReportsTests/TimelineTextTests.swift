import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorReports
@testable import InspectorText
@testable import InspectorTraces

@Suite("The timeline on a terminal")
struct TimelineTextTests {
    private func text(_ trace: Trace, width: Int = 80, isColored: Bool = false) -> String {
        TimelineText(TraceAnalysis(trace)).text(width: width, isColored: isColored)
    }

    @Test("the timeline of a small run on a terminal is as it was", arguments: [40, 80])
    func golden(width: Int) throws {
        try Golden("timeline-\(width).txt").expect(text(quotes(), width: width))
    }

    @Test("a timeline has colours only if requested")
    func colors() throws {
        try Golden("timeline-colors.txt").expect(text(quotes(), isColored: true))
        #expect(!text(quotes()).contains("\u{1B}"))
    }

    @Test("a timeline is the same with colours, but for them")
    func sameText() {
        let colored = text(quotes(), isColored: true)
        #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == text(quotes()))
    }

    @Test("no line is wider than the terminal, for any names", arguments: [20, 40, 80, 200])
    func width(columns: Int) {
        let trace = trace {
            for name in [
                "\u{1B}[2J", "two\nlines", "\u{202E}gnp.exe", String(repeating: "long ", count: 2000),
                "日本語の名前はとても長いです", "👩‍🚀 rocket", "",
            ] { op(name, kind: name, ready: 5, start: 9, finish: 1000) }
        }
        let lines = text(trace, width: columns).split(separator: "\n")
        #expect(lines.filter { TextWidth.columns(of: $0) > columns } == [])
        #expect(!lines.joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
        let bars = lines.filter { $0.contains("█") && $0.contains("991 ns") }
        #expect(Set(bars.map { $0.split(separator: "█")[0] }.map { TextWidth.columns(of: $0) }).count <= 1)
    }

    @Test("a timeline of many operations shows the critical path and the longest, and counts the rest")
    func sampled() {
        let text = text(
            trace {
                op("first", ready: 0, start: 0, finish: 5)
                op("second", ready: 5, start: 5, finish: 9).after("first")
                for index in 0..<100 { op("item \(index)", ready: 0, start: 0, finish: Int64(index % 6 + 1)) }
            })
        #expect(text.contains("» first"))
        #expect(text.contains("» second"))
        #expect(text.contains("62 more operations, shorter or delaying less"))
    }

    @Test("a timeline of many operations shows the short ones that had the slots that others waited for")
    func holders() {
        let text = text(
            trace(limit: 1) {
                for index in 0..<5 {
                    let start = Int64(index * 10)
                    op("holder \(index)", enqueued: start, ready: start, start: start, finish: start + 10)
                }
                op("victim", ready: 0, start: 50, finish: 60)
                for index in 0..<100 {
                    op("never \(index)", finish: Int64(1000 + index), outcome: .cancelled)
                }
            })
        for index in 0..<5 { #expect(text.contains("holder \(index) ")) }
        #expect(text.contains("never 99 "), "the run waited for it")
        #expect(text.contains("66 more operations"))
    }

    @Test("a timeline of many operations shows what the run waited for, however short")
    func delays() {
        let text = text(
            trace(limit: 2) {
                for index in 0..<10 {
                    let start = Int64(100 + index)
                    op("turn \(index)", enqueued: start, ready: start, start: start, finish: start + 1)
                        .after(index == 0 ? "long 0" : "turn \(index - 1)")
                }
                for index in 0..<100 {
                    op("long \(index)", ready: Int64(index % 50), start: Int64(index % 50), finish: 100)
                }
            })
        for index in 0..<10 { #expect(text.contains("turn \(index) ")) }
    }

    @Test("a timeline of more operations shows the lanes of their queue")
    func lanes() {
        let text = text(
            trace(limit: 2) {
                for index in 0..<1000 {
                    op(
                        "item \(index)", ready: 0, start: Int64(index / 2 * 10),
                        finish: Int64(index / 2 * 10 + 10))
                }
            })
        #expect(text.contains("main: 2 slots, 1,000 operations"))
        #expect(text.contains("100 % busy"))
        #expect(text.contains("  mostly for           ▒▒▒▒"))
        #expect(text.contains("  lane 2 "))
        #expect(!text.contains("  lane 3 "))
    }

    @Test("a timeline of more operations counts unfinished ones by queue")
    func unfinished() {
        let text = text(
            trace(limit: 2, lastAlive: 6000) {
                for index in 0..<500 {
                    op("\(index)", ready: 0, start: Int64(index * 10), finish: Int64(index * 10 + 10))
                }
                op("hung", ready: 0, start: 5000)
                for index in 0..<37 { op("w\(index)", ready: 0) }
            })
        #expect(text.contains("538 operations\n  38 never finished, 37 of them never started\n"))
    }

    @Test("a timeline of many operations at one moment has rows, and says so")
    func moment() {
        let text = text(
            trace {
                for index in 0..<4000 { op("\(index)", enqueued: 5, ready: 5, start: 5, finish: 5) }
            })
        #expect(text.contains("≈ 4,000"))
        #expect(text.contains("the trace spans 0 ns: 4,000 operations"))
    }

    @Test("a timeline explains what counts as at work if there are parents")
    func nested() {
        #expect(text(quotes()).contains("parents do not count while children are unfinished"))
        #expect(!text(trace { op("A", ready: 0, start: 0, finish: 9) }).contains("children"))
    }

    @Test("a timeline of no operation, of one, of timeless ones and of absurd times is a text")
    func extremes() {
        #expect(text(trace {}).hasSuffix("No operations.\n"))
        #expect(text(trace { op("A", ready: 0, start: 0, finish: 9) }).contains("» A "))
        #expect(text(trace { op("A", ready: 0, start: 0, finish: 0) }).contains("A  "))
        let absurd = text(
            trace {
                op("A", enqueued: .min, ready: .max, start: 5, finish: .max)
                op("B", enqueued: .max, ready: .min, start: .min, finish: .min)
                op("C", ready: 3)
            })
        #expect(absurd.contains("…C"), "it never finished")
    }
}
