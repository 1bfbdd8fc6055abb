import InspectorColumns

/// Who had the processors that executions waited for, from how many threads of the program were on
/// processors, and waited for one, at each moment.
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
struct ProcessorContention {
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
        guard !trace.isMerged, let most = use.mostThreadsAtOnce else { return nil }
        var changes: [(time: Int64, waiting: Int, onCPU: Int, outside: Int)] = []
        knowsOtherThreads = outside.isComplete
        for stretch in outside.stretches where stretch.isOnCPU {
            changes.append((stretch.start, 0, 0, 1))
            changes.append((stretch.end, 0, 0, -1))
        }
        for stretch in use.threads.joined() {
            let isOnCPU = stretch.part == .onCPU
            guard isOnCPU || stretch.part == .waitingForCPU else { continue }
            changes.append((stretch.start, isOnCPU ? 0 : 1, isOnCPU ? 1 : 0, 0))
            changes.append((stretch.end, isOnCPU ? 0 : -1, isOnCPU ? -1 : 0, 0))
        }
        let recorded = trace.processes.first?.processors
        isRecorded = recorded != nil
        isConstant = recorded?.isConstant ?? true
        processors = recorded?.mostAtOnce ?? most
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
