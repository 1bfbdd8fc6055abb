import InspectorColumns

/// How many threads of a pool had runs when, and since when one was free before each run.
struct PoolThreads {
    /// The most at once. Known once ``freed()`` was called.
    private(set) var width = 0
    private var runs: [(run: Int, start: Int64, end: Int64)] = []
    private let count: Int

    /// - Parameter runs: how many there are altogether.
    init(_ runs: Int) { count = runs }

    mutating func add(_ run: Int, _ start: Int64, _ end: Int64) { runs.append((run, start, end)) }

    /// Since when a thread was free when a run began; `Int64.min` for one that was always free, and for runs
    /// that were not added. Nearly linear.
    mutating func freed() -> [Int64] {
        let starts = runs.sortedByDigits(\.start)
        let ends = runs.map(\.end).sorted()
        func forEach(_ body: (_ run: Int, _ moment: Int64, _ busy: Int, _ ended: ArraySlice<Int64>) -> Void) {
            var (ended, busy) = (0, 0)
            for start in starts {
                let before = ended
                // A run that has no length ends after it began.
                while ended < ends.count, ends[ended] <= start.start, busy > 0 {
                    ended += 1
                    busy -= 1
                }
                body(start.run, start.start, busy, ends[before..<ended])
                busy += 1
            }
        }
        var width = 0
        forEach { _, _, busy, _ in width = max(width, busy + 1) }
        self.width = width
        var freed = [Int64](repeating: .min, count: count)
        // When the number of busy threads last fell below the width.
        var since = Int64.min
        var before = 0
        forEach { run, _, busy, ended in
            if before == width, let first = ended.first { since = first }
            freed[run] = since
            before = busy + 1
        }
        return freed
    }
}
