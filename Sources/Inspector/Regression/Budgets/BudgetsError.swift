/// Why budgets could not be read or checked.
public struct BudgetsError: Error, Sendable, CustomStringConvertible {
    /// An open set: new codes may be added.
    public struct Code: Hashable, Sendable {
        enum Value { case noSuchFile, unreadable, notBudgets, notInTrace }
        let value: Value

        /// No file has that name.
        public static let noSuchFile = Code(value: .noSuchFile)
        /// The operating system refused to read it.
        public static let unreadable = Code(value: .unreadable)
        /// The file is not YAML, or contains anything other than budgets.
        public static let notBudgets = Code(value: .notBudgets)
        /// It names a kind or a queue that the trace does not have.
        public static let notInTrace = Code(value: .notInTrace)
    }

    /// Use this to decide what to do: the reason is for people.
    public let code: Code
    /// The file of the budgets, as it was passed to the reader.
    public let file: String
    /// The line of the error, from 1, if there is one.
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
