/// What operations are put together by.
public enum OperationGrouping: String, CaseIterable, Sendable {
    case kind
    case queue
    /// The one that the operation started on.
    case thread
}

extension TraceAnalysis {
    /// The timings of all groups that have operations, the longest total execution first; of equal ones by name.
    ///
    /// Cost: linear in operations.
    public func timings(by grouping: OperationGrouping) -> [GroupTiming] {
        Self.timings(by: grouping, of: trace, waits)
    }

    static func timings(by grouping: OperationGrouping, of trace: Trace, _ waits: [Waits?]) -> [GroupTiming] {
        let columns = trace.operations.store.columns
        let names: [String]
        let group: (Int) -> Int
        switch grouping {
        case .kind:
            names = trace.kinds
            group = { Int(columns.kinds[$0]) }
        case .queue:
            names = trace.queues.map { $0.name.isEmpty ? "queue \($0.id)" : $0.name }
            group = { Int(columns.queues[$0]) }
        case .thread:
            // The last is of operations that never started, or of which the log does not say where.
            names = columns.threadNumbers.map { "thread \($0)" } + ["unknown"]
            group = { columns.threads[$0] < 0 ? names.count - 1 : Int(columns.threads[$0]) }
        }
        let members = Grouping(
            waits.indices.lazy.map { waits[$0] == nil ? -1 : group($0) }, groups: names.count)
        return names.enumerated()
            .filter { !members[$0.offset].isEmpty }
            .map { GroupTiming(name: $0.element, members: members[$0.offset], of: trace, waits: waits) }
            .sorted { ($1[.execution].total, $0.name) < ($0[.execution].total, $1.name) }
    }
}
