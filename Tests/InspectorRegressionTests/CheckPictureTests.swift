import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression
@testable import InspectorText

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct CheckPictureTests {
    private let inTurn = CheckPolicy(isInterleaved: true)

    private func scattered(runs: Int = 25) -> RegressionCheck {
        RegressionCheck(
            baseline: scatteredSide(resize: 20, isCurrent: false, runs: runs),
            current: scatteredSide(resize: 24, isCurrent: true, runs: runs), policy: inTurn)
    }

    private func count(_ text: String, in svg: String) -> Int { svg.components(separatedBy: text).count - 1 }

    @Test func `every run of both sides is a dot, with the time that a run takes beside them`() throws {
        let check = scattered()
        let svg = CheckPicture(check).svg
        #expect(count("<g class=\"run\">", in: svg) == 50)
        let makespan = try #require(check.primary.first)
        for time in [makespan.baselineTime, makespan.currentTime] {
            #expect(svg.contains(">\(DurationFormat.text(nanoseconds: time))</text>"))
        }
        try Golden("check.svg").expect(svg)
    }

    @Test
    func `every part of the makespan is in the bars of both sides, and says whether it is proven to differ`()
    {
        let svg = CheckPicture(scattered()).svg
        #expect(count("<g class=\"part\">", in: svg) == 4)
        #expect(count(">proven</text>", in: svg) == 1 && count(">not proven</text>", in: svg) == 1)
    }

    @Test func `what regressed beside an inconclusive primary metric is among the changes`() {
        let svg = CheckPicture(scattered()).svg
        #expect(count("<g class=\"change\">", in: svg) == 2)
        #expect(svg.contains("regressed, not primary: execution of Resize"))
    }

    @Test func `a bounded number of many runs is drawn, and the caption says so`() {
        let svg = CheckPicture(scattered(runs: 1500)).svg
        #expect(count("<g class=\"run\">", in: svg) == 2000)
        #expect(svg.contains("2,000 of 3,000 runs"))
    }

    @Test func `a run that is far off does not push the others together`() {
        let far = side(12, seed: 1) { index, noise in
            timings(minute: Double(index) / 2, parse: (index == 3 ? 5000 : 15) * noise)
        }
        let svg = CheckPicture(
            RegressionCheck(baseline: far, current: side(12, seed: 2, offset: 0.2), policy: inTurn)
        ).svg
        #expect(svg.contains("triangle: 1 run beyond the axis"))
    }

    @Test func `an empty check, and one without any time, are drawn without a trap`() {
        let nothing = CheckSide(runs: [])
        let still = side(6, seed: 1) { index, _ in timings(minute: Double(index), fetch: 0, parse: 0) }
        for (before, after) in [
            (nothing, nothing), (still, still), (still, side(6, seed: 2)), (side(6, seed: 2), still),
            (side(1, seed: 1), side(1, seed: 2)),
        ] {
            for theme in PictureTheme.allCases {
                let svg = CheckPicture(
                    RegressionCheck(baseline: before, current: after, policy: inTurn), theme: theme
                ).svg
                #expect(XMLParser(data: Data(svg.utf8)).parse())
                #expect(!svg.contains("nan") && !svg.contains("inf\""))
            }
        }
    }

    @Test func `a name from a trace never leaves its place, and the same runs give the same bytes`() {
        func check() -> RegressionCheck {
            func runs(_ seed: UInt64, _ time: Int64) -> CheckSide {
                side(8, seed: seed) { index, noise in
                    timings(
                        host: hostileName, minute: Double(index),
                        others: [hostileName: Int64(Double(time) * noise)])
                }
            }
            return RegressionCheck(
                baseline: runs(1, 40_000_000), current: runs(2, 90_000_000),
                primary: [.makespan, TimingMetric(kind: hostileName, .part(.execution))], policy: inTurn)
        }
        let svg = CheckPicture(check()).svg
        #expect(svg == CheckPicture(check()).svg)
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        #expect(!svg.contains("<img") && !svg.contains("\u{1B}") && !svg.contains("\u{202E}"))
    }
}
