/// Why budgets could not be read, or not be checked.
public struct BudgetsError: Error, Sendable, CustomStringConvertible {
    /// An open set: new codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value { case noSuchFile, unreadable, notBudgets, notInTrace }
        let value: Value

        /// No file has that name.
        public static let noSuchFile = Code(value: .noSuchFile)
        /// The operating system refused to read it.
        public static let unreadable = Code(value: .unreadable)
        /// It is not YAML, or contains something else than budgets.
        public static let notBudgets = Code(value: .notBudgets)
        /// It names a kind or a queue that the trace has not.
        public static let notInTrace = Code(value: .notInTrace)
    }

    /// What to decide by: the reason is for people.
    public let code: Code
    /// The file of the budgets, as it was named to the reader.
    public let file: String
    /// From 1, where there is a line to point at.
    public let line: Int?
    /// What was expected and what was found, without the file's name. Safe for a terminal.
    public let reason: String

    init(_ code: Code, file: String, line: Int? = nil, _ reason: String) {
        self.code = code
        self.file = file
        self.line = line
        self.reason = reason
    }

    /// One sentence: file, line, reason.
    public var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(reason)" }
}
