import InspectorColumns

/// What other programs took from the operations of a machine.
///
/// An operation whose thread waits, while fewer threads of its program are on processors than there are,
/// waits for a processor that another program has.
struct OtherProgramsLoad: Sendable {
    private var times: [Int64] = []
    /// For a thread that waits all the time: the share of its wait that others caused, from each time on; and
    /// the sum until then.
    private var rates: [Double] = []
    private var sums: [Double] = []

    /// Cost: nearly linear in stretches and operations.
    ///
    /// - Parameters:
    ///   - histories: the threads of the machine.
    ///   - operations: when each thread had an operation; in order, and disjoint.
    ///   - outside: what these threads and others did without an operation.
    init(
        _ histories: [ProcessThread: ThreadHistory], operations: [ProcessThread: [Range<Int64>]],
        outside: [OutsideStretches.Stretch], processors: Int
    ) {
        var changes: [Change] = []
        for stretch in outside {
            Self.add(stretch.isOnCPU ? .onCPU : .waitingForCPU, stretch.start, stretch.end, &changes)
        }
        for (thread, history) in histories {
            var rest = operations[thread]?[...] ?? []
            history.forEachStretch { part, start, end in
                guard part == .onCPU || part == .waitingForCPU else { return }
                while let operation = rest.first, operation.lowerBound < end {
                    let (begin, finish) = (max(operation.lowerBound, start), min(operation.upperBound, end))
                    if begin < finish { Self.add(part, begin, finish, &changes) }
                    if operation.upperBound > end { break }
                    rest.removeFirst()
                }
            }
        }
        changes = changes.sortedByDigits(\.time)
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

    private typealias Change = (time: Int64, running: Int32, waiting: Int32)

    private static func add(
        _ part: ExecutionParts.Part, _ start: Int64, _ end: Int64, _ changes: inout [Change]
    ) {
        let (running, waiting): (Int32, Int32) = part == .onCPU ? (1, 0) : (0, 1)
        changes.append((start, running, waiting))
        changes.append((end, -running, -waiting))
    }
}
