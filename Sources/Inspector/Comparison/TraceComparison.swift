/// Two runs of one program, operation by operation: what is new, what is gone, what took longer and what less.
///
/// One run against one run is no verdict: two runs of the same program differ too.
public struct TraceComparison: Sendable {
    /// Below this share of the longer time, and below that share of the longer makespan, a difference is none.
    private static let leastShare = 0.1
    private static let leastShareOfRun = 0.001

    public enum Change: String, CaseIterable, Sendable {
        case slower, faster, same, new, gone
    }

    /// One operation, in the runs that it is in.
    struct Row {
        /// Indices into the operations of either trace.
        let before: Int32?
        let after: Int32?
        let change: Change
        /// Nanoseconds that it took longer, waiting for its dependencies not counted; negative for less. All of its time
        /// where it is new, and less all of it where it is gone.
        let difference: Int64
    }

    /// The operations of a kind, in both runs.
    struct Kind {
        let name: String
        let before: Totals
        let after: Totals
    }

    /// Sums over operations.
    struct Totals {
        var count = 0
        var waits = Waits()

        /// Nanoseconds.
        var waited: Int64 {
            [Waits.Part.dependency, .suspended, .slot, .dispatch, .unknown].reduce(0) {
                $0.saturatingAdd(waits[$1])
            }
        }

        static func + (lhs: Totals, rhs: Totals) -> Totals {
            Totals(count: lhs.count + rhs.count, waits: lhs.waits + rhs.waits)
        }
    }

    let before: TraceAnalysis
    let after: TraceAnalysis
    /// In the order of the later log; those that are gone come last.
    let rows: [Row]
    /// The largest difference in execution time first; of equal ones by name.
    let kinds: [Kind]
    /// Operations of both runs that depend on others than before, or are elsewhere in the graph.
    let moved: Int

    /// Cost: linear in operations and edges.
    public init(before: TraceAnalysis, after: TraceAnalysis) {
        self.before = before
        self.after = after
        let matching = OperationMatching(before.trace, after.trace)
        moved = matching.moved
        let least = Int64(Double(max(before.makespan, after.makespan)) * Self.leastShareOfRun)
        var rows: [Row] = []
        rows.reserveCapacity(matching.pairs.count + matching.new.count + matching.gone.count)
        for pair in matching.pairs {
            let (first, second) = (
                Self.ownTime(before, pair.before), Self.ownTime(after, pair.after)
            )
            rows.append(
                Row(
                    before: pair.before, after: pair.after,
                    change: Self.change(from: first, to: second, least: least), difference: second - first))
        }
        for index in matching.new {
            rows.append(
                Row(before: nil, after: index, change: .new, difference: Self.ownTime(after, index)))
        }
        rows = rows.sortedByDigits { Int64($0.after ?? .max) }
        for index in matching.gone {
            rows.append(
                Row(before: index, after: nil, change: .gone, difference: -Self.ownTime(before, index)))
        }
        self.rows = rows
        kinds = Self.kinds(before, after)
    }

    /// - Parameter least: nanoseconds; a difference that is no larger is none.
    static func change(from before: Int64, to after: Int64, least: Int64) -> Change {
        let difference = after - before
        guard difference.magnitude > least.magnitude,
            Double(difference.magnitude) >= Double(max(before, after)) * leastShare
        else { return .same }
        return difference > 0 ? .slower : .faster
    }

    /// Nanoseconds from when its dependencies were done: what it took itself, with its waits for slots and threads.
    private static func ownTime(_ analysis: TraceAnalysis, _ index: Int32) -> Int64 {
        guard let waits = analysis.waits[Int(index)] else { return 0 }
        return waits.total - waits.dependency
    }

    func count(of change: Change) -> Int { rows.reduce(0) { $0 + ($1.change == change ? 1 : 0) } }

    /// Those that changed, the largest difference first.
    var changed: [Row] {
        rows.filter { $0.change != .same }.sortedByDigits { -Int64(clamping: $0.difference.magnitude) }
    }

    /// Of the whole runs.
    var totals: (before: Totals, after: Totals) {
        kinds.reduce((Totals(), Totals())) { ($0.0 + $1.before, $0.1 + $1.after) }
    }

    private static func kinds(_ before: TraceAnalysis, _ after: TraceAnalysis) -> [Kind] {
        func totals(_ analysis: TraceAnalysis) -> [String: Totals] {
            var sums = Array(repeating: Totals(), count: analysis.trace.kinds.count)
            let kinds = analysis.trace.operations.store.columns.kinds
            for (index, waits) in analysis.waits.enumerated() {
                guard let waits else { continue }
                sums[Int(kinds[index])].count += 1
                sums[Int(kinds[index])].waits += waits
            }
            return Dictionary(zip(analysis.trace.kinds, sums)) { $0 + $1 }
        }
        let (first, second) = (totals(before), totals(after))
        func difference(_ kind: Kind) -> UInt64 {
            (kind.after.waits.execution - kind.before.waits.execution).magnitude
        }
        return Set(first.keys).union(second.keys).map { name in
            Kind(name: name, before: first[name] ?? Totals(), after: second[name] ?? Totals())
        }
        .filter { $0.before.count + $0.after.count > 0 }
        .sorted { (difference($1), $0.name) < (difference($0), $1.name) }
    }
}
