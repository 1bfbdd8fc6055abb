import CRecordHost
import EventLog

/// The context switches of one thread.
struct ThreadSwitches {
    /// A time on a processor, without interruption.
    struct Stretch: Equatable {
        var start: UInt64
        var end: UInt64
        var departure: LogEvent.Departure
    }

    /// How long the thread waited for a processor since the previous reading.
    struct Reading: Equatable {
        /// After the last switch to the thread whose wait the delay contains, and before the next one.
        var time: UInt64
        var delay: UInt64
    }

    private let switches: ArraySlice<record_switch>
    private let delays: ArraySlice<record_delay>
    private let gaps: [record_gap]

    /// - Parameters:
    ///   - switches: by time.
    ///   - delays: by time.
    ///   - gaps: when records were lost; ascending, apart from each other.
    init(
        _ switches: ArraySlice<record_switch>, _ delays: ArraySlice<record_delay>, gaps: [record_gap]
    ) {
        self.switches = switches
        self.delays = delays
        self.gaps = gaps
    }

    // MARK: Stretches

    private enum State {
        case onProcessor(since: UInt64)
        case off
        /// Records before this time are missing.
        case unknown(since: UInt64)
    }

    /// The stretches between two times, in order. They do not overlap.
    func stretches(from: UInt64, until: UInt64) -> [Stretch] {
        var stretches: [Stretch] = []
        func add(_ start: UInt64, _ end: UInt64, _ departure: LogEvent.Departure) {
            let start = max(start, from)
            guard start < min(end, until) else { return }
            stretches.append(
                Stretch(start: start, end: min(end, until), departure: end > until ? .unknown : departure))
        }
        var state = State.off
        var gap = gaps.startIndex
        /// Ends what is known at the gaps before a time. Returns whether that time is in a gap.
        func passGaps(before time: UInt64) -> Bool {
            while gap < gaps.endIndex, gaps[gap].start < time {
                if case .onProcessor(let start) = state { add(start, gaps[gap].start, .unknown) }
                state = .unknown(since: gaps[gap].end)
                if time <= gaps[gap].end { return true }
                gap += 1
            }
            return false
        }
        for record in switches {
            let time = record.time
            if passGaps(before: time) { continue }
            switch (record.kind, state) {
            case (.arrived, _), (.program, .off), (.program, .unknown): state = .onProcessor(since: time)
            case (.preempted, .onProcessor(let start)), (.preempted, .unknown(let start)):
                add(start, time, .preempted)
                state = .off
            case (.blocked, .onProcessor(let start)), (.blocked, .unknown(let start)):
                add(start, time, .blocked)
                state = .off
            case (.ended, .onProcessor(let start)), (.ended, .unknown(let start)):
                add(start, time, .unknown)
                state = .off
            // It is not known what happened between two records that do not follow each other.
            default: break
            }
        }
        if !passGaps(before: until), case .onProcessor(let start) = state { add(start, until, .unknown) }
        return stretches
    }

    // MARK: Readings

    /// The delays, placed among the switches by their counts.
    func readings() -> [Reading] {
        let times = switches.filter { $0.kind == .arrived }.map(\.time)
        /// How many switches to the thread were recorded up to a time.
        func recorded(upTo time: UInt64) -> Int { times.partitioningIndex { $0 > time } }
        // A thread's number can be used again, and records can be missing, so counts are compared with
        // records only between two such times.
        let ends = switches.filter { $0.kind == .ended }.map(\.time)
        let cuts = (gaps.map(\.end) + ends).sorted()
        var previous: (time: UInt64, delay: UInt64)?
        var readings: [Reading] = []
        var rest = delays
        while let first = rest.first {
            let cut = cuts.first { $0 >= first.latest } ?? .max
            let part = rest.prefix { $0.latest <= cut }
            rest = rest[part.endIndex...]
            if let last = previous?.time, ends.contains(where: { last <= $0 && $0 <= first.latest }) {
                previous = nil
            }
            let before = countBeforeRecords(part, recorded)
            for delay in part {
                let known = recorded(upTo: delay.earliest)...recorded(upTo: delay.latest + Self.slack)
                let count = min(max(Int(clamping: delay.count) &- before, known.lowerBound), known.upperBound)
                var time = delay.latest
                if count > 0 { time = max(time, times[count - 1]) }
                if count < times.count { time = min(time, times[count] - 1) }
                let growth = delay.delay.subtractingReportingOverflow(previous?.delay ?? 0)
                readings.append(Reading(time: time, delay: growth.overflow ? 0 : growth.partialValue))
                previous = (delay.latest, delay.delay)
            }
        }
        return readings
    }

    /// The kernel counts a switch a moment before it records it.
    private static let slack: UInt64 = 20_000

    /// How many switches to the thread were counted but not recorded: those before the recording. Most
    /// readings were not near a switch and agree on that.
    private func countBeforeRecords(
        _ delays: ArraySlice<record_delay>, _ recorded: (UInt64) -> Int
    ) -> Int {
        var votes: [Int: Int] = [:]
        for delay in delays {
            let number = recorded(delay.earliest)
            let isSure = number == recorded(delay.latest + Self.slack)
            votes[Int(clamping: delay.count) &- number, default: 0] += isSure ? delays.count + 1 : 1
        }
        return votes.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key ?? 0
    }
}
