import InspectorColumns

/// How many threads of operations were on processors, and waited for one, at each moment.
///
/// The log does not say how many processors the machine has, or how many of them the program may use. So the
/// largest number of threads that were ever on processors together stands for it. If more threads than that
/// could have run, they waited for each other; if one waits although there are fewer, something else has its
/// processor.
struct ProcessorLoad {
    /// A number of threads counts if that many were on processors together for this time, in nanoseconds.
    /// 1 ms: at a switch, the clocks of two processors may disagree.
    private static let leastTime: Int64 = 1_000_000

    /// How many threads were on processors together, at most.
    let processors: Int
    /// From each of these times to the next, this fraction of each wait for a processor was for threads of
    /// operations.
    private var times: [Int64] = []
    private var fractions: [Double] = []
    /// The nanoseconds of such waits from the first time to each.
    private var sums: [Double] = []

    /// Nil for a merged trace: its processes may be of several machines, or share the processors of one.
    init?(_ context: HazardContext) {
        guard !context.trace.isMerged, let use = context.processorUse else { return nil }
        var onCPU = Stretches()
        var changes: [(time: Int64, waiting: Int, onCPU: Int)] = []
        for stretch in use.threads.joined() {
            let isOnCPU = stretch.part == .onCPU
            guard isOnCPU || stretch.part == .waitingForCPU else { continue }
            if isOnCPU { onCPU.add(from: stretch.start, to: stretch.end) }
            changes.append((stretch.start, isOnCPU ? 0 : 1, isOnCPU ? 1 : 0))
            changes.append((stretch.end, isOnCPU ? 0 : -1, isOnCPU ? -1 : 0))
        }
        processors = Self.most(onCPU.counted())
        guard processors > 0 else { return nil }
        var (waiting, running, sum) = (0, 0, 0.0)
        for change in changes.sortedByDigits(\.time) {
            waiting += change.waiting
            running += change.onCPU
            // Simultaneous changes are in no particular order: the last one counts.
            let excess = min(max(0, waiting + running - processors), waiting)
            let fraction = waiting > 0 ? Double(excess) / Double(waiting) : 0
            if let last = times.last, last == change.time {
                fractions[fractions.count - 1] = fraction
                continue
            }
            if let last = times.last { sum += Double(change.time - last) * (fractions.last ?? 0) }
            times.append(change.time)
            fractions.append(fraction)
            sums.append(sum)
        }
    }

    private static func most(_ counted: [(range: Range<Int64>, count: Int)]) -> Int {
        var times: [Int: Int64] = [:]
        for (range, count) in counted {
            times[count] = (times[count] ?? 0).saturatingAdd(range.upperBound - range.lowerBound)
        }
        var time: Int64 = 0
        for count in times.keys.sorted(by: >) where count > 0 {
            time = time.saturatingAdd(times[count] ?? 0)
            if time >= leastTime { return count }
        }
        return 0
    }

    /// How long an execution waited for a processor that other operations had, and for one that something else
    /// had; nanoseconds. Logarithmic for each stretch.
    func waits(_ stretches: [ExecutionStretch]) -> (own: Double, others: Double) {
        stretches.reduce((0, 0)) { sum, stretch in
            guard stretch.part == .waitingForCPU else { return sum }
            let own = own(upTo: stretch.end) - own(upTo: stretch.start)
            return (sum.own + own, sum.others + max(0, Double(stretch.end - stretch.start) - own))
        }
    }

    private func own(upTo time: Int64) -> Double {
        let next = times.partitioningIndex { $0 > time }
        guard next > 0 else { return 0 }
        return sums[next - 1] + Double(time - times[next - 1]) * fractions[next - 1]
    }
}
