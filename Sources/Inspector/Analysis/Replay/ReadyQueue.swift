internal import HeapModule

/// The ranks of operations that wait for a slot: the lowest goes first.
///
/// Operations that are released together, or added in a row, mostly come in the order of their ranks. Such
/// ranks wait in an array, at little cost; the others in a heap.
struct ReadyQueue {
    /// How many removed entries are dropped at a time, because dropping each costs more than keeping it.
    private static let forgotten = 1024

    /// Ascending, from `first` on.
    private var row: [UInt64] = []
    private var first = 0
    private var heap = Heap<UInt64>()

    /// O(1) if it is higher than all before it, otherwise O(log n).
    mutating func insert(_ rank: UInt64) {
        if first < row.count, row[row.count - 1] > rank {
            heap.insert(rank)
        } else {
            row.append(rank)
        }
    }

    /// O(1) if nothing is out of order, otherwise O(log n).
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
