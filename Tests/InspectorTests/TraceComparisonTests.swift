import EventLog
import Testing

@testable import Inspector

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

    @Test("a run compared with itself has no differences, whatever its graph", arguments: 0..<20)
    func itself(block: Int) {
        for seed in block * 20..<(block + 1) * 20 {
            var generator = SeededGenerator(seed: UInt64(seed))
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

    @Test("what is new, gone, slower and faster is told")
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
        #expect(comparison.changed.map { comparison.operation($0).displayName }.first == "page 1")
    }

    @Test("of operations that are called the same, those of the same place are matched")
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
        #expect(compare(cycle, cycle).rows.map(\.change) == [.same, .same])
        #expect(compare(trace {}, cycle).count(of: .new) == 2)
        #expect(compare(cycle, trace {}).count(of: .gone) == 2)
        #expect(compare(trace {}, trace {}).rows.isEmpty)
        for (first, second) in [(cycle, trace {}), (trace {}, cycle), (trace {}, trace {})] {
            let comparison = compare(first, second)
            #expect(!ComparisonReport(comparison, before: "a", after: "b").text().isEmpty)
            #expect(!ComparisonPicture(comparison, before: "a", after: "b").svg.contains("nan"))
        }
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

    @Test("many operations are put together by kind, and the picture says so")
    func many() {
        let trace = trace {
            for index in 0..<1000 {
                op("\(index)", kind: "Kind \(index % 100)", ready: 0, start: 0, finish: Int64(index))
            }
        }
        let picture = ComparisonPicture(compare(trace, trace), before: "a", after: "b")
        #expect(picture.omission?.hasPrefix("1,000 operations are put together by kind") == true)
        #expect(picture.svg.contains("40 more kinds"))
        #expect(picture.svg.utf8.count < 60_000)
    }

    @Test("hostile names are text")
    func hostile() {
        let trace = trace {
            op("</text><script>alert(1)</script>", kind: "|<b>\u{1B}[2J", ready: 0, start: 5, finish: 9000)
            op("\u{202E}日本", ready: 0, start: 5, finish: 9)
        }
        let comparison = compare(trace, Inspector.Trace(header: trace.header))
        let report = ComparisonReport(comparison, before: "<a>\u{1B}", after: "b|c")
        let svg = ComparisonPicture(comparison, before: "<a>\u{1B}", after: "b").svg
        #expect(!svg.contains("<script") && !svg.contains("<a>"))
        #expect(!report.markdown().contains("<script") && !report.markdown().contains("<b>"))
        for text in [report.text(), report.markdown(), svg] {
            #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
        }
    }
}
