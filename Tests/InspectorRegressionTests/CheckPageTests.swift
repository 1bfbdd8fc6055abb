import Foundation
import TestTraces
import Testing

@testable import InspectorAnalysis
@testable import InspectorRegression
@testable import InspectorText

@Suite struct CheckPageTests {
    private func check(runs: Int = 25) -> RegressionCheck {
        RegressionCheck(
            baseline: scatteredSide(resize: 20, isCurrent: false, runs: runs),
            current: scatteredSide(resize: 24, isCurrent: true, runs: runs),
            policy: CheckPolicy(isInterleaved: true))
    }

    private func html(_ check: RegressionCheck?) -> String {
        String(decoding: CheckPage(check).html, as: UTF8.self)
    }

    private func count(_ text: String, in page: String) -> Int {
        page.components(separatedBy: text).count - 1
    }

    @Test("the page of a check draws every run of every metric as a dot, also of those that are not primary")
    func everyRun() {
        let check = check()
        let metrics = CheckTables(CheckWords(check: check), rows: CheckTables.mostMetrics).shown
        #expect(metrics.count > check.primary.count)
        let page = html(check)
        #expect(count("<g class=\"run\">", in: page) == 50 * metrics.count)
        #expect(count("<g class=\"change\">", in: page) == metrics.count)
        #expect(page.contains("<p class=\"strong\">regressed, not primary: execution of Resize"))
    }

    @Test("the page of a check names each side's run nearest to the median, and how to compare them")
    func nearest() {
        func side(_ name: String, _ times: [Double]) -> CheckSide {
            CheckSide(
                runs: times.enumerated().map { index, time in
                    TimedRun(
                        name: "\(name)/\(index).json", timings: timings(minute: Double(index), parse: time),
                        trace: "\(name)/\(index).json")
                })
        }
        let page = html(
            RegressionCheck(
                baseline: side("old", [10, 30, 20]), current: side("new runs", [50, 40, 60, 55, 45]),
                policy: CheckPolicy(isInterleaved: true)))
        #expect(
            page.contains(
                "The runs nearest to the medians of the makespan are old/2.json and new runs/0.json."
                    + " To see what differs:"))
        #expect(page.contains("<pre>opviz diff old/2.json &#39;new runs/0.json&#39; -o diff.html</pre>"))
    }

    @Test("the page of a check without runs says what is missing, and draws nothing")
    func nothing() {
        let page = html(
            RegressionCheck(
                baseline: CheckSide(runs: []), current: CheckSide(runs: []), policy: CheckPolicy()))
        #expect(page.contains("<h1>Timing check: inconclusive</h1>") && !page.contains("<svg"))
    }

    @Test("the page of a check draws times that exceed every integer")
    func long() {
        func side(_ name: String) -> CheckSide {
            CheckSide(
                runs: (0..<3).map { index in
                    TimedRun(
                        name: "\(name) \(index)",
                        timings: timings(minute: Double(index), others: ["Long": .max - 100_000_000]))
                })
        }
        #expect(
            html(RegressionCheck(baseline: side("old"), current: side("new"), policy: CheckPolicy()))
                .contains("<svg"))
    }

    @Test("the page of a check runs no program and loads nothing")
    func safe() {
        let page = html(check())
        #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'; "))
        #expect(!page.contains("<script") && !page.contains(" src="))
    }
}
