import InspectorColumns

/// The times of one run for a metric: one for each operation, or one for the whole run.
///
/// For up to 65 operations, all times are kept. For more, 65 at equal distances of rank are kept, including
/// the shortest, the median and the longest. So a baseline stays small for any run.
public struct TimingSamples: Hashable, Sendable {
    /// The largest number of times that are kept.
    static let mostValues = 65

    /// The number of operations; more than `values` if not all are kept.
    public let count: Int
    /// Nanoseconds, in ascending order; never empty.
    public let values: [Int64]

    /// Nil without any time. Cost: linear.
    public init?(_ times: [Int64]) {
        guard !times.isEmpty else { return nil }
        let sorted = times.sortedByDigits { $0 }
        count = sorted.count
        let steps = Self.mostValues - 1
        values =
            sorted.count <= Self.mostValues
            ? sorted : (0...steps).map { sorted[$0 * (sorted.count - 1) / steps] }
    }

    /// The time of a whole run.
    public init(_ time: Int64) {
        count = 1
        values = [time]
    }

    /// Values that were stored. Nil if the values are empty, too many or unordered, or if they do not fit the
    /// count.
    init?(count: Int, values: [Int64]) {
        guard !values.isEmpty, values.count <= Self.mostValues, values.count <= count,
            values.count == count || values.count == Self.mostValues,
            zip(values, values.dropFirst()).allSatisfy({ $0 <= $1 })
        else { return nil }
        self.count = count
        self.values = values
    }

    /// Nanoseconds. For an even number of values, the mean of the middle two.
    public var median: Double {
        let middle = values.count / 2
        return values.count.isMultiple(of: 2)
            ? (Double(values[middle - 1]) + Double(values[middle])) / 2 : Double(values[middle])
    }
}
