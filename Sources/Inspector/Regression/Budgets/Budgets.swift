import Foundation

/// The contents of a file of budgets, `budgets.yml`: limits that need no baseline. Documentation/Budgets.md
/// describes the format.
public struct Budgets: Sendable {
    /// Larger files are rejected: hand-written files of limits are smaller.
    package static let largestFile = 1 << 18

    /// The file's name for errors and reports.
    public let name: String
    /// In the order of the file.
    public let all: [Budget]

    /// Reads a file.
    ///
    /// - Throws: `BudgetsError` if it cannot be read, is not YAML, or contains anything other than budgets;
    ///   with the line.
    public init(file path: String) throws(BudgetsError) {
        guard FileManager.default.fileExists(atPath: path) else {
            throw BudgetsError(.noSuchFile, file: path, "no such file")
        }
        var bytes = Data()
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            bytes = try file.read(upToCount: Self.largestFile + 1) ?? Data()
        } catch {
            throw BudgetsError(.unreadable, file: path, "cannot be read: \(error.localizedDescription)")
        }
        try self.init(bytes: bytes, named: path)
    }

    /// - Parameter name: the name for errors and reports.
    /// - Throws: `BudgetsError` if it is not YAML, or contains anything other than budgets; with the line.
    public init(yaml: String, named name: String = "budgets") throws(BudgetsError) {
        try self.init(bytes: Data(yaml.utf8), named: name)
    }

    /// Limits without a file.
    package init(_ all: [Budget], named name: String) {
        self.name = name
        self.all = all
    }

    private init(bytes: Data, named name: String) throws(BudgetsError) {
        guard bytes.count <= Self.largestFile else {
            throw BudgetsError(
                .notBudgets, file: name,
                "is larger than \(Self.largestFile >> 10) KB, the limit for budgets")
        }
        self.name = name
        all = try BudgetGrammar(BudgetsYAML.read(bytes, named: name), named: name).budgets
    }

    /// Checks one run, in the order of the file.
    ///
    /// Cost: linear in operations for each named kind and queue.
    ///
    /// - Throws: `BudgetsError` if the run has no operation of a named kind or queue, and the budget is not
    ///   optional.
    public func check(_ analysis: TraceAnalysis) throws(BudgetsError) -> [BudgetResult] {
        var measurement = BudgetMeasurement(analysis)
        var results: [BudgetResult] = []
        for budget in all {
            do {
                results.append(BudgetResult(budget, try measurement.measure(budget)))
            } catch {
                throw BudgetsError(.notInTrace, file: name, line: budget.line, error.reason)
            }
        }
        return results
    }
}
