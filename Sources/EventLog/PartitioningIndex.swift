extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies the predicate, or the end index. Elements that satisfy it must
    /// come after all others.
    ///
    /// Cost: O(log n) calls of the predicate.
    @inlinable
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
