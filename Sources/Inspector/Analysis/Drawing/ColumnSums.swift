/// The average number of things at a time, in each of many equal parts of an interval.
///
/// Adding an interval takes constant time, whatever its length: columns that it fills completely are stored
/// as a difference.
package struct ColumnSums {
    private let start: Int64
    private let end: Int64
    private let columnsPerNanosecond: Double
    /// Fractions of columns that are partly filled.
    private var parts: [Double]
    /// How many more intervals fill columns completely from this column on.
    private var changes: [Int32]

    package init(columns: Int, from start: Int64, to end: Int64) {
        self.start = start
        self.end = end
        columnsPerNanosecond = Double(columns) / Double(max(1, end - start))
        parts = Array(repeating: 0, count: columns)
        changes = Array(repeating: 0, count: columns + 1)
    }

    package mutating func add(from: Int64, to: Int64) {
        let from = max(from, start)
        let to = min(to, end)
        guard from < to else { return }
        let first = min(Double(from - start) * columnsPerNanosecond, Double(parts.count))
        let last = min(Double(to - start) * columnsPerNanosecond, Double(parts.count))
        let (low, high) = (Int(first), Int(last))
        if low == high {
            if low < parts.count { parts[low] += last - first }
            return
        }
        parts[low] += Double(low + 1) - first
        changes[low + 1] += 1
        changes[high] -= 1
        if high < parts.count { parts[high] += last - Double(high) }
    }

    /// Ordered by time.
    package var averages: [Double] {
        var whole: Int32 = 0
        return parts.indices.map { column in
            whole += changes[column]
            return Double(whole) + parts[column]
        }
    }
}
