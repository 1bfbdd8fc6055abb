import EventLog
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorComparison
@testable import InspectorText
@testable import InspectorTraces

@Suite struct TraceComparisonTests {
    private func compare(_ before: Trace, _ after: Trace) -> TraceComparison {
        TraceComparison(before: TraceAnalysis(before), after: TraceAnalysis(after))
    }

    /// The later run in milliseconds: a slower download, a faster store, one operation more and one less.
    private func laterQuotes() -> Trace {
        let ms: Int64 = 1_000_000
        var trace = quotes()
        trace.changeOperations { operations in
            operations[1].finished = TraceMoment(140 * ms)
            operations[6].executing = TraceMoment(173 * ms)
            operations[6].finished = TraceMoment(190 * ms)
            operations[4].name = "parse 2 again"
        }
        return trace
    }

    @Test("a run compared with itself has no differences, for any graph", arguments: 0..<20)
    func itself(block: Int) {
        for seed in block * 20..<(block + 1) * 20 {
            var generator = SplitMix64(seed: UInt64(seed))
            var trace = randomGraph(&generator)
            // Names that several share.
            trace.changeOperations { operations in
                for index in operations.indices {
                    operations[index].name = index % 3 == 0 ? nil : "\(index % 2)"
                }
            }
            let comparison = compare(trace, trace)
            #expect(comparison.moved == 0, "seed \(seed)")
            #expect(
                comparison.rows.allSatisfy { $0.change == .same && $0.before == $0.after }, "seed \(seed)")
        }
    }

    @Test("a comparison shows which operations are new, gone, slower and faster")
    func changes() {
        let comparison = compare(quotes(), laterQuotes())
        func names(_ change: TraceComparison.Change) -> [String] {
            comparison.rows.filter { $0.change == change }.map { comparison.operation($0).displayName }
        }
        #expect(names(.slower) == ["page 1"])
        #expect(names(.faster) == ["store 1"])
        #expect(names(.new) == ["parse 2 again"])
        #expect(names(.gone) == ["parse 2"])
        #expect(comparison.moved == 1, "what waited for parse 2 waits for something else")
        let changed = comparison.changed.map { comparison.operation($0).displayName }
        #expect(changed == ["parse 2 again", "page 1", "store 1", "parse 2"], "a new failure comes first")
    }

    @Test("operations with the same name are matched by their place")
    func places() {
        func run(_ order: [String]) -> Trace {
            let all = [
                "fetch": op("fetch", ready: 0, start: 0, finish: 10),
                "first": op("first", kind: "Parse", ready: 10, start: 10, finish: 20).after("fetch"),
                "last": op("last", kind: "Parse", ready: 20, start: 20, finish: 40).after("first"),
            ]
            var result = trace { for name in order { all[name] ?? op(name) } }
            result.changeOperations { operations in
                for index in operations.indices where operations[index].kind == "Parse" {
                    operations[index].name = nil
                }
            }
            return result
        }
        let comparison = compare(run(["fetch", "first", "last"]), run(["last", "fetch", "first"]))
        #expect(comparison.moved == 0)
        #expect(comparison.rows.map(\.before) == [2, 0, 1])
        #expect(comparison.rows.allSatisfy { $0.change == .same })
    }

    @Test("cycles, absurd times and empty traces are compared too")
    func extremes() {
        let cycle = trace {
            op("A", enqueued: .min, ready: .max, start: 5, finish: .max).after("B")
            op("B", enqueued: .max, ready: .min).after("A")
            op("elsewhere", enqueued: nil)
        }
        #expect(compare(cycle, cycle).rows.map(\.change) == [.same, .neverFinished])
        #expect(compare(trace {}, cycle).count(of: .new) == 2)
        #expect(compare(cycle, trace {}).count(of: .gone) == 2)
        #expect(compare(trace {}, trace {}).rows.isEmpty)
        for (first, second) in [(cycle, trace {}), (trace {}, cycle), (trace {}, trace {})] {
            let comparison = compare(first, second)
            #expect(!ComparisonReport(comparison, before: "a", after: "b").text().isEmpty)
            #expect(!ComparisonPicture(comparison, before: "a", after: "b").svg.contains("nan"))
        }
    }

    /// A run that ended well, and one that was killed, with an unfinished token and an error.
    private func hungRun() -> TraceComparison {
        let ms: Int64 = 1_000_000
        let good = trace {
            op("token", ready: 0, start: 0, finish: 100 * ms)
            op("page", ready: 100 * ms, start: 100 * ms, finish: 400 * ms).after("token")
            op("x", ready: 0, start: 0, finish: 500 * ms)
            op("y", ready: 0, start: 0, finish: 50 * ms)
            op("hook", ready: 0, start: 0)
        }
        let hung = trace(lastAlive: 80 * ms) {
            op("token", ready: 0, start: 0)
            op("page").after("token")
            op("x", ready: 0, start: 0, finish: 20 * ms, outcome: .failed(message: "no"))
            op("y", ready: 0, start: 0, finish: 10 * ms)
            op("hook", ready: 0, start: 0)
            op("late", ready: 0, start: 0)
        }
        return compare(good, hung)
    }

    @Test("an operation that ended differently, or never, is neither slower nor faster, and comes first")
    func endings() {
        let comparison = hungRun()
        #expect(
            comparison.changed.map { "\(comparison.operation($0).displayName): \($0.change)" } == [
                "x: endedDifferently", "token: endedDifferently", "late: new", "page: endedDifferently",
                "hook: neverFinished", "y: faster",
            ])
        #expect(comparison.changed.map { $0.difference == nil } == [true, true, true, true, true, false])
        #expect(comparison.count(of: .faster) == 1)
        #expect(comparison.kinds.map(\.change) == [.endedDifferently])
    }

    @Test("a report of a hung run says before all figures that they are not comparable, and counts endings")
    func hung() throws {
        let comparison = hungRun()
        let report = ComparisonReport(comparison, before: "good", after: "hung")
        let text = report.text(width: 1000)
        let caution = try #require(text.firstRange(of: "The figures of an unfinished run are not comparable"))
        let figures = try #require(text.firstRange(of: "The runs"))
        #expect(caution.lowerBound < figures.lowerBound)
        #expect(text.contains("in the later run 4 never finished, 1 of them never started"))
        #expect(!text.contains("%"), "no share of an unfinished run is told")
        #expect(text.contains(/never finished +1 +4 +\+3\n/))
        #expect(text.contains(/of them never started +0 +1 +\+1\n/))
        #expect(text.contains(/≠ +token +Work +succeeded after 100 ms +never finished after 80.0 ms\n/))
        #expect(text.contains(/≠ +page +Work +succeeded after 300 ms +never started\n/))
        #expect(text.contains(/… +hook +Work +never finished after 500 ms +never finished after 80.0 ms\n/))
        #expect(
            text.contains("3 ended differently, 1 never finished in either run, 1 took less time, 1 new."))
        #expect(report.markdown().contains("**The figures of an unfinished run are not comparable"))
        #expect(report.markdown().contains("| failed | 0 | 1 | +1 |"))
        let svg = ComparisonPicture(comparison, before: "good", after: "hung").svg
        #expect(svg.contains("≠ succeeded → failed after 20.0 ms"))
        #expect(svg.contains("succeeded 4 → 1, failed 0 → 1, never finished 1 → 4, of them never started 0"))
        #expect(svg.contains("are not comparable"))
        #expect(!svg.contains(" %)"))
        let json = String(decoding: ComparisonJSON(comparison).bytes, as: UTF8.self)
        let counts = #"{"succeeded": 1, "failed": 1, "cancelled": 0, "unfinished": 4, "neverStarted": 1}"#
        #expect(json.contains(#""after": \#(counts)"#))
        #expect(json.contains(#""outcomeBefore": "succeeded", "outcomeAfter": "neverStarted""#))
    }

    @Test("kinds say how their operations ended if there are many")
    func kindsThatEndedDifferently() {
        func run(_ failed: Int) -> Trace {
            trace {
                for index in 0..<300 {
                    op(
                        "\(index)", kind: index < 290 ? "Good" : "Bad", ready: 0, start: 0,
                        finish: index < 290 ? 1000 : 10,
                        outcome: index >= 300 - failed ? .failed(message: "") : .succeeded)
                }
            }
        }
        let comparison = compare(run(0), run(4))
        #expect(comparison.kinds.map(\.name) == ["Bad", "Good"])
        let svg = ComparisonPicture(comparison, before: "a", after: "b").svg
        #expect(svg.contains("≠ succeeded 10 → 6, failed 0 → 4"))
    }

    @Test("the report is as it was, as text, Markdown, JSON and SVG")
    func goldens() throws {
        let comparison = compare(quotes(), laterQuotes())
        let report = ComparisonReport(comparison, before: "before.json", after: "after.json")
        try Golden("diff.txt").expect(report.text())
        try Golden("diff.md").expect(report.markdown())
        try Golden("diff.json").expect(String(decoding: ComparisonJSON(comparison).bytes, as: UTF8.self))
        for theme in PictureTheme.allCases {
            let picture = ComparisonPicture(
                comparison, before: "before.json", after: "after.json", theme: theme, width: 900)
            #expect(picture.omission == nil)
            try Golden("diff-\(theme).svg").expect(picture.svg)
        }
    }

    @Test("the picture of a comparison colours the wait and not the execution if only the wait grew")
    func wait() throws {
        func run(_ start: Int64) -> Trace {
            trace { op("late", ready: 0, start: start, finish: start + 100_000_000) }
        }
        let comparison = compare(run(10_000_000), run(210_000_000))
        let row = try #require(comparison.rows.first)
        #expect(row.change == .slower)
        #expect(comparison.parts(of: row)?.execution == .same && comparison.parts(of: row)?.wait == .slower)
        let svg = ComparisonPicture(comparison, before: "a", after: "b").svg
        #expect(!svg.contains("url(#slower)"))
        #expect(svg.contains("stroke=\"\(PictureTheme.light.slower)\" stroke-width=\"3\""))
        #expect(svg.contains("▲ +200 ms waiting"))
        let reversed = ComparisonPicture(compare(run(210_000_000), run(10_000_000)), before: "a", after: "b")
            .svg
        #expect(reversed.contains("stroke=\"\(PictureTheme.light.faster)\" stroke-width=\"3\""))
    }

    @Test("many operations are grouped by kind, and the picture says so")
    func many() {
        let trace = trace {
            for index in 0..<1000 {
                op("\(index)", kind: "Kind \(index % 100)", ready: 0, start: 0, finish: Int64(index))
            }
        }
        let picture = ComparisonPicture(compare(trace, trace), before: "a", after: "b")
        #expect(picture.omission?.hasPrefix("1,000 operations are grouped by kind") == true)
        #expect(picture.svg.contains("40 more kinds"))
        #expect(picture.svg.utf8.count < 60_000)
    }

    @Test("hostile names stay text in a comparison")
    func hostile() {
        let trace = trace {
            op("</text><script>alert(1)</script>", kind: "|<b>\u{1B}[2J", ready: 0, start: 5, finish: 9000)
            op("\u{202E}日本", ready: 0, start: 5, finish: 9)
        }
        let comparison = compare(trace, InspectorTraces.Trace(header: trace.header))
        let report = ComparisonReport(comparison, before: "<a>\u{1B}", after: "b|c")
        let svg = ComparisonPicture(comparison, before: "<a>\u{1B}", after: "b").svg
        #expect(!svg.contains("<script") && !svg.contains("<a>"))
        #expect(!report.markdown().contains("<script") && !report.markdown().contains("<b>"))
        for text in [report.text(), report.markdown(), svg] {
            #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        }
    }

    @Test("a comparison of Swift tasks says what is gone, and the time that each task ran")
    func tasks() {
        let comparison = TraceComparison(
            before: TraceAnalysis(MixedTrace.untouched), after: TraceAnalysis(MixedTrace.withoutOtherTask))
        let gone = comparison.rows.filter { $0.change == .gone }.compactMap { row in
            row.before.map { comparison.before.trace.operations[Int($0)].displayName }
        }
        #expect(gone == ["other()"])
        let load = comparison.kinds.first { $0.name == "load()" }
        #expect(load?.before.waits.execution == 45 && load?.after.waits.execution == 45)
        let report = ComparisonReport(comparison, before: "a", after: "b")
        #expect(report.structure.hasPrefix("2 operations and 1 task in both, 1 "))
        let figures = report.figures().rows.map { $0.prefix(3).joined(separator: " ") }
        #expect(figures.prefix(2) == ["operations 2 2", "tasks 2 1"])
    }
}
