import InspectorColumns

/// What the enqueued operations of each group spent their time on, group by group, with a column for each
/// part.
///
/// Filled in one pass over the operations, because the operations of one group may be far apart in memory.
package struct GroupSamples {
    /// Group g is `first[g]..<first[g + 1]` of each column.
    private let first: [Int]
    /// By the number of the part. Those of the execution are only of operations that started, which come
    /// first.
    private var samples = LifetimeParts.Part.allCases.map { _ in PartSamples() }
    private var started: [Int]
    /// By the number of the ending.
    private var endings: [[Int]]

    /// Linear in operations and groups.
    ///
    /// - Parameter group: the group of an operation. A negative number, or one that is not below `groups`,
    ///   means no group.
    package init(_ timings: TraceTimings, groups: Int, by group: (Int) -> Int) {
        let columns = timings.trace.operations.store.columns
        var first = [Int](repeating: 0, count: groups + 1)
        for index in 0..<columns.count where columns.enqueued.has(index) {
            let group = group(index)
            if group >= 0 && group < groups { first[group + 1] += 1 }
        }
        for group in 0..<groups { first[group + 1] += first[group] }
        self.first = first
        started = Array(repeating: 0, count: groups)
        endings = OperationEnding.allCases.map { _ in Array(repeating: 0, count: groups) }
        var next = first
        let count = first[groups]
        let waits = timings.waits
        let parts = LifetimeParts.Part.allCases
        for index in 0..<columns.count {
            guard let waits = waits[index] else { continue }
            let group = group(index)
            guard group >= 0 && group < groups else { continue }
            let position = next[group]
            next[group] += 1
            for part in parts where part != .execution {
                samples[part.rawValue].set(position, waits[part], count)
            }
            if columns.executing.has(index) {
                samples[LifetimeParts.Part.execution.rawValue].set(
                    first[group] + started[group], waits.execution, count)
                started[group] += 1
            }
            endings[OperationEnding(columns, index).rawValue][group] += 1
        }
    }

    package func count(of group: Int) -> Int { first[group + 1] - first[group] }

    func count(of ending: OperationEnding, in group: Int) -> Int { endings[ending.rawValue][group] }

    package func distribution(_ part: LifetimeParts.Part, of group: Int) -> Distribution {
        samples(part, of: group).map { Distribution($0) }
            ?? Distribution(zeros: part == .execution ? started[group] : count(of: group))
    }

    /// Nanoseconds, clamped to the largest number.
    func total(_ part: LifetimeParts.Part, of group: Int) -> Int64 {
        samples(part, of: group)?.reduce(0) { $0.saturatingAdd($1) } ?? 0
    }

    /// Nil if the part was 0 for all operations of all groups.
    package func samples(_ part: LifetimeParts.Part, of group: Int) -> ArraySlice<Int64>? {
        let count = part == .execution ? started[group] : count(of: group)
        let samples = samples[part.rawValue].values
        return samples.isEmpty ? nil : samples[first[group]..<first[group] + count]
    }
}

/// The nanoseconds of one part; empty if it is 0 everywhere.
private struct PartSamples {
    private(set) var values: [Int64] = []

    /// - Parameter count: the number of all operations.
    @inline(__always)
    mutating func set(_ position: Int, _ nanoseconds: Int64, _ count: Int) {
        if nanoseconds == 0 { return }
        if values.isEmpty { values = Array(repeating: 0, count: count) }
        values[position] = nanoseconds
    }
}
