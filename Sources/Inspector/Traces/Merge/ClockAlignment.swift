import EventLog
import InspectorColumns

/// Puts logs on a common time line.
///
/// Logs from the same boot of a machine share its monotonic clock, so their times are compared exactly. Each
/// other clock is placed by the wall-clock time at which its log began. Then each context that was sent is
/// checked at both ends, as Jaeger's clock skew adjuster does. Its effect must not begin before the context
/// was sent. Its effect should not end after the operation that sent it, if it is short enough to fit. Clocks
/// are shifted by the smallest correction (``ClockConstraints``).
///
/// An effect may also outlast its cause, or begin after it, on purpose. Between two clocks, the smaller
/// number of messages counts as the exception: a clock is shifted only if that corrects more effects than it
/// leaves uncorrected. Demands that contradict the others are dropped, except for the demand that nothing
/// comes before its cause.
///
/// A Linux time namespace may have its own monotonic clock, which a log does not record. Logs from inside and
/// outside of it may then be misplaced, unless causes contradict that.
struct ClockAlignment {
    /// The tolerance of the machine's clock, as the recorders' tick counters and anchors give it.
    private static let tolerance: Int64 = 100_000

    /// For each log, where its start lies, in nanoseconds since 1970, and how far it was shifted for that.
    private(set) var starts: [Int64]
    private(set) var shifts: [Int64]
    /// For each log, the reason for its shift.
    private(set) var reasons: [Reason?]
    /// For each log, its clock.
    let clockOfLog: [Int]
    /// How many clocks are known only by their wall-clock time.
    let clockCount: Int

    /// A message between two logs, and how long both of its operations ran: nanoseconds since the start of
    /// each log.
    struct Message {
        var from: Int
        var sent: Int64
        /// Nil if the cause did not finish.
        var finished: Int64?
        var to: Int
        var received: Int64
        /// Nil if the effect did not end.
        var ended: Int64?
    }

    /// A contradiction between two clocks, with one of the messages that show it.
    struct Reason {
        let message: Message
        /// Whether an effect came before its cause; otherwise, it outlasted it.
        let isCausal: Bool
        /// The number of contradicting messages between the clocks, and of all messages.
        let wrong: Int
        let all: Int
    }

    /// What the messages from one clock to another demand of the difference of their shifts.
    private struct Demand {
        /// The index of the message with the largest demand, and the demand.
        var least: (message: Int, bound: Int64)
        /// For each message whose effect fits into its cause, the largest difference that keeps it inside.
        var most: [(message: Int, bound: Int64)] = []
        var early = 0
        var all = 0
    }

    /// Cost: linear in logs and messages if no message contradicts the clocks. At worst, the number of clocks
    /// times the number of pairs of clocks with messages.
    ///
    /// - Throws: `TraceError` if no placement of the clocks puts all causes before their effects.
    init(_ logs: [MergedInput], _ messages: [Message]) throws(TraceError) {
        let clocks = Self.clocks(logs)
        starts = clocks.starts
        clockOfLog = clocks.ofLog
        clockCount = clocks.count
        let demands = try Self.demands(clocks, messages, logs)
        let pairs = demands.keys.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        var constraints = Self.constraints(pairs, demands)
        while let circle = ClockConstraints.contradiction(constraints, clocks: clocks.count) {
            let dispensable = Set(circle.filter { !constraints[$0].isCausal })
            guard !dispensable.isEmpty else {
                throw Self.contradiction(messages[constraints[circle[0]].message], by: nil, logs)
            }
            constraints = constraints.indices.filter { !dispensable.contains($0) }.map { constraints[$0] }
        }
        let order = Self.order(clocks, pairs)
        let solution = ClockConstraints(constraints, order)
        let senders = Dictionary(uniqueKeysWithValues: order.map { ($0.clock, $0.sender) })
        shifts = clocks.ofLog.map { solution.shifts[$0] }
        reasons = clocks.ofLog.map { clock in
            let constraint = solution.reasons[clock]
            let pair = senders[clock].flatMap { $0 }.map { Pair(from: $0, to: clock) }
            guard let index = constraint?.message ?? pair.flatMap({ demands[$0]?.least.message }) else {
                return nil
            }
            let message = messages[index]
            let demand = demands[Pair(from: clocks.ofLog[message.from], to: clocks.ofLog[message.to])]
            let wrong =
                constraint?.isCausal == true
                ? demand?.early : constraint.flatMap { _ in demand?.most.count { $0.bound < 0 } }
            return Reason(
                message: message, isCausal: constraint?.isCausal ?? true, wrong: wrong ?? 0,
                all: demand?.all ?? 0)
        }
        for log in logs.indices { starts[log] += shifts[log] }
    }

    private struct Pair: Hashable {
        let from: Int
        let to: Int
    }

