import Foundation

/// A check as a report of tests, in the form that Ant's JUnit task writes and that continuous integration reads: each primary
/// metric is a test, a regression a failure, and what is inconclusive was skipped.
public struct CheckJUnit: Sendable {
    private let check: RegressionCheck

    public init(_ check: RegressionCheck) { self.check = check }

    /// Well-formed XML 1.0, whatever the names are.
    public var text: String {
        let words = CheckWords(check: check)
        let verdicts = check.primary.map(check.verdict(of:))
        // Without a metric there is one test all the same: a report without tests passes unseen.
        let cases =
            check.primary.isEmpty
            ? [testCase("makespan", 0, .inconclusive, words.headlines.joined(separator: "\n"), words)]
            : check.primary.map {
                let message =
                    check.obstacle.map { "inconclusive: \($0)" } ?? words.headline($0)
                return testCase(
                    words.label($0.metric), $0.currentMedian, check.verdict(of: $0), message, words)
            }
        let failures = verdicts.count { $0 == .regressed }
        let skipped = check.primary.isEmpty ? 1 : verdicts.count { $0 == .inconclusive }
        let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="opviz check" \(counts)>
            <testsuite name="opviz check" \(counts)>
            \(cases.joined())</testsuite>
            </testsuites>

            """
    }

    private func testCase(
        _ name: String, _ nanoseconds: Double, _ verdict: RegressionVerdict, _ message: String,
        _ words: CheckWords
    ) -> String {
        let start =
            "<testcase classname=\"opviz.check\" name=\"\(MarkupText.escaped(name))\" "
            + "time=\"\(String(format: "%.9f", nanoseconds / 1e9))\">\n"
        let details = ([message, words.whereTheTimeWent, words.path].compactMap { $0 } + check.notes)
            .map(MarkupText.escaped).joined(separator: "\n")
        let message = MarkupText.escaped(message)
        let result =
            switch verdict {
            case .regressed:
                "<failure type=\"regressed\" message=\"\(message)\">\(details)</failure>\n"
            case .inconclusive: "<skipped message=\"\(message)\"/>\n<system-out>\(details)</system-out>\n"
            case .improved, .unchanged: "<system-out>\(details)</system-out>\n"
            }
        return start + result + "</testcase>\n"
    }
}
