import CRecordHost
import Testing

@testable import ProgramRecording

@Suite("What the scheduler counts before it records an arrival")
struct SwitchCostsTests {
    /// Records of a thread that is on a processor for 1 ms at a time, and readings while it is off. Each
    /// arrival is recorded late.
    private func records(
        late cost: (preempted: UInt64, blocked: UInt64), pattern: [record_switch_kind], thread: Int32 = 7
    ) -> (switches: [record_switch], delays: [record_delay]) {
        var (switches, delays): ([record_switch], [record_delay]) = ([], [])
        var (time, onCPU, late) = (UInt64(10_000_000), UInt64(0), UInt64(0))
        func record(_ time: UInt64, _ kind: record_switch_kind) -> record_switch {
            record_switch(time_and_kind: time << 3 | kind.rawValue, process: 5, thread: thread)
        }
        for (number, departure) in pattern.enumerated() {
            switches.append(record(time + late, .arrived))
            time += 1_000_000
            onCPU += 1_000_000
            switches.append(record(time, departure))
            if number % 3 == 2 {
                delays.append(
                    record_delay(
                        earliest: time + 400_000, latest: time + 400_100, on_cpu: onCPU, delay: 0,
                        count: UInt64(number + 1), process: 5, thread: thread))
            }
            time += 1_000_000
            late = departure == .preempted ? cost.preempted : cost.blocked
        }
        return (switches, delays)
    }

    private let mixed: [record_switch_kind] = [
        .preempted, .preempted, .blocked, .blocked, .preempted, .blocked, .preempted, .preempted, .preempted,
        .blocked, .blocked, .blocked,
    ]

    @Test("what the scheduler counts is found from what threads used between two readings, and taken back")
    func found() {
        var (switches, delays) = records(late: (800, 9_000), pattern: mixed)
        let other = records(late: (800, 9_000), pattern: mixed, thread: 9)
        switches += other.switches
        delays += other.delays
        let costs = SwitchCosts(switches, delays, gaps: [])
        #expect(costs.afterPreemption == 800 && costs.afterBlocking == 9_000)
        costs.apply(to: &switches)
        let exact = records(late: (0, 0), pattern: mixed).switches.map(\.time_and_kind)
        #expect(switches.prefix(exact.count).map(\.time_and_kind) == exact)
    }

    @Test("what the scheduler counts is found if threads leave for one reason only")
    func oneReason() {
        let (switches, delays) = records(
            late: (700, 9_000), pattern: Array(repeating: .preempted, count: 12))
        let costs = SwitchCosts(switches, delays, gaps: [])
        #expect(costs.afterPreemption == 700 && costs.afterBlocking == 0)
    }

    @Test("what the scheduler counts is nothing without readings, and where records are missing")
    func unknown() {
        let (switches, delays) = records(late: (800, 9_000), pattern: mixed)
        let without = SwitchCosts(switches, [], gaps: [])
        #expect(without.afterPreemption == 0 && without.afterBlocking == 0)
        let lost = SwitchCosts(switches, delays, gaps: [record_gap(start: 0, end: .max)])
        #expect(lost.afterPreemption == 0 && lost.afterBlocking == 0)
    }

    @Test("what the scheduler counts never moves an arrival before the departure")
    func bounded() {
        var (switches, delays) = records(late: (800, 9_000), pattern: mixed)
        let costs = SwitchCosts(switches, delays, gaps: [])
        let departure = switches[1]
        let arrival = record_switch(
            time_and_kind: (departure.time + 5) << 3 | record_switch_kind.arrived.rawValue, process: 5,
            thread: 7)
        switches = [switches[0], departure, arrival]
        costs.apply(to: &switches)
        #expect(switches[2].time == departure.time)
    }
}
