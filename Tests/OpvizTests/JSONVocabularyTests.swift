import EventLog
import Foundation
import InspectorAnalysis
import InspectorComparison
import InspectorHazards
import InspectorRegression
import Testing

@testable import InspectorReports

@Suite("Words in schemas of JSON")
struct JSONVocabularyTests {
    /// Where a schema lists words, as a path of its members, and those of the code.
    struct Vocabulary: CustomTestStringConvertible, Sendable {
        let schema: String
        let path: String
        let words: [String]

        var testDescription: String { "\(schema): \(path)" }
    }

    private static let rules = HazardReport.allRules.map(\.name)
    private static let severities = HazardSeverity.allCases.map(\.rawValue)
    private static let endings = OperationEnding.allCases.map(\.word)
    private static let exactEndings = ExactEnding.allCases.map(\.rawValue)
    private static let verdicts = RegressionVerdict.allCases.map(\.rawValue)
    private static let budgetVerdicts = BudgetReport.Line.Verdict.allCases.map(\.rawValue)
    private static let relations = Budget.Relation.allCases.map(\.rawValue)
    private static let reasons = DelayChain.Reason.allCases.map { "\($0)" }

    static let all = [
        Vocabulary(schema: "why", path: "causes/severity", words: severities),
        Vocabulary(schema: "why", path: "causes/rule", words: rules),
        Vocabulary(schema: "lint", path: "rules", words: rules),
        Vocabulary(schema: "lint", path: "findings/rule", words: rules),
        Vocabulary(schema: "lint", path: "findings/severity", words: severities),
        Vocabulary(schema: "lint", path: "omitted/rule", words: rules),
        Vocabulary(schema: "lint", path: "omitted/severity", words: severities),
        Vocabulary(schema: "lint", path: "hidden/severity", words: severities),
        Vocabulary(schema: "lint", path: "undecided/rule", words: rules),
        Vocabulary(schema: "watch", path: "hazards/rule", words: rules),
        Vocabulary(schema: "watch", path: "hazards/severity", words: severities),
        Vocabulary(schema: "watch", path: "tasks/parts/part", words: TaskPart.allCases.map(\.row.key)),
        Vocabulary(
            schema: "graph", path: "collapse",
            words: GraphOptions.Collapse.allCases.filter { $0 != .auto }.map(\.rawValue)),
        Vocabulary(
            schema: "graph", path: "arrows/relation",
            words: DrawnGraph.Edge.Relation.allCases.map(\.rawValue)),
        Vocabulary(schema: "table", path: "$operation/outcome", words: endings),
        Vocabulary(
            schema: "table", path: "$task/outcome", words: endings.filter { $0 != "unobserved" }),
        Vocabulary(
            schema: "table", path: "$task/creation", words: LogEvent.Creation.allCases.map { "\($0)" }),
        Vocabulary(
            schema: "table", path: "by",
            words: OperationGrouping.allCases.map(\.rawValue)
                + ["operation", "task", "task-kind", "executor"]),
        Vocabulary(schema: "explain", path: "$step/relation", words: reasons),
        Vocabulary(schema: "critical-path", path: "$step/relation", words: reasons),
        Vocabulary(
            schema: "explain", path: "followers/relation",
            words: Waiters.Relation.allCases.map { "\($0)" }),
        Vocabulary(
            schema: "whatif", path: "queues/boundBy",
            words: QueueBound.Cause.allCases.map(WhatIfReport.name)),
        Vocabulary(
            schema: "diff", path: "operations/change",
            words: TraceComparison.Change.allCases.filter { $0 != .same }.map(\.rawValue)),
        Vocabulary(schema: "diff", path: "operations/outcomeBefore", words: exactEndings),
        Vocabulary(schema: "diff", path: "operations/outcomeAfter", words: exactEndings),
        Vocabulary(schema: "check", path: "$verdict", words: verdicts),
        Vocabulary(schema: "check", path: "delays/part", words: LifetimeParts.Part.allCases.map(\.name)),
        Vocabulary(schema: "check", path: "$budget/verdict", words: budgetVerdicts),
        Vocabulary(schema: "check", path: "$budget/relation", words: relations),
        Vocabulary(schema: "budgets", path: "$budget/verdict", words: budgetVerdicts),
        Vocabulary(schema: "budgets", path: "$budget/relation", words: relations),
    ]

    @Test("a schema lists exactly the words that the code has", arguments: all)
    func words(_ vocabulary: Vocabulary) throws {
        let words = try Self.words(vocabulary.path, of: vocabulary.schema)
        #expect(words.count == Set(words).count)
        #expect(Set(words) == Set(vocabulary.words))
    }

    /// Of a path: the name of a member, or with a dollar sign of a definition. The elements of lists have no
    /// name.
    private static func words(_ path: String, of schema: String) throws -> [String] {
        let file = Repository.url.appending(path: "Documentation/schemas/\(schema).schema.json")
        let root = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        var place = root
        for step in path.split(separator: "/").map(String.init) {
            place = try #require(
                step.hasPrefix("$")
                    ? (root["$defs"] as? [String: [String: Any]])?[String(step.dropFirst())]
                    : (place["properties"] as? [String: [String: Any]])?[step])
            if let items = place["items"] as? [String: Any] { place = items }
        }
        return try #require(place["enum"] as? [String])
    }
}
