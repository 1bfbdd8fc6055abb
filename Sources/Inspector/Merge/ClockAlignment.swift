import EventLog

/// Puts logs on one line of time.
///
/// Logs of one run of a machine share its monotonic clock: among them times are compared exactly. Each other clock is placed
/// by the wall-clock time at which its log began. Then what a context caused must not lie before it was sent. These are
/// difference constraints, `x[effect] - x[cause] ≥ weight`, of which the least solution with no `x` below 0 is the longest
/// path to each clock in the graph of the constraints, found as R. E. Bellman ("On a routing problem", 1958) and
/// L. R. Ford do; where a circle of constraints has a positive sum there is none (T. H. Cormen et al., "Introduction to
/// Algorithms", section "Difference constraints and shortest paths").
///
/// A Linux time namespace may have a monotonic clock of its own, which a log does not say: logs from within and from without
/// would then be misplaced, as far as causes do not contradict it.
struct ClockAlignment {
    /// Of the machine's clock as the recorders' tick counters give it, anchor by anchor.
    private static let tolerance: Int64 = 100_000
    /// 36 years: no clock is off by more.
    private static let largestShift: Int64 = 1 << 60

    /// By log: where its start lies, in nanoseconds since 1970, and by how much it was moved for that.
    private(set) var starts: [Int64]
    private(set) var shifts: [Int64]
    /// How many clocks there are that are known only by their wall-clock time.
    let clockCount: Int

    /// A message between two logs: it was sent at `sent` since the start of the one, and received at `received` since that
    /// of the other.
    struct Message {
        var from: Int
        var sent: Int64
        var to: Int
        var received: Int64
    }

    private struct Constraint {
        var from: Int
        var to: Int
        var weight: Int64
        let message: Message
    }

    /// Cost: linear in logs and messages, where the clocks contradict no message; at worst the clocks times the pairs of clocks
    /// between which there are messages.
    ///
    /// - Throws: `TraceError` where no placing of the clocks satisfies all messages.
    init(_ logs: [MergedInput], _ messages: [Message]) throws(TraceError) {
        let clocks = Self.clocks(logs)
        starts = clocks.starts
        clockCount = clocks.count
        shifts = starts.map { _ in 0 }
        var constraints: [Pair: Constraint] = [:]
        for message in messages {
            let weight = starts[message.from] + message.sent - starts[message.to] - message.received
            let pair = Pair(from: clocks.ofLog[message.from], to: clocks.ofLog[message.to])
            if pair.from == pair.to {
                guard weight > Self.tolerance else { continue }
                throw Self.contradiction(message, by: weight, logs)
            }
            if let known = constraints[pair], known.weight >= weight { continue }
            constraints[pair] = Constraint(from: pair.from, to: pair.to, weight: weight, message: message)
        }
        let moved = try Self.solve(
            constraints.values.sorted { ($0.from, $0.to) < ($1.from, $1.to) }, clocks: clocks.count, logs)
        for log in logs.indices {
            shifts[log] = moved[clocks.ofLog[log]]
            starts[log] += shifts[log]
        }
    }

    private struct Pair: Hashable {
        let from: Int
        let to: Int
    }

    /// Which clock each log has, and where its start lies by that.
    private static func clocks(_ logs: [MergedInput]) -> (ofLog: [Int], starts: [Int64], count: Int) {
        var ofLog: [Int] = []
        var starts: [Int64] = []
        /// By run of a machine: its clock, and the wall-clock time of its zero, as the log has it that began first.
        var machines: [BootID: (clock: Int, zero: Int64, first: UInt64)] = [:]
        var count = 0
        for log in logs {
            guard let clock = log.bootClock else { continue }
            if let known = machines[clock.boot], known.first <= clock.monotonic { continue }
            machines[clock.boot] = (-1, log.header.start - Int64(clock.monotonic), clock.monotonic)
        }
        for log in logs {
            if let clock = log.bootClock, let machine = machines[clock.boot] {
                if machine.clock < 0 {
                    machines[clock.boot]?.clock = count
                    count += 1
                }
                ofLog.append(machines[clock.boot]?.clock ?? 0)
                starts.append(machine.zero + Int64(clock.monotonic))
            } else {
                ofLog.append(count)
                starts.append(log.header.start)
                count += 1
            }
        }
        return (ofLog, starts, count)
    }

    /// By clock the least shift, none below 0, that satisfies all constraints.
    private static func solve(
        _ constraints: [Constraint], clocks: Int, _ logs: [MergedInput]
    ) throws(TraceError) -> [Int64] {
        var shifts = [Int64](repeating: 0, count: clocks)
        let outgoing = Grouping(constraints.map(\.from), groups: clocks)
        var waiting = Array(0..<clocks)
        var isWaiting = [Bool](repeating: true, count: clocks)
        // A clock that is reached by a path of so many constraints is reached by a circle.
        var pathLengths = [Int](repeating: 0, count: clocks)
        var next = 0
        while next < waiting.count {
            let clock = waiting[next]
            next += 1
            isWaiting[clock] = false
            for index in outgoing[clock] {
                let constraint = constraints[Int(index)]
                let shift = shifts[clock] + constraint.weight
                guard shift > shifts[constraint.to] else { continue }
                shifts[constraint.to] = shift
                pathLengths[constraint.to] = pathLengths[clock] + 1
                guard pathLengths[constraint.to] < clocks, shift < largestShift else {
                    throw contradiction(constraint.message, by: nil, logs)
                }
                if !isWaiting[constraint.to] {
                    isWaiting[constraint.to] = true
                    waiting.append(constraint.to)
                }
            }
        }
        return shifts
    }

    /// - Parameter excess: how much too early it was received, on one clock; nil where clocks contradict each other.
    private static func contradiction(_ message: Message, by excess: Int64?, _ logs: [MergedInput])
        -> TraceError
    {
        let (sender, receiver) = (logs[message.from].path, logs[message.to].path)
        guard let excess else {
            return TraceError(
                .cannotBeMerged, path: receiver,
                reason:
                    "cannot be aligned with \(sender): however the clocks of the logs are moved, something was caused "
                    + "before its cause")
        }
        return TraceError(
            .cannotBeMerged, path: receiver,
            reason: "cannot be aligned with \(sender): something was caused "
                + "\(DurationFormat.text(nanoseconds: excess)) before its cause, on the same clock")
    }
}

extension MergedInput {
    /// Where it is one that can be.
    fileprivate var bootClock: BootClock? {
        guard let clock = header.bootClock, clock.monotonic < 1 << 58 else { return nil }
        return clock
    }
}
