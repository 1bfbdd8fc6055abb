import EventLog
import Foundation
public import Inspector

extension RecordedRun {
    /// Expects that every limit of a file of budgets is kept.
    ///
    /// - Parameter file: searched beside the test's source, then in the current directory.
    public func expectWithinBudget(
        file: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let place = CallSite(fileID, filePath, line, column)
        expect(at: place) { () throws(BudgetsError) in try Budgets(file: Self.path(of: file, for: place)) }
    }

    /// Expects that every limit in a text is kept. The text has the format of a file of budgets: `"makespan:
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

    /// Expects that at most this many operations executed at the same time, or tasks ran on an executor.
    ///
    /// For the whole run, a parent counts only while none of its children exists. For a kind or a queue, it
    /// counts as long as it executes. For times that are known only as intervals, the certain part counts.
    ///
    /// - Parameters:
    ///   - kind: counts only operations of this kind. There must be at least one.
    ///   - queue: counts only operations of the queue with that name or ID.
    ///   - executor: counts the Swift tasks that run on the executors with that name: the type of an actor,
    ///     `main actor` or `global executor`. At least one must have run there. An actor runs one task at
    ///     a time: several at once ran on several actors. Without kind and queue.
    public func expectConcurrency(
        atMost limit: Int, kind: String? = nil, queue: String? = nil, executor: String? = nil,
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let budget = Budget(
            kind: kind, queue: queue, executor: executor, quantity: .concurrency, relation: .atMost,
            limit: .number(limit))
        expect(at: CallSite(fileID, filePath, line, column)) { () throws(BudgetsError) in
            Budgets([budget], named: name)
        }
    }

    /// Expects that every Swift task that was created during the recording had finished at its end.
    public func expectNoTaskOutlives(
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
        column: UInt = #column
    ) {
        let whole = analysis.withTasks
        let tasks = whole.trace.tasks
        let alive = tasks.entries.indices.filter {
            tasks.entries[$0].created != nil && tasks.entries[$0].outcome == nil
        }
        guard let first = alive.first else { return }
        let story = Explanation(of: tasks.operation(of: first), in: whole).summary
        let count = Prose.counted(alive.count, "task outlives", "tasks outlive")
        fail(
            "\(count) \(name); the first: \(story)",
            at: CallSite(fileID, filePath, line, column))
    }

    /// Expects that `opviz lint` finds nothing.
    ///
    /// - Parameters:
    ///   - severity: lower findings do not count.
    ///   - rules: checks only these rules; all if nil.
    ///   - exceptions: rules to skip.
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
            "hazards of \(name): \(HazardText(report).text(width: 100))",
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

    /// A relative path is relative to the test's folder; or, if nothing is there, to the current directory.
    static func path(of file: String, for place: CallSite) -> String {
        let beside = URL(filePath: "\(place.filePath)").deletingLastPathComponent().appending(path: file).path
        return file.hasPrefix("/") || !FileManager.default.fileExists(atPath: beside) ? file : beside
    }
}
