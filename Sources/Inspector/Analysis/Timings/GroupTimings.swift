import InspectorColumns

/// The timings of groups of operations, in some order.
///
/// Each is computed on access, because there may be as many groups as operations, and usually only the first
/// ones are used.
public struct GroupTimings: RandomAccessCollection, Sendable {
    private let names: [String]
    private let samples: GroupSamples
    /// The groups that have operations.
    private var order: [Int32]

    /// The longest total execution first; equal ones by name.
    init(names: [String], _ samples: GroupSamples) {
        self.names = names
        self.samples = samples
        order = names.indices.filter { samples.count(of: $0) > 0 }.map { Int32($0) }
        sort { samples.total(.execution, of: $0) }
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { order.count }

    /// Cost: linear in the operations of the group.
    public subscript(position: Int) -> GroupTiming {
        let group = Int(order[position])
        return GroupTiming(name: names[group], samples, group: group)
    }

    /// Sorted by the key, the largest first; equal ones by name.
    package func sorted(by key: (GroupTiming) -> Int64) -> GroupTimings {
        var sorted = self
        sorted.sort { key(GroupTiming(name: names[$0], samples, group: $0)) }
        return sorted
    }

    package func sortedByName() -> GroupTimings {
        var sorted = self
        sorted.order.sort { names[Int($0)] < names[Int($1)] }
        return sorted
    }

    private mutating func sort(by key: (Int) -> Int64) {
        var keys = [Int64](repeating: 0, count: names.count)
        for group in order { keys[Int(group)] = key(Int(group)) }
        let names = names
        order.sort { one, other in
            let (left, right) = (keys[Int(one)], keys[Int(other)])
            return left == right ? names[Int(one)] < names[Int(other)] : left > right
        }
    }

    // MARK: Totals

    package var operations: Int { sum { samples.count(of: $0) } }
    package var failed: Int { sum { samples.count(of: .failed, in: $0) } }
    package var cancelled: Int { sum { samples.count(of: .cancelled, in: $0) } }
    package var unfinished: Int { sum { samples.count(of: .unfinished, in: $0) } }

    /// Nanoseconds.
    package func total(_ part: LifetimeParts.Part) -> Int64 {
        order.reduce(0) { $0.saturatingAdd(samples.total(part, of: Int($1))) }
    }

    private func sum(_ count: (Int) -> Int) -> Int { order.reduce(0) { $0 + count(Int($1)) } }
}
