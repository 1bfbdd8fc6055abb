import InspectorColumns

/// Finds the operation that somebody means: by its ID, its name or its kind.
public struct OperationSearch: Sendable {
    /// Indices into the trace's operations, that of the longest lifetime first, of equal ones the first in
    /// the log. Those that were never enqueued come last.
    public let matches: [Int]

    /// - Parameter text: an ID as it stands in the log (`0x1f`), or a name, or else a kind, each in full;
    ///   upper and lower case differ. `nil` is any operation.
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
            if found.isEmpty { found = operations.indices.filter { operations[$0].displayName == text } }
            if found.isEmpty, let kind = analysis.trace.kinds.firstIndex(of: text) {
                found = operations.indices.filter { operations[$0].kindIndex == kind }
            }
        }
        let lifetimes = found.map { (index: $0, lifetime: analysis.waits[$0]?.total ?? -1) }
        matches = lifetimes.sortedByDigits { -$0.lifetime }.map(\.index)
    }

    /// `0x1f` as a number.
    static func id(_ text: String) -> UInt64? {
        text.hasPrefix("0x") ? UInt64(text.dropFirst(2), radix: 16) : nil
    }
}
