import InspectorColumns

/// How many threads of the program were on processors, and waited for one, at each moment.
///
/// If more threads could have run than the program may use processors, the excess waited for each other. If
/// one waits although there are at most as many, something else has its processor.
///
/// With a quota of CPU time, all threads also wait after the program used it up. If the affinity mask
/// changed, fewer threads may run than at other times. Then nobody knows whether something else has the
/// processors.
///
/// An older log does not say how many processors the program may use. The largest number of threads that were
/// ever on processors together then stands for it. On a busy machine, that may be too few. So the excess
/// waited for each other only if at least twice as many threads could have run. If there were more, but not
/// twice as many, the reason is not known.
struct ProcessorLoad {
    /// A number of threads counts if that many were on processors together for this time, in nanoseconds.
    /// 1 ms: at a switch, the clocks of two processors may disagree.
    private static let leastTime: Int64 = 1_000_000

    /// How many processors the program may use, or how many threads were on processors together, at most.
    let processors: Int
    /// Whether the log says how many processors the program may use.
    let isRecorded: Bool
    /// Whether the program can have all of them at any time, unless something else has them.
    private let isConstant: Bool
    /// Whether the log says what threads did that run no operations.
    let knowsOtherThreads: Bool
    /// Of a wait for a processor: for how long operations had it, threads of the program without operations,
    /// and something else.
    typealias Shares = (operations: Double, threads: Double, others: Double)

    /// From each of these times to the next, the fractions of each wait.
    private var times: [Int64] = []
    private var fractions: [Shares] = []
    /// Their integrals from the first time to each, in nanoseconds.
    private var sums: [Shares] = []

    /// Nil for a merged trace: its processes may be of several machines, or share the processors of one.
    init?(_ trace: Trace, _ use: ProcessorUse, _ outside: OutsideStretches) {
        guard !trace.isMerged else { return nil }
        var onCPU = Stretches()
        var changes: [(time: Int64, waiting: Int, onCPU: Int, outside: Int)] = []
        knowsOtherThreads = outside.isComplete
        for stretch in outside.stretches where stretch.isOnCPU {
            changes.append((stretch.start, 0, 0, 1))
            changes.append((stretch.end, 0, 0, -1))
        }
        for stretch in use.threads.joined() {
            let isOnCPU = stretch.part == .onCPU
            guard isOnCPU || stretch.part == .waitingForCPU else { continue }
            if isOnCPU { onCPU.add(from: stretch.start, to: stretch.end) }
            changes.append((stretch.start, isOnCPU ? 0 : 1, isOnCPU ? 1 : 0, 0))
            changes.append((stretch.end, isOnCPU ? 0 : -1, isOnCPU ? -1 : 0, 0))
        }
        let recorded = trace.processes.first?.processors
        isRecorded = recorded != nil
        isConstant = recorded?.isConstant ?? true
        let most = Self.most(onCPU.counted())
        processors = recorded?.mostAtOnce ?? most
        guard most > 0 else { return nil }
        var (waiting, running, withoutOperation) = (0, 0, 0)
        for change in changes.sortedByDigits(\.time) {
            waiting += change.waiting
            running += change.onCPU
            withoutOperation += change.outside
            // Simultaneous changes are in no particular order: the last one counts.
            let fraction = fractions(waiting: waiting, running: running, outside: withoutOperation)
            if times.last == change.time {
                fractions[fractions.count - 1] = fraction
            } else {
                sums.append(sum(upTo: change.time))
                times.append(change.time)
                fractions.append(fraction)
            }
        }
    }

    private func fractions(waiting: Int, running: Int, outside: Int) -> Shares {
        guard waiting > 0 else { return (0, 0, 0) }
        let excess = min(max(0, waiting + running - processors), waiting)
        let isCertain = isRecorded || (waiting + running) / 2 >= processors
        let own = isCertain ? Double(excess) / Double(waiting) : 0
        let threads = running > 0 ? own * Double(min(outside, running)) / Double(running) : 0
        return (own - threads, threads, isConstant ? Double(waiting - excess) / Double(waiting) : 0)
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

    /// How long an execution waited for a processor, by what had it; nanoseconds. Logarithmic for each
    /// stretch.
    func waits(_ stretches: [ExecutionStretch]) -> Shares {
        stretches.reduce((0, 0, 0)) { waits, stretch in
            guard stretch.part == .waitingForCPU else { return waits }
            let (start, end) = (sum(upTo: stretch.start), sum(upTo: stretch.end))
            return (
                waits.operations + end.operations - start.operations,
                waits.threads + end.threads - start.threads, waits.others + end.others - start.others
            )
        }
    }

    private func sum(upTo time: Int64) -> Shares {
        let next = times.partitioningIndex { $0 > time }
        guard next > 0 else { return (0, 0, 0) }
        let (sum, fraction) = (sums[next - 1], fractions[next - 1])
        let length = Double(time - times[next - 1])
        return (
            sum.operations + length * fraction.operations, sum.threads + length * fraction.threads,
            sum.others + length * fraction.others
        )
    }
}
