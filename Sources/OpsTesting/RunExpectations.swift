import EventLog
import Foundation
public import Inspector

extension RecordedRun {
    /// Expects that every limit of a file is kept.
    ///
    /// - Parameter file: looked for beside the test's source, then in the current folder.
    public func expectWithinBudget(
        file: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let place = CallSite(fileID, filePath, line, column)
        expect(at: place) { () throws(BudgetsError) in try Budgets(file: Self.path(of: file, for: place)) }
    }

    /// Expects that every limit of a text is kept, which is written as a file of budgets is: `"makespan:
    /// 2s"`.
    public func expectWithinBudget(
        _ yaml: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        expect(at: CallSite(fileID, filePath, line, column)) { () throws(BudgetsError) in
            try Budgets(yaml: yaml)
        }
    }

    /// Expects that no more operations than that executed at any one moment.
    ///
    /// Of the whole run, a parent counts only while none of its children is there; of a kind or a queue, it
    /// counts all the time that it executes. Where times are known as intervals only, what is certain counts.
    ///
    /// - Parameters:
    ///   - kind: only operations of this kind, of which there must be one.
    ///   - queue: only those of the queue of that name or ID.
    public func expectConcurrency(
        atMost limit: Int, kind: String? = nil, queue: String? = nil, fileID: StaticString = #fileID,
        filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
    ) {
        let budget = Budget(
            kind: kind, queue: queue, quantity: .concurrency, relation: .atMost, limit: .number(limit))
        expect(at: CallSite(fileID, filePath, line, column)) { () throws(BudgetsError) in
            Budgets([budget], named: name)
        }
    }

    /// Expects that `opviz lint` would find nothing.
    ///
    /// - Parameters:
    ///   - severity: findings below it do not count.
    ///   - rules: only those of these names; all when nil.
    ///   - exceptions: rules that are not asked.
    public func expectNoHazards(
        atLeast severity: HazardSeverity = .warning, rules: Set<String>? = nil,
        except exceptions: Set<String> = [],
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let place = CallSite(fileID, filePath, line, column)
        let known = Set(HazardReport.allRules.map(\.name))
        if let unknown = (rules ?? []).union(exceptions).subtracting(known).min() {
            return TestFailure.record(HazardReport.unknownRule(unknown), at: place)
        }
        let report = HazardReport(
            trace, rules: (rules ?? known).subtracting(exceptions), atLeast: severity)
        let count = report.groups.reduce(0) { $0 + $1.count }
        guard count > 0 else { return }
        fail(
            "\(Prose.counted(count, "hazard")) in \(name):\n\(HazardText(report).text(width: 100))",
            at: place)
    }

    private func expect(at place: CallSite, _ budgets: () throws(BudgetsError) -> Budgets) {
        do {
            let report = try BudgetReport(budgets(), [(name, analysis)])
            for note in report.notes { TestFailure.note(note, at: place) }
            let failures = report.lines.compactMap { line -> String? in
                switch line.verdict {
                case .kept, .unused: nil
                case .broken: line.result.sentence
                case .inconclusive: "\(line.result.sentence), but not everything was recorded"
                }
            }
            guard !failures.isEmpty else { return }
            fail(failures.joined(separator: "\n"), at: place)
        } catch {
            fail(error.description, at: place)
        }
    }

    func fail(_ sentence: String, at place: CallSite) {
        TestFailure.record(sentence + files.kept(at: place), at: place)
    }

    /// A path that is not absolute is one beside the test, or, where nothing is there, one from the current
    /// folder.
    static func path(of file: String, for place: CallSite) -> String {
        let beside = URL(filePath: "\(place.filePath)").deletingLastPathComponent().appending(path: file).path
        return file.hasPrefix("/") || !FileManager.default.fileExists(atPath: beside) ? file : beside
    }
}
