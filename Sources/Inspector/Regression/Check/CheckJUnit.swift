import Foundation

/// A check as a test report, in the format of Ant's JUnit task, which continuous integration reads. Each
/// primary metric is a test, and a regression is a failure. An inconclusive metric is a skipped test; or,
/// with `isStrict`, an error.
public struct CheckJUnit: Sendable {
    private let check: RegressionCheck?
    private let budgets: BudgetReport?
    private let isStrict: Bool

    /// - Parameters:
    ///   - check: nil if only budgets were checked.
    ///   - budgets: each budget is a test.
    ///   - isStrict: whether an inconclusive result is an error.
    public init(_ check: RegressionCheck?, _ budgets: BudgetReport? = nil, isStrict: Bool = false) {
        self.check = check
        self.budgets = budgets
        self.isStrict = isStrict
    }

    /// Well-formed XML 1.0 for any names.
    public var text: String {
        let metrics = check.map { Metrics(check: $0, open: open) }
        let limits = budgets?.cases ?? []
        let failures = (metrics?.failures ?? 0) + limits.count { $0.failure != nil }
        let unknown = (metrics?.inconclusive ?? 0) + limits.count { $0.verdict == .inconclusive }
        let unused = limits.count { $0.verdict == .unused }
        let cases = (metrics?.cases ?? []) + limits.map(testCase)
        let counts =
            "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(isStrict ? unknown : 0)\" "
            + "skipped=\"\(isStrict ? unused : unused + unknown)\""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="opviz check" \(counts)>
            <testsuite name="opviz check" \(counts)>
            \(cases.joined())</testsuite>
            </testsuites>

            """
    }

    /// The element for an inconclusive test.
    private var open: String { isStrict ? "error type=\"inconclusive\"" : "skipped" }

    private func testCase(_ limit: BudgetReport.Case) -> String {
        let start =
            "<testcase classname=\"opviz.budgets\" name=\"\(MarkupText.escaped(limit.name))\" "
            + "file=\"\(MarkupText.escaped(limit.file))\" line=\"\(limit.line)\" time=\"0\">\n"
        let message = MarkupText.escaped(limit.sentence)
        let result =
            switch limit.verdict {
            case .broken: "<failure type=\"broken\" message=\"\(message)\"/>\n"
            case .unused: "<skipped message=\"\(message)\"/>\n"
            case .inconclusive: "<\(open) message=\"\(message)\"/>\n"
            case .kept: "<system-out>\(message)</system-out>\n"
            }
        return start + result + "</testcase>\n"
    }
}

/// The primary metrics of a check as tests.
private struct Metrics {
    let check: RegressionCheck
    let open: String

    var failures: Int { verdicts.count { $0 == .regressed } }
    var inconclusive: Int { check.primary.isEmpty ? 1 : verdicts.count { $0 == .inconclusive } }

    private var verdicts: [RegressionVerdict] { check.primary.map(check.verdict(of:)) }

    var cases: [String] {
        let words = CheckWords(check: check)
        // Without a metric, the report still has one test, because an empty report is not noticed.
        return check.primary.isEmpty
            ? [testCase("makespan", 0, .inconclusive, words.headlines.joined(separator: "\n"), words)]
            : check.primary.map {
                let message =
                    check.obstacle.map { "inconclusive: \($0)" } ?? words.headline($0)
                return testCase(
                    words.label($0.metric), $0.currentTime, check.verdict(of: $0), message, words)
            }
    }

    private func testCase(
        _ name: String, _ nanoseconds: Double, _ verdict: RegressionVerdict, _ message: String,
        _ words: CheckWords
    ) -> String {
        let start =
            "<testcase classname=\"opviz.check\" name=\"\(MarkupText.escaped(name))\" "
            + "time=\"\(String(format: "%.9f", nanoseconds / 1e9))\">\n"
        let details =
            (words.alsoProven + [message] + words.explanations + check.notes)
            .map(MarkupText.escaped).joined(separator: "\n")
        let message = MarkupText.escaped(message)
        let result =
            switch verdict {
            case .regressed:
                "<failure type=\"regressed\" message=\"\(message)\">\(details)</failure>\n"
            case .inconclusive: "<\(open) message=\"\(message)\"/>\n<system-out>\(details)</system-out>\n"
            case .improved, .unchanged: "<system-out>\(details)</system-out>\n"
            }
        return start + result + "</testcase>\n"
    }
}
