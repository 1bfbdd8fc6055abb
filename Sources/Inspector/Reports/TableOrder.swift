import InspectorColumns

/// How to sort the rows of a table: times and counts descending, names and starts ascending.
public enum TableOrder: String, CaseIterable, Sendable {
    /// The execution time; for groups, the total.
    case execution
    /// Statistics of the executions of a group. Not for single operations.
    case mean, p50, p90, p95, p99, max
    /// One kind of wait; for groups, the total.
    case dependency, suspended, slot, dispatch, unknown
    /// From enqueue to finish; for groups, the total.
    case lifetime
    /// The number of operations in the group. Not for single operations.
    case count
    /// By the name of the group or of the operation.
    case name
    /// When the operation was enqueued.
    case start

    /// Whether this applies to groups of operations.
    package var isForGroups: Bool { self != .start }

    package var isForOperations: Bool {
        switch self {
        case .mean, .p50, .p90, .p95, .p99, .max, .count: false
        default: true
        }
    }

    /// The groups in this order. Equal ones are sorted by name.
    func sorted(_ groups: GroupTimings) -> GroupTimings {
        switch self {
        // That is their order already.
        case .execution, .start: groups
        case .name: groups.sortedByName()
        default: groups.sorted { key(of: $0) }
        }
    }

    private func key(of group: GroupTiming) -> Int64 {
        switch self {
        case .execution, .name, .start: group[.execution].total
        case .mean: Int64(clamping: group[.execution].mean)
        case .p50: group[.execution].p50
        case .p90: group[.execution].p90
        case .p95: group[.execution].p95
        case .p99: group[.execution].p99
        case .max: group[.execution].max
        case .dependency: group[.dependency].total
        case .suspended: group[.suspended].total
        case .slot: group[.slot].total
        case .dispatch: group[.dispatch].total
        case .unknown: group[.unknown].total
        case .lifetime: group.lifetime
        case .count: Int64(group.count)
        }
    }

    /// Indices of the operations that were enqueued, in this order. Equal ones stay in the order of the log.
    func sorted(operationsOf timings: TraceTimings) -> [Int] {
        let operations = timings.trace.operations
        let indices = operations.indices.filter { timings.waits[$0] != nil }
        switch self {
        case .name:
            return indices.map { (operations[$0].displayName, $0) }.sorted { $0 < $1 }.map(\.1)
        case .start:
            return indices.sortedByDigits { operations[$0].enqueued?.notAfter ?? .max }
        default:
            // Negated to sort in descending order: parts of a lifetime are never negative.
            return indices.map { (-key(of: timings.waits[$0] ?? Waits()), $0) }.sortedByDigits(\.0).map(\.1)
        }
    }

    private func key(of waits: Waits) -> Int64 {
        switch self {
        case .dependency: waits.dependency
        case .suspended: waits.suspended
        case .slot: waits.slot
        case .dispatch: waits.dispatch
        case .unknown: waits.unknown
        case .lifetime: waits.total
        case .execution, .mean, .p50, .p90, .p95, .p99, .max, .count, .name, .start: waits.execution
        }
    }
}

extension Int64 {
    /// The number, rounded and clamped.
    fileprivate init(clamping value: Double) {
        self = Int64(exactly: value.rounded()) ?? (value < 0 ? .min : .max)
    }
}
