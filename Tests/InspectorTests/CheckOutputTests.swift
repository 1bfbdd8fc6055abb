import Foundation
import Testing

@testable import Inspector

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

    @Test("Markdown, JSON, JUnit and annotations are as recorded")
    func goldens() throws {
        let check = slow()
        try Golden("check-regressed.md").expect(CheckMarkdown(check, picture: "a b/c).svg").text)
        try Golden("check-regressed.json").expect(String(decoding: CheckJSON(check).bytes, as: UTF8.self))
        try Golden("check-regressed.xml").expect(CheckJUnit(check).text)
        try Golden("check-regressed.github").expect(CheckAnnotations(check).text)
    }

    @Test("no name out of a trace gets out of its place")
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

    @Test("in a report of tests what is inconclusive was skipped, and what is fine passed")
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
