import InspectorColumns

/// Finds an operation by its ID, its name or its kind.
public struct OperationSearch: Sendable {
    /// Indices into the trace's operations, the longest lifetime first; equal ones in the order of the log.
    /// Operations that were never enqueued come last.
    public let matches: [Int]

    /// - Parameter text: an ID as in the log (`0x1f`), or a name, or else a kind, each in full and
    ///   case-sensitive. `nil` matches any operation.
    ///
    /// Cost: linear in operations.
    public init(_ text: String?, in analysis: TraceAnalysis) {
        let operations = analysis.trace.operations
        var found = Array(operations.indices)
        if let text {
            found = []
            if let id = Self.id(text) {
                found = operations.indices.filter { operations[$0].id.rawValue == id }
            }
            if found.isEmpty { found = Self.named(text, in: analysis) }
        }
        matches = Self.inOrder(found, in: analysis)
    }

    /// By name or else kind, also if the name looks like an ID.
    package init(name: String, in analysis: TraceAnalysis) {
        matches = Self.inOrder(Self.named(name, in: analysis), in: analysis)
    }

    private static func named(_ name: String, in analysis: TraceAnalysis) -> [Int] {
        let operations = analysis.trace.operations
        let found = operations.indices.filter { operations[$0].displayName == name }
        guard found.isEmpty, let kind = analysis.trace.kinds.firstIndex(of: name) else { return found }
        return operations.indices.filter { operations[$0].kindIndex == kind }
    }

    /// The longest lifetime first.
    package static func inOrder(_ operations: [Int], in analysis: TraceAnalysis) -> [Int] {
        let lifetimes = operations.map { (index: $0, lifetime: analysis.waits[$0]?.total ?? -1) }
        return lifetimes.sortedByDigits { -$0.lifetime }.map(\.index)
    }

    /// The number for a text such as `0x1f`.
    static func id(_ text: String) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
    }
}
