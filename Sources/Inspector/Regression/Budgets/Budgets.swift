import Foundation

/// What a file of budgets says, `budgets.yml`: limits that hold without a baseline. Its form is in
/// Documentation/Budgets.md.
public struct Budgets: Sendable {
    /// Larger files are refused: no file of limits that people wrote is.
    package static let largestFile = 1 << 18

    /// What errors and reports call the file.
    public let name: String
    /// In the order of the file.
    public let all: [Budget]

    /// Reads a file.
    ///
    /// - Throws: `BudgetsError` where it cannot be read, is not YAML, or contains something else than
    ///   budgets; with the line.
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

    /// - Parameter name: what errors and reports call it.
    /// - Throws: `BudgetsError` where it is not YAML, or contains something else than budgets; with the line.
    public init(yaml: String, named name: String = "budgets") throws(BudgetsError) {
        try self.init(bytes: Data(yaml.utf8), named: name)
    }

    /// Limits that no file holds.
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
    /// Cost: linear in operations for each kind and queue that is named.
    ///
    /// - Throws: `BudgetsError` where a kind or a queue is named that the run has no operation of, and the
    ///   budget is not optional.
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
