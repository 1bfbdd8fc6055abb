import InspectorColumns

/// How many threads of a pool had runs when, and since when one was free before each run. A pool creates its
/// threads when it needs them, and what waits for a new thread waits longer than for one that is there.
struct PoolThreads {
    /// The most at once. Known once ``freed()`` was called.
    var width: Int { delays.count }
    /// For each thread, in their order: how long it took to come, from the moment when it was
    /// first needed until it had its first run. Nanoseconds. Known once ``freed()`` was called.
    private(set) var delays: [Int64] = []
    private var runs: [(run: Int, start: Int64, end: Int64, ready: Int64)] = []
    private let count: Int

    /// - Parameter runs: how many there are altogether.
    init(_ runs: Int) { count = runs }

    /// - Parameter ready: since when the run needed a thread.
    mutating func add(_ run: Int, _ start: Int64, _ end: Int64, ready: Int64) {
        runs.append((run, start, end, min(ready, start)))
    }

    /// Since when a thread was free when a run began; `Int64.min` for runs that were not added. Nearly
    /// linear.
    mutating func freed() -> [Int64] {
        let starts = runs.sortedByDigits(\.start)
        let ends = runs.map(\.end).sorted()
        let needed = needed(ends)
        var freed = [Int64](repeating: .min, count: count)
        // When the number of busy threads last fell below the number of threads.
        var since = Int64.min
        var (ended, busy) = (0, 0)
        for run in starts {
            let (before, firstEnd) = (busy, ended)
            // A run that has no length ends after it began.
            while ended < ends.count, ends[ended] <= run.start, busy > 0 {
                ended += 1
                busy -= 1
            }
            if busy == delays.count {
                delays.append(max(0, run.start - (busy < needed.count ? needed[busy] : run.start)))
                since = run.start
            } else if before == delays.count, ended > firstEnd {
                since = ends[firstEnd]
            }
            freed[run.run] = since
            busy += 1
        }
        return freed
    }

    /// For each number of threads, from one on, when it was first needed: each run had a thread or waited for
    /// one.
    private func needed(_ ends: [Int64]) -> [Int64] {
        var needed: [Int64] = []
        var ended = 0
        for (began, moment) in runs.map(\.ready).sorted().enumerated() {
            while ended < ends.count, ends[ended] <= moment, ended < began { ended += 1 }
            if began + 1 - ended > needed.count { needed.append(moment) }
        }
        return needed
    }
}
