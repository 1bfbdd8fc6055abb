import EventLog
import InspectorColumns

/// What one thread did at each moment: on a processor, waiting for one, or blocked.
///
/// The kernel records when a thread leaves a processor and why, and when it is on one again, but not when a
/// blocked thread is woken. So the end of each time off the processor is a wait for one. Its length is known
/// only as a sum over the times off between two readings of the scheduler's statistics.
struct ThreadHistory: Sendable {
    private enum State: Sendable {
        case onCPU, waiting, blocked, unmeasured

        var part: ExecutionParts.Part {
            switch self {
            case .onCPU: .onCPU
            case .waiting: .waitingForCPU
            case .blocked: .blocked
            case .unmeasured: .unmeasured
            }
        }
    }

    /// Some blocked times whose waits for a processor are known only as a sum.
    private struct Group {
        let range: Range<Int64>
        /// Whether not even the sum is known.
        let isUnknown: Bool
    }

    /// From each of these times to the next, the thread was in that state.
    private var times: [Int64] = []
    private var states: [State] = []
    /// The parts from the first time to each.
    private var sums: [ExecutionParts] = []
    /// In order. They do not overlap.
    private var groups: [Group] = []

    /// - Parameters:
    ///   - losses: when switches of any thread may be missing: in order, and disjoint.
    ///   - end: the end of the trace.
    init(_ thread: ThreadTimes.Thread, losses: [Range<Int64>], end: Int64) {
        let stretches = thread.stretches
        let waits = wakeWaits(thread, losses)
        for (index, stretch) in stretches.enumerated() {
            begin(.onCPU, at: stretch.start)
            let next = index + 1 < stretches.count ? stretches[index + 1].start : max(end, stretch.end)
            begin(Self.state(after: stretch, until: next, losses), at: stretch.end)
            if waits[index] > 0 { begin(.waiting, at: next - waits[index]) }
        }
        begin(.unmeasured, at: max(end, stretches.last?.end ?? end))
    }

    /// When the first stretch begins.
    var start: Int64 { times.first ?? 0 }

    /// What the thread did from `start` to `end`. Logarithmic.
    func parts(from start: Int64, to end: Int64) -> ExecutionParts {
        guard start < end else { return ExecutionParts() }
        let (first, last) = (sum(at: start), sum(at: end))
        var parts = ExecutionParts()
        parts.onCPU = last.onCPU - first.onCPU
        parts.waitingForCPU = last.waitingForCPU - first.waitingForCPU
        parts.blocked = last.blocked - first.blocked
        parts.unmeasured = end - start - parts.onCPU - parts.waitingForCPU - parts.blocked
        parts.isExact = !isInside(start) && !isInside(end) && !hasUnknown(from: start, to: end)
        return parts
    }

    /// What the thread did from `start` to `end`, in order and without gaps. Logarithmic, and linear in what
    /// it returns.
    func stretches(from start: Int64, to end: Int64) -> [ExecutionStretch] {
        var stretches: [ExecutionStretch] = []
        var index = times.partitioningIndex { $0 > start }
        var begin = start
        while begin < end {
            let next = index < times.count ? min(times[index], end) : end
            stretches.append(index == 0 ? .unmeasured : states[index - 1].part, from: begin, to: next)
            begin = next
            index += 1
        }
        return stretches
    }

    /// How many stretches there are from `start` to `end`, at most. Logarithmic.
    func count(from start: Int64, to end: Int64) -> Int {
        guard start < end else { return 0 }
        return times.partitioningIndex { $0 >= end } - times.partitioningIndex { $0 > start } + 1
    }

    /// All stretches together.
    var count: Int { times.count }

    /// From the first time on a processor to the end.
    func forEachStretch(_ body: (_ part: ExecutionParts.Part, _ start: Int64, _ end: Int64) -> Void) {
        for index in times.indices.dropLast() { body(states[index].part, times[index], times[index + 1]) }
    }

    // MARK: Building

