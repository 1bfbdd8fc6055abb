import InspectorColumns

/// How to sort the rows of a table: times and counts descending, names and starts ascending.
public enum TableOrder: Hashable, Sendable {
    /// One part of the lifetime; for groups, the total.
    case part(LifetimeParts.Part)
    /// One statistic of the executions of a group. Not for single operations.
    case statistic(Statistic)
    /// From enqueue to finish; for groups, the total.
    case lifetime
    /// The number of operations in the group. Not for single operations.
    case count
    /// By the name of the group or of the operation.
    case name
    /// When the operation was enqueued.
    case start

    /// A statistic of the executions of a group.
    public enum Statistic: String, CaseIterable, Sendable {
        /// As in ``Distribution``.
        case mean, p50, p90, p95, p99, max
    }

    /// The execution time; for groups, the total.
    public static let execution = part(.execution)

    /// Whether this applies to groups of operations.
    package var isForGroups: Bool { self != .start }

    package var isForOperations: Bool {
        switch self {
        case .statistic, .count: false
        case .part, .lifetime, .name, .start: true
        }
    }

    /// The groups in this order. Equal ones are sorted by name.
    func sorted(_ groups: GroupTimings) -> GroupTimings {
        switch self {
        // That is their order already.
        case .part(.execution), .start: groups
        case .name: groups.sortedByName()
        case .part(let part): groups.sorted { $0[part].total }
        case .statistic(let statistic): groups.sorted { statistic.of($0[.execution]) }
        case .lifetime: groups.sorted { $0.lifetime }
        case .count: groups.sorted { Int64($0.count) }
        }
    }

    /// Indices of the operations that were enqueued, in this order. Equal ones stay in the order of the log.
    ///
    /// - Parameter isSelected: whether to include an operation; nil to include all.
    func sorted(operationsOf timings: TraceTimings, only isSelected: ((Int) -> Bool)? = nil) -> [Int] {
        let operations = timings.trace.operations
        let indices = operations.indices.filter { timings.waits[$0] != nil && isSelected?($0) ?? true }
        func sorted(by key: (LifetimeParts) -> Int64) -> [Int] {
            // Negated to sort in descending order: parts of a lifetime are never negative.
            indices.map { (-key(timings.waits[$0] ?? LifetimeParts()), $0) }.sortedByDigits(\.0).map(\.1)
        }
        return switch self {
        case .name: indices.map { (operations[$0].displayName, $0) }.sorted { $0 < $1 }.map(\.1)
        case .start: indices.sortedByDigits { operations[$0].enqueued?.notAfter ?? .max }
        case .part(let part): sorted { $0[part] }
        case .lifetime: sorted(by: \.total)
        case .statistic, .count: sorted(by: \.execution)
        }
    }

    var title: String {
        switch self {
        case .name: "by name"
        case .start: "first enqueued first"
        case .lifetime: "longest lifetime first"
        case .part(.unknown): "longest unknown time first"
        case .part(let part): "longest \(part.label) first"
        case .statistic, .count: Self.execution.title
        }
    }
}

extension TableOrder: RawRepresentable, CaseIterable {
    /// In the order in which help lists them.
    public static let allCases: [TableOrder] =
        [.execution] + Statistic.allCases.map { .statistic($0) }
        + LifetimeParts.Part.allCases.filter { $0 != .execution }.map { .part($0) }
        + [.lifetime, .count, .name, .start]

    /// The order of that name: `execution`, `p95`, `slot`, `name`.
    public init?(rawValue: String) {
        guard let order = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = order
    }

    /// The name of a part, of a statistic, or of the case.
    public var rawValue: String {
        switch self {
        case .part(let part): part.name
        case .statistic(let statistic): statistic.rawValue
        case .lifetime, .count, .name, .start: "\(self)"
        }
    }
}

extension TableOrder.Statistic {
    fileprivate func of(_ distribution: Distribution) -> Int64 {
        switch self {
        case .mean: Int64(rounding: distribution.mean)
        case .p50: distribution.p50
        case .p90: distribution.p90
        case .p95: distribution.p95
        case .p99: distribution.p99
        case .max: distribution.max
        }
    }
}
