import InspectorColumns

/// How many threads of a machine were on processors at each time, and what other threads took from them.
///
/// A thread that waits while fewer threads of the trace run than there are processors waits for a processor
/// that a thread outside of the trace has.
struct ProcessorLoad: Sendable {
    /// The most threads that were on processors at once. The machine may have more.
    let processors: Int
    private var times: [Int64] = []
    /// For a thread that waits all the time: the share of its wait that others caused, from each time on; and
    /// the sum until then.
    private var rates: [Double] = []
    private var sums: [Double] = []

    /// Cost: nearly linear in stretches.
    init(_ histories: some Sequence<ThreadHistory>) {
        var changes: [(time: Int64, running: Int32, waiting: Int32)] = []
        for history in histories {
            history.forEachStretch { part, start, end in
                let (running, waiting): (Int32, Int32) =
                    switch part {
                    case .onCPU: (1, 0)
                    case .waitingForCPU: (0, 1)
                    case .blocked, .offThread, .unmeasured: (0, 0)
                    }
                guard running + waiting > 0 else { return }
                changes.append((start, running, waiting))
                changes.append((end, -running, -waiting))
            }
        }
        changes = changes.sortedByDigits(\.time)
        processors = Self.processors(changes)
        var (running, waiting, last, sum) = (0, 0, Int64(0), 0.0)
        for change in changes {
            let rate = Self.rate(running, waiting, processors)
            sum += rate * Double(change.time - last)
            running += Int(change.running)
            waiting += Int(change.waiting)
            last = change.time
            let next = Self.rate(running, waiting, processors)
            if next != rates.last ?? 0 || !times.isEmpty && times[times.count - 1] == last {
                times.append(last)
                rates.append(next)
                sums.append(sum)
            }
        }
    }

    /// How much of a wait from `start` to `end` was for processors that other threads had. Logarithmic.
    func taken(from start: Int64, to end: Int64) -> Int64 {
        guard start < end else { return 0 }
        return Int64(min(max(sum(at: end) - sum(at: start), 0), Double(end - start)).rounded())
    }

    private func sum(at time: Int64) -> Double {
        let index = times.partitioningIndex { $0 > time }
        return index == 0 ? 0 : sums[index - 1] + rates[index - 1] * Double(time - times[index - 1])
    }

    private static func rate(_ running: Int, _ waiting: Int, _ processors: Int) -> Double {
        waiting <= 0
            ? 0 : Double(max(0, min(processors, running + waiting) - running)) / Double(waiting)
    }

    /// More threads than processors seem to run where records were lost, for a moment.
    private static func processors(_ changes: [(time: Int64, running: Int32, waiting: Int32)]) -> Int {
        var (running, last) = (0, changes.first?.time ?? 0)
        /// How long exactly so many threads ran.
        var lengths: [Double] = [0]
        for change in changes {
            lengths[running] += Double(change.time - last)
            last = change.time
            running = max(0, running + Int(change.running))
            if running == lengths.count { lengths.append(0) }
        }
        let enough = lengths.dropFirst().reduce(0, +) / 1000
        var sum = 0.0
        for number in lengths.indices.dropFirst().reversed() {
            sum += lengths[number]
            if sum > enough { return number }
        }
        return 1
    }
}
