import CRecordHost
import EventLog

/// How much earlier the scheduler counts a thread as being on a processor than it records the switch to it.
///
/// A switch takes about a microsecond, and more if the processor was asleep. The scheduler counts all that
/// for the thread that arrives, so a thread that often waits would seem to calculate too little. The costs
/// are the least squares over the differences between what the scheduler counted and what its records say.
struct SwitchCosts {
    /// In nanoseconds, of an arrival after the thread was preempted.
    private(set) var afterPreemption: UInt64 = 0
    /// In nanoseconds, of an arrival after the thread was blocked.
    private(set) var afterBlocking: UInt64 = 0

    /// No switch takes longer.
    private static let highest = 50_000.0
    /// The scheduler counts what a thread uses only when the thread leaves. Near a switch it is not sure
    /// whether it has.
    private static let slack: UInt64 = 20_000

    private var squares = (preempted: 0.0, both: 0.0, blocked: 0.0)
    private var products = (preempted: 0.0, blocked: 0.0)

    /// - Parameters:
    ///   - switches: by process, thread and time.
    ///   - delays: in the same order.
    ///   - gaps: intervals without records; ascending, apart from each other.
    init(_ switches: [record_switch], _ delays: [record_delay], gaps: [record_gap]) {
        var (rest, restOfDelays) = (switches[...], delays[...])
        while let first = restOfDelays.first {
            func isEarlier(_ process: Int32, _ thread: Int32) -> Bool {
                (process, thread) < (first.process, first.thread)
            }
            func isSame(_ process: Int32, _ thread: Int32) -> Bool {
                (process, thread) == (first.process, first.thread)
            }
            rest = rest[rest.partitioningIndex { !isEarlier($0.process, $0.thread) }...]
            let end = rest.partitioningIndex {
                !isEarlier($0.process, $0.thread) && !isSame($0.process, $0.thread)
            }
            let delayEnd = restOfDelays.partitioningIndex { !isSame($0.process, $0.thread) }
            add(rest[..<end], restOfDelays[..<delayEnd], gaps)
            (rest, restOfDelays) = (rest[end...], restOfDelays[delayEnd...])
        }
        solve()
    }

    /// Adds what a thread did between any two successive readings while it was off the processor.
    private mutating func add(
        _ switches: ArraySlice<record_switch>, _ delays: ArraySlice<record_delay>, _ gaps: [record_gap]
    ) {
        var last: (index: Int, delay: record_delay)?
        for delay in delays {
            let index = switches.partitioningIndex { $0.time > delay.earliest }
            guard index > switches.startIndex, switches[index - 1].isDeparture,
                switches[index - 1].time + Self.slack < delay.earliest,
                index == switches.endIndex || switches[index].time > delay.latest + Self.slack
            else { continue }
            if let last, last.index < index, !gaps.contains(since: last.delay.earliest, until: delay.latest) {
                add(switches[(last.index - 1)..<index], delay.on_cpu, since: last.delay.on_cpu)
            }
            last = (index, delay)
        }
    }

    /// - Parameter switches: from a departure on.
    private mutating func add(_ switches: ArraySlice<record_switch>, _ onCPU: UInt64, since before: UInt64) {
        guard onCPU >= before else { return }
        var difference = Double(onCPU - before)
        var (preempted, blocked) = (0.0, 0.0)
        for (departure, record) in zip(switches, switches.dropFirst()) {
            switch (departure.kind, record.kind) {
            case (.preempted, .arrived): preempted += 1
            case (.blocked, .arrived): blocked += 1
            case (.arrived, .preempted), (.arrived, .blocked):
                difference -= Double(record.time - departure.time)
            // Something is missing.
            default: return
            }
        }
        squares.preempted += preempted * preempted
        squares.both += preempted * blocked
        squares.blocked += blocked * blocked
        products.preempted += preempted * difference
        products.blocked += blocked * difference
    }

    private mutating func solve() {
        let determinant = squares.preempted * squares.blocked - squares.both * squares.both
        func cost(_ nanoseconds: Double) -> UInt64 {
            nanoseconds.isFinite ? UInt64(min(max(0, nanoseconds), Self.highest)) : 0
        }
        guard determinant > 0 else {
            afterPreemption = cost(products.preempted / squares.preempted)
            afterBlocking = cost(products.blocked / squares.blocked)
            return
        }
        afterPreemption = cost(
            (products.preempted * squares.blocked - products.blocked * squares.both) / determinant)
        afterBlocking = cost(
            (products.blocked * squares.preempted - products.preempted * squares.both) / determinant)
    }

    /// Moves each arrival to the time from which the scheduler counts, but not before the departure.
    ///
    /// - Parameter switches: by process, thread and time.
    func apply(to switches: inout [record_switch]) {
        for index in switches.indices.dropFirst() where switches[index].kind == .arrived {
            let before = switches[index - 1]
            guard before.isDeparture,
                (before.process, before.thread) == (switches[index].process, switches[index].thread)
            else { continue }
            let cost = before.kind == .preempted ? afterPreemption : afterBlocking
            switches[index].time = max(before.time, switches[index].time - min(cost, switches[index].time))
        }
    }
}

extension record_switch {
    fileprivate var isDeparture: Bool { kind == .preempted || kind == .blocked }
}

extension [record_gap] {
    fileprivate func contains(since start: UInt64, until end: UInt64) -> Bool {
        let index = partitioningIndex { $0.end > start }
        return index < endIndex && self[index].start < end
    }
}
