internal import HeapModule

/// The ranks of operations that wait for a slot: the lowest goes first.
///
/// What is released together, or added one after the other, mostly comes in the order of its rank. Such ranks
/// wait in a row, which costs nothing more; those out of order in a heap.
struct ReadyQueue {
    /// How many that have left are forgotten at once, because forgetting one by one costs more than keeping
    /// them.
    private static let forgotten = 1024

    /// Ascending, from `first` on.
    private var row: [UInt64] = []
    private var first = 0
    private var heap = Heap<UInt64>()

    /// O(1) for one higher than all before it, else O(log n).
    mutating func insert(_ rank: UInt64) {
        if first < row.count, row[row.count - 1] > rank {
            heap.insert(rank)
        } else {
            row.append(rank)
        }
    }

    /// O(1) where nothing is out of order, else O(log n).
    mutating func popMin() -> UInt64? {
        guard first < row.count else { return heap.popMin() }
        if let other = heap.min, other < row[first] { return heap.popMin() }
        let rank = row[first]
        first += 1
        if first == row.count, first >= Self.forgotten {
            row.removeAll(keepingCapacity: true)
            first = 0
        }
        return rank
    }
}
