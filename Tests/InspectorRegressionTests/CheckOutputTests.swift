import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression
@testable import InspectorText

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct CheckOutputTests {
    private let inTurn = CheckPolicy(isInterleaved: true)

    private func slow() -> RegressionCheck {
        RegressionCheck(
            baseline: side(12, seed: 1), current: side(12, seed: 2, offset: 0.2, parse: 20), policy: inTurn)
    }

    /// Every name that comes from a trace is hostile.
    private func hostile() -> RegressionCheck {
        func runs(_ seed: UInt64, _ time: Int64) -> CheckSide {
            var runs = side(8, seed: seed) { index, noise in
                timings(
                    host: hostileName, process: "\(hostileName)\(seed)", minute: Double(index),
                    others: [hostileName: Int64(Double(time) * noise), "new\(seed)\(hostileName)": 5])
            }
            runs.label = hostileName
            runs.runs.append(TimedRun(name: hostileName, timings: timings(dropped: 1), damage: hostileName))
            return runs
        }
        return RegressionCheck(
            baseline: runs(1, 40_000_000), current: runs(2, 90_000_000),
            primary: [.makespan, TimingMetric(kind: hostileName, .part(.execution))], policy: inTurn)
    }

    private func isWellFormed(_ xml: String) -> Bool { XMLParser(data: Data(xml.utf8)).parse() }

    @Test("the first words are the verdict and the numbers")
    func sentence() {
        let verdict = CheckText(slow()).verdict
        #expect(verdict.hasPrefix("regressed: makespan 101 ms → 121 ms, +"))
        #expect(verdict.contains("% (95 % interval +"))
        #expect(verdict.hasSuffix(", threshold 5 %\n"))
    }

    /// Makespans that differ by chance alone, and an operation that takes a fifth longer.
    private func scattered() -> RegressionCheck {
        RegressionCheck(
            baseline: scatteredSide(resize: 20, isCurrent: false),
            current: scatteredSide(resize: 24, isCurrent: true), policy: inTurn)
    }

    @Test("what is proven comes first, and what is not is named last and only as that")
    func provenFirst() throws {
        let check = scattered()
        #expect(check.verdict == .inconclusive)
        let lines = CheckText(check).verdict.split(separator: "\n")
        try #require(lines.count == 2)
        #expect(
            lines[0].hasPrefix(
                "regressed, not primary: execution of Resize 20.0 ms → 24.0 ms, +20.0 % (95 % interval "
                    + "+20.0 % to +20.0 %)"
            ))
        #expect(lines[1].hasPrefix("inconclusive: makespan "))
        let text = CheckText(check).text(width: 100)
        #expect(
            text.contains(
                "Where the time went: execution of Resize +4.00 ms on average; not proven: execution "
                    + "of Decode "
            ))
        // In the table of parts, and in that of metrics.
        let marks = text.split(separator: "\n").filter { $0.contains("proven") && $0.contains(" ms  ") }
        #expect(marks.map { $0.hasSuffix("not proven") } == [false, true])
        let metrics = text.split(separator: "\n").compactMap { $0.split(separator: " ").first }
        let order = metrics.filter { ["▲", "=", "=*", "?", "?*"].contains($0) }
        #expect(order.first == "▲" && order.last == "?" && order.firstIndex(of: "?*") == order.count - 2)
        #expect(CheckText(check).openQuestion.hasSuffix("(execution of Resize did, but is not primary)"))
        let title = "Timing check%3A inconclusive%2C execution of Resize regressed"
        #expect(CheckAnnotations(check).text.hasPrefix("::warning title=\(title)::regressed, not primary: "))
        #expect(
            CheckMarkdown(check).text.hasPrefix(
                "## ❔ Timing check: inconclusive, execution of Resize regressed\n"))
        #expect(CheckJUnit(check).text.contains("<system-out>regressed, not primary: execution of Resize"))
    }

    @Test("the makespan has one estimate, the same in every output")
    func oneEstimate() throws {
        for check in [scattered(), slow()] {
            let makespan = try #require(check.primary.first)
            #expect(abs(makespan.currentTime / makespan.baselineTime / makespan.ratio - 1) < 1e-12)
            let times = [makespan.baselineTime, makespan.currentTime].map(DurationFormat.text(nanoseconds:))
            let sentence =
                "makespan \(times[0]) → \(times[1]), \(ChangeText.percent(ratio: makespan.ratio)) (95 % "
                + "interval "
            let text = CheckText(check).text(width: 2000)
            let outputs = [
                text, CheckMarkdown(check).text, CheckJUnit(check).text,
                String(decoding: CheckJSON(check).bytes, as: UTF8.self),
                CheckAnnotations(check).text.replacing("%25", with: "%"),
            ]
            for output in outputs {
                #expect(output.contains(sentence))
                // Nor any other of it.
                #expect(!output.contains("makespan +") && !output.contains("makespanMean"))
            }
            let rows = text.split(separator: "\n").filter { $0.contains(" makespan  ") }
            #expect(rows.count == 1)
            #expect(times.allSatisfy { time in rows.allSatisfy { $0.contains(time) } })
        }
    }

    @Test("a difference in time outside operations is proven by itself if no metric shows it")
    func outside() {
        func runs(_ seed: UInt64, _ pause: Int64) -> CheckSide {
            var generator = SplitMix64(seed: seed)
            return side(12, seed: seed) { index, noise in
                let run = timings(minute: Double(index) / 2, parse: 15 * noise)
                let outside = pause + Int64.random(in: 0...1_000_000, using: &generator)
                let delay = RunTimings.Delay(kind: nil, part: .unknown, nanoseconds: outside)
                return RunTimings(
                    process: run.process, host: run.host, start: run.start, droppedEvents: 0, isClosed: true,
                    failed: 0, cancelled: 0, unfinished: 0, makespan: run.makespan + outside,
                    criticalPathLength: run.criticalPathLength, totals: run.totals, kinds: run.kinds,
                    delays: (run.delays + [delay]).sorted(), path: run.path)
            }
        }
        let check = RegressionCheck(
            baseline: runs(1, 1_000_000), current: runs(2, 50_000_000), policy: inTurn)
        #expect(check.verdict == .regressed)
        #expect(check.delays.rows.first?.label == "outside of operations")
        #expect(check.delays.rows.map(\.isProven) == [true, false, false])
    }

    @Test("Markdown, JSON, JUnit and annotations are as recorded")
    func goldens() throws {
        let check = slow()
        try Golden("check-regressed.md").expect(CheckMarkdown(check, picture: "a b/c).svg").text)
        try Golden("check-regressed.json").expect(String(decoding: CheckJSON(check).bytes, as: UTF8.self))
        try Golden("check-regressed.xml").expect(CheckJUnit(check).text)
        try Golden("check-regressed.github").expect(CheckAnnotations(check).text)
    }

    @Test("a name from a trace never leaves its place")
    func escapes() throws {
        let check = hostile()
        #expect(check.verdict == .regressed)
        for text in [CheckText(check).text(width: 80), CheckText(check).verdict] {
            #expect(!text.contains("\u{1B}") && !text.contains("\u{202E}") && !text.contains("\u{0}"))
        }
        let markdown = CheckMarkdown(check).text
        #expect(!markdown.contains("<img") && !markdown.contains("\u{1B}"))
        let junit = CheckJUnit(check).text
        #expect(isWellFormed(junit))
        #expect(junit.contains("tests=\"2\" failures=\"2\""))
        _ = try JSONSerialization.jsonObject(with: Data(CheckJSON(check).bytes))
        let commands = CheckAnnotations(check).text.split(separator: "\n")
        #expect(commands.count == 2)
        #expect(commands.allSatisfy { $0.hasPrefix("::error title=") || $0.hasPrefix("::warning title=") })
    }

    @Test("a report of tests counts inconclusive metrics as skipped, and unchanged ones as passed")
    func junit() {
        let open = CheckJUnit(RegressionCheck(baseline: side(5, seed: 1), current: side(5, seed: 2))).text
        #expect(open.contains("skipped=\"1\"") && open.contains("<skipped message=\"inconclusive: "))
        let strict = CheckJUnit(
            RegressionCheck(baseline: side(5, seed: 1), current: side(5, seed: 2)), isStrict: true
        ).text
        #expect(strict.contains("errors=\"1\" skipped=\"0\""))
        #expect(
            strict.contains("<error type=\"inconclusive\" message=\"inconclusive: ") && isWellFormed(strict))
        let fine = CheckJUnit(
            RegressionCheck(baseline: side(30, seed: 1), current: side(30, seed: 3), policy: inTurn)
        ).text
        #expect(fine.contains("failures=\"0\" errors=\"0\" skipped=\"0\""))
        #expect(isWellFormed(open) && isWellFormed(fine))
    }

    @Test("annotations are errors, warnings and notices by the verdict")
    func annotations() {
        #expect(CheckAnnotations(slow()).text.hasPrefix("::error title=Timing check%3A regressed::regressed"))
        let open = RegressionCheck(baseline: side(5, seed: 1), current: side(5, seed: 2))
        #expect(CheckAnnotations(open).text.hasPrefix("::warning title=Timing check%3A inconclusive::"))
        let fine = RegressionCheck(baseline: side(30, seed: 1), current: side(30, seed: 3), policy: inTurn)
        #expect(CheckAnnotations(fine).text.hasPrefix("::notice title=Timing check%3A unchanged::"))
    }

    @Test("an absolute threshold is a part of the sentence")
    func absolute() {
        let check = RegressionCheck(
            baseline: side(12, seed: 1), current: side(12, seed: 2, parse: 20),
            policy: CheckPolicy(relativeThreshold: 0.025, absoluteThreshold: 1_000_000, isInterleaved: true))
        #expect(CheckText(check).verdict.hasSuffix(", threshold 2.5 % and 1.00 ms\n"))
    }

    @Test("the same runs give the same bytes")
    func determinism() {
        #expect(CheckJSON(hostile()).bytes == CheckJSON(hostile()).bytes)
        #expect(CheckText(hostile()).text() == CheckText(hostile()).text())
    }

    @Test(
        "thresholds are read as people write them",
        arguments: [("5%", 0.05), ("2.5 %", 0.025), ("5", nil), ("-5%", nil), ("%", nil), ("2000%", nil)]
            as [(String, Double?)])
    func shares(text: String, share: Double?) { #expect(CheckPolicy.share(text) == share) }
}
