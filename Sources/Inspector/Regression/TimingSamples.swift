import InspectorColumns

/// What one run says of a metric: a time for each operation, or the one of the whole run.
///
/// Of up to 65 operations all times are kept; of more, 65 of them in equal distances of rank, the shortest,
/// the median and the longest among them, so that a baseline stays small whatever ran.
public struct TimingSamples: Hashable, Sendable {
    /// How many times are kept at most.
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

    /// Of a whole run: one time.
    public init(_ time: Int64) {
        count = 1
        values = [time]
    }

    /// Read back from where it was written. Nil where the values are none, too many, out of order, or cannot
    /// be of so many.
    init?(count: Int, values: [Int64]) {
        guard !values.isEmpty, values.count <= Self.mostValues, values.count <= count,
            values.count == count || values.count == Self.mostValues,
            zip(values, values.dropFirst()).allSatisfy({ $0 <= $1 })
        else { return nil }
        self.count = count
        self.values = values
    }

    /// Nanoseconds; of an even number of values the mean of the middle two, as everywhere in statistics.
    public var median: Double {
        let middle = values.count / 2
        return values.count.isMultiple(of: 2)
            ? (Double(values[middle - 1]) + Double(values[middle])) / 2 : Double(values[middle])
    }
}
