/// What operations are called in a text for people: each by its name, those that share theirs with their ID too.
struct OperationNames {
    private static let longestName = 32

    private let operations: TracedOperations
    /// The names that more than one operation has.
    private let shared: Set<String>

    /// Linear in operations.
    init(_ trace: Trace) {
        operations = trace.operations
        var seen: Set<String> = []
        var shared: Set<String> = []
        for operation in trace.operations where !seen.insert(operation.displayName).inserted {
            shared.insert(operation.displayName)
        }
        self.shared = shared
    }

    /// Safe for a terminal, and of bounded width.
    subscript(index: Int) -> String {
        let operation = operations[index]
        let name = TerminalText.shortened(operation.displayName, toColumns: Self.longestName)
        return shared.contains(operation.displayName) ? "\(name) \(operation.id)" : name
    }
}