    private static func state(
        after stretch: ThreadTimes.Stretch, until next: Int64, _ losses: [Range<Int64>]
    ) -> State {
        let loss = losses.partitioningIndex { $0.upperBound > stretch.end }
        if loss < losses.count, losses[loss].lowerBound < max(next, stretch.end + 1) { return .unmeasured }
        return switch stretch.departure {
        case .unknown: .unmeasured
        case .preempted: .waiting
        case .blocked: .blocked
        }
    }

    private mutating func begin(_ state: State, at time: Int64) {
        if let last = times.last {
            var sum = sums[sums.count - 1]
            let length = max(0, time - last)
            switch states[states.count - 1] {
            case .onCPU: sum.onCPU += length
            case .waiting: sum.waitingForCPU += length
            case .blocked: sum.blocked += length
            case .unmeasured: break
            }
            sums.append(sum)
            times.append(max(time, last))
        } else {
            sums.append(ExecutionParts())
            times.append(time)
        }
        states.append(state)
    }

    /// For each stretch, how long the blocked time after it was a wait for a processor. Also finds the
    /// groups.
    private mutating func wakeWaits(_ thread: ThreadTimes.Thread, _ losses: [Range<Int64>]) -> [Int64] {
        let stretches = thread.stretches
        var waits = [Int64](repeating: 0, count: stretches.count)
        var next = 0
        for reading in thread.readings {
            var (preempted, blocked) = (Int64(0), [Int]())
            // A time off belongs to the first reading after its end.
            while next + 1 < stretches.count, stretches[next + 1].start <= reading.time {
                let length = stretches[next + 1].start - stretches[next].end
                switch Self.state(after: stretches[next], until: stretches[next + 1].start, losses) {
                case .waiting: preempted += length
                case .blocked: blocked.append(next)
                case .onCPU, .unmeasured: break
                }
                next += 1
            }
            share(max(0, reading.waited - preempted), among: blocked, stretches, &waits)
        }
        let rest = (next..<max(next, stretches.count - 1)).filter { stretches[$0].departure == .blocked }
        if let first = rest.first, let last = rest.last {
            groups.append(
                Group(range: stretches[first].end..<stretches[last + 1].start, isUnknown: true))
        }
        return waits
    }

    /// Shares a wait equally among blocked times, as far as they are long enough.
    private mutating func share(
        _ wait: Int64, among blocked: [Int], _ stretches: [ThreadTimes.Stretch], _ waits: inout [Int64]
    ) {
        guard let first = blocked.first, let last = blocked.last, wait > 0 else { return }
        func length(_ index: Int) -> Int64 { stretches[index + 1].start - stretches[index].end }
        var left = wait
        let byLength = blocked.sorted { (length($0), $0) < (length($1), $1) }
        for (done, index) in byLength.enumerated() {
            waits[index] = min(length(index), left / Int64(byLength.count - done))
            left -= waits[index]
        }
        if blocked.count > 1 {
            groups.append(
                Group(range: stretches[first].end..<stretches[last + 1].start, isUnknown: false))
        }
    }

    // MARK: Looking up

    private func sum(at time: Int64) -> ExecutionParts {
        let index = times.partitioningIndex { $0 > time }
        guard index > 0 else { return ExecutionParts() }
        var sum = sums[index - 1]
        let length = time - times[index - 1]
        switch states[index - 1] {
        case .onCPU: sum.onCPU += length
        case .waiting: sum.waitingForCPU += length
        case .blocked: sum.blocked += length
        case .unmeasured: break
        }
        return sum
    }

    private func isInside(_ time: Int64) -> Bool {
        let index = groups.partitioningIndex { $0.range.upperBound > time }
        return index < groups.count && groups[index].range.lowerBound < time
    }

    private func hasUnknown(from start: Int64, to end: Int64) -> Bool {
        // Only the last group can be unknown.
        guard let last = groups.last, last.isUnknown else { return false }
        return last.range.lowerBound < end && start < last.range.upperBound
    }
}