    private static func demands(
        _ clocks: Clocks, _ messages: [Message], _ logs: [MergedInput]
    ) throws(TraceError) -> [Pair: Demand] {
        var demands: [Pair: Demand] = [:]
        for (index, message) in messages.enumerated() {
            let (from, to) = (clocks.starts[message.from], clocks.starts[message.to])
            let received = to + message.received
            let least = from + message.sent - received
            let pair = Pair(from: clocks.ofLog[message.from], to: clocks.ofLog[message.to])
            if pair.from == pair.to {
                guard least > Self.tolerance else { continue }
                throw Self.contradiction(message, by: least, logs)
            }
            var demand = demands[pair] ?? Demand(least: (index, least))
            if least > demand.least.bound { demand.least = (index, least) }
            demand.all += 1
            if least > 0 { demand.early += 1 }
            if let finished = message.finished, let ended = message.ended {
                // An effect begins before its cause is over, however short it is.
                let most = from + finished - max(to + ended, received + 1)
                if most >= least { demand.most.append((index, most)) }
            }
            demands[pair] = demand
        }
        return demands
    }

    private static func constraints(_ pairs: [Pair], _ demands: [Pair: Demand]) -> [ClockConstraints
        .Constraint]
    {
        var constraints: [ClockConstraints.Constraint] = []
        for pair in pairs {
            guard let demand = demands[pair] else { continue }
            constraints.append(
                .init(
                    from: pair.from, to: pair.to, weight: demand.least.bound, isCausal: true,
                    message: demand.least.message))
            // Demands that contradict the causes are effects that really came later.
            let possible = demand.most.filter { $0.bound >= demand.least.bound }
            let met = possible.filter { $0.bound >= max(0, demand.least.bound) }
            let believed = 2 * met.count >= possible.count ? met : possible
            guard let most = believed.min(by: { ($0.bound, $0.message) < ($1.bound, $1.message) }) else {
                continue
            }
            constraints.append(
                .init(
                    from: pair.to, to: pair.from, weight: -most.bound, isCausal: false, message: most.message)
            )
        }
        return constraints
    }

    /// Causes before their effects. Among several, the clock whose log began first.
    private static func order(_ clocks: Clocks, _ pairs: [Pair]) -> [ClockConstraints.Place] {
        var first = [Int64](repeating: .max, count: clocks.count)
        for (log, clock) in clocks.ofLog.enumerated() { first[clock] = min(first[clock], clocks.starts[log]) }
        let outgoing = Grouping(pairs.map(\.from), groups: clocks.count)
        let isCaused = pairs.reduce(into: [Bool](repeating: false, count: clocks.count)) { $0[$1.to] = true }
        let roots = (0..<clocks.count).sorted {
            (isCaused[$0] ? 1 : 0, first[$0], $0) < (isCaused[$1] ? 1 : 0, first[$1], $1)
        }
        var order: [ClockConstraints.Place] = []
        var isKnown = [Bool](repeating: false, count: clocks.count)
        var next = 0
        for root in roots where !isKnown[root] {
            isKnown[root] = true
            order.append(.init(clock: root, sender: nil))
            while next < order.count {
                let sender = order[next].clock
                for pair in outgoing[sender] where !isKnown[pairs[Int(pair)].to] {
                    isKnown[pairs[Int(pair)].to] = true
                    order.append(.init(clock: pairs[Int(pair)].to, sender: sender))
                }
                next += 1
            }
        }
        return order
    }

    private typealias Clocks = (ofLog: [Int], starts: [Int64], count: Int)

    /// The clock of each log, and where the log's start lies by that clock.
    private static func clocks(_ logs: [MergedInput]) -> Clocks {
        var ofLog: [Int] = []
        var starts: [Int64] = []
        /// For each boot of a machine: its clock, and the wall-clock time of the clock's zero according to
        /// the log that began first.
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

    /// - Parameter excess: by how much it was received too early, on one clock; nil if clocks contradict each
    ///   other.
    private static func contradiction(_ message: Message, by excess: Int64?, _ logs: [MergedInput])
        -> TraceError
    {
        let (sender, receiver) = (logs[message.from].path, logs[message.to].path)
        guard let excess else {
            return TraceError(
                .cannotBeMerged, path: receiver,
                reason:
                    "cannot be aligned with \(sender): "
                    + "with any shift of their clocks, an effect comes before its cause")
        }
        return TraceError(
            .cannotBeMerged, path: receiver,
            reason: "cannot be aligned with \(sender): an effect comes "
                + "\(DurationFormat.text(nanoseconds: excess)) before its cause, on the same clock")
    }
}

extension MergedInput {
    /// The boot clock, if it is plausible.
    fileprivate var bootClock: BootClock? {
        guard let clock = header.bootClock, clock.monotonic < 1 << 58 else { return nil }
        return clock
    }
}
