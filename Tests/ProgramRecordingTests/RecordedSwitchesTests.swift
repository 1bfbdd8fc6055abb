import CRecordHost
import EventLog
import Testing

@testable import ProgramRecording

@Suite("Records of context switches become stretches on a processor, and waits for one")
struct RecordedSwitchesTests {
    private func at(
        _ time: UInt64, _ kind: record_switch_kind, thread: Int32 = 7, process: Int32 = 5
    ) -> record_switch {
        record_switch(time_and_kind: time << 3 | kind.rawValue, process: process, thread: thread)
    }

    private func delay(
        _ delay: UInt64, count: UInt64, _ earliest: UInt64, _ latest: UInt64, thread: Int32 = 7
    ) -> record_delay {
        record_delay(
            earliest: earliest, latest: latest, on_cpu: 0, delay: delay, count: count, process: 5,
            thread: thread)
    }

    private func stretches(
        _ switches: [record_switch], gaps: [record_gap] = [], from: UInt64 = 0, until: UInt64 = 1_000
    ) -> [ThreadSwitches.Stretch] {
        ThreadSwitches(switches[...], [], gaps: gaps).stretches(from: from, until: until)
    }

    private typealias Stretch = ThreadSwitches.Stretch

    // MARK: Stretches

    @Test("a stretch lasts from a switch in to a switch out, and says why the thread left")
    func stretches() {
        let switches = [
            at(10, .arrived), at(20, .preempted), at(30, .arrived), at(45, .blocked), at(50, .arrived),
            at(60, .ended),
        ]
        #expect(
            stretches(switches) == [
                Stretch(start: 10, end: 20, departure: .preempted),
                Stretch(start: 30, end: 45, departure: .blocked),
                Stretch(start: 50, end: 60, departure: .unknown),
            ])
    }

    @Test("a thread that is still running at the end leaves for an unknown reason then")
    func stillRunning() {
        #expect(
            stretches([at(10, .arrived)], until: 90) == [Stretch(start: 10, end: 90, departure: .unknown)])
        #expect(
            stretches([at(10, .arrived), at(95, .blocked)], until: 90) == [
                Stretch(start: 10, end: 90, departure: .unknown)
            ])
    }

    @Test("a program begins on a processor")
    func program() {
        #expect(
            stretches([at(10, .program), at(20, .blocked)]) == [
                Stretch(start: 10, end: 20, departure: .blocked)
            ])
        #expect(
            stretches([at(5, .arrived), at(10, .program), at(20, .blocked)], from: 10) == [
                Stretch(start: 10, end: 20, departure: .blocked)
            ])
    }

    @Test("a switch out without a switch in, or the other way round, makes no stretch")
    func incomplete() {
        #expect(stretches([at(10, .blocked), at(20, .preempted)]).isEmpty)
        #expect(
            stretches([at(10, .arrived), at(30, .arrived), at(40, .blocked)]) == [
                Stretch(start: 30, end: 40, departure: .blocked)
            ])
    }

    @Test("nothing is claimed of a time without records, and everything up to it and from it on")
    func gap() {
        let gaps = [record_gap(start: 100, end: 200)]
        #expect(
            stretches([at(90, .arrived), at(150, .arrived), at(220, .preempted)], gaps: gaps) == [
                Stretch(start: 90, end: 100, departure: .unknown),
                Stretch(start: 200, end: 220, departure: .preempted),
            ])
        #expect(
            stretches([at(90, .arrived), at(95, .blocked), at(230, .arrived), at(240, .blocked)], gaps: gaps)
                == [
                    Stretch(start: 90, end: 95, departure: .blocked),
                    Stretch(start: 230, end: 240, departure: .blocked),
                ])
        #expect(
            stretches([at(90, .arrived)], gaps: gaps) == [Stretch(start: 90, end: 100, departure: .unknown)])
    }

    // MARK: Readings

    private func readings(
        _ switches: [record_switch], _ delays: [record_delay], gaps: [record_gap] = []
    ) -> [ThreadSwitches.Reading] {
        ThreadSwitches(switches[...], delays[...], gaps: gaps).readings()
    }

    private typealias Reading = ThreadSwitches.Reading

    @Test("a reading is the growth since the one before, and the first one since the thread began")
    func growth() {
        let switches = [at(1_000_000, .arrived), at(2_000_000, .blocked), at(3_000_000, .arrived)]
        let delays = [
            delay(50, count: 1, 1_500_000, 1_500_010), delay(70, count: 2, 3_500_000, 3_500_010),
        ]
        #expect(
            readings(switches, delays) == [
                Reading(time: 1_500_010, delay: 50), Reading(time: 3_500_010, delay: 20),
            ])
    }

    @Test("the count of a reading decides which switches it contains")
    func placement() {
        let switches = [
            at(1_000_000, .arrived), at(2_000_000, .blocked), at(3_000_000, .arrived),
            at(3_000_500, .blocked),
            at(5_000_000, .arrived),
        ]
        let sure = delay(10, count: 101, 1_500_000, 1_500_010)
        // It was read while the thread was switched to: once before that, and once after it.
        for (count, time): (UInt64, UInt64) in [(101, 2_999_999), (102, 3_000_004)] {
            let near = delay(30, count: count, 2_999_998, 3_000_004)
            let last = delay(30, count: 103, 5_500_000, 5_500_010)
            #expect(readings(switches, [sure, near, last])[1] == Reading(time: time, delay: 20))
        }
        // The kernel counted the switch, and recorded it after the reading.
        let before = delay(30, count: 102, 2_999_900, 2_999_950)
        #expect(readings(switches, [sure, before])[1] == Reading(time: 3_000_000, delay: 20))
    }

    @Test("switches that were lost are counted, and the count is found again after the gap")
    func countAfterGap() {
        let switches = [at(1_000_000, .arrived), at(9_000_000, .arrived), at(9_500_000, .blocked)]
        let delays = [
            delay(10, count: 1, 1_500_000, 1_500_010), delay(40, count: 31, 9_700_000, 9_700_010),
        ]
        let gaps = [record_gap(start: 2_000_000, end: 8_000_000)]
        #expect(readings(switches, delays, gaps: gaps).last == Reading(time: 9_700_010, delay: 30))
    }

    @Test("a number that another thread got begins at zero")
    func numberUsedAgain() {
        let switches = [
            at(1_000_000, .arrived), at(2_000_000, .ended), at(5_000_000, .arrived), at(6_000_000, .blocked),
        ]
        let delays = [
            delay(30, count: 1, 1_500_000, 1_500_010), delay(40, count: 1, 7_000_000, 7_000_010),
        ]
        #expect(readings(switches, delays).map(\.delay) == [30, 40])
    }

    // MARK: Logs

    private func log(start: UInt64, lastAlive: Int64, isClosed: Bool = true) throws -> EventLogContents {
        let boot = try #require(BootID(high: 1, low: 1))
        let header = LogHeader(
            process: "app", processID: 5, host: "host", start: 0,
            bootClock: BootClock(boot: boot, monotonic: start), isClosed: isClosed, lastAlive: lastAlive)
        let operation = OperationID(1)
        return EventLogContents(
            header: header,
            events: [
                LogEvent(time: 15, thread: 7, .executing(operation)),
                LogEvent(time: 40, thread: 7, .finished(operation, .succeeded)),
            ])
    }

    @Test("events of all threads are merged by time, and have times since the start of the log")
    func merge() throws {
        let recorded = RecordedSwitches(
            switches: [
                at(950, .arrived), at(1_020, .blocked), at(1_030, .arrived), at(1_060, .preempted),
                at(1_010, .arrived, thread: 8), at(1_050, .blocked, thread: 8),
                at(1_010, .arrived, thread: 3, process: 4), at(1_050, .blocked, thread: 3, process: 4),
                at(900, .arrived, thread: 9), at(999, .blocked, thread: 9),
            ], end: 2_000)
        var contents = try log(start: 1_000, lastAlive: 55)
        recorded.add(to: &contents, of: 5)
        let operation = OperationID(1)
        #expect(
            contents.events == [
                LogEvent(time: 15, thread: 7, .executing(operation)),
                LogEvent(time: 20, thread: 7, .leftCPU(afterNanoseconds: 20, .blocked)),
                LogEvent(time: 40, thread: 7, .finished(operation, .succeeded)),
                LogEvent(time: 50, thread: 8, .leftCPU(afterNanoseconds: 40, .blocked)),
                LogEvent(time: 55, thread: 7, .leftCPU(afterNanoseconds: 25, .unknown)),
            ])
        #expect(contents.header.lastAlive == 55)
    }

    @Test("a thread without operations has its CPU time to the nanosecond, without pauses under 1 ms")
    func withoutOperations() throws {
        let starts: [UInt64] = [0, 300_000, 600_000, 1_200_000, 3_000_000]
        let recorded = RecordedSwitches(
            switches: starts.flatMap {
                [at(1_000 + $0, .arrived, thread: 8), at(101_000 + $0, .blocked, thread: 8)]
            }, end: 9_000_000)
        var contents = try log(start: 1_000, lastAlive: 8_000_000)
        recorded.add(to: &contents, of: 5)
        #expect(
            contents.events.filter { $0.thread == 8 } == [
                LogEvent(time: 700_000, thread: 8, .leftCPU(afterNanoseconds: 300_000, .blocked)),
                LogEvent(time: 1_300_000, thread: 8, .leftCPU(afterNanoseconds: 100_000, .blocked)),
                LogEvent(time: 3_100_000, thread: 8, .leftCPU(afterNanoseconds: 100_000, .blocked)),
            ])
    }

    @Test("a process that was killed was alive as long as it ran")
    func killed() throws {
        let recorded = RecordedSwitches(switches: [at(1_010, .arrived), at(1_090, .ended)], end: 2_000)
        var contents = try log(start: 1_000, lastAlive: 55, isClosed: false)
        recorded.add(to: &contents, of: 5)
        #expect(contents.header.lastAlive == 90)
    }

    @Test("what a process did before and after it ran a program is not that program's")
    func programs() {
        let recorded = RecordedSwitches(
            switches: [
                at(90, .forked), at(95, .arrived), at(100, .program), at(120, .blocked), at(150, .arrived),
                at(200, .program), at(230, .blocked),
            ], end: 2_000)
        func ends(since start: UInt64) -> [Int64] {
            recorded.events(of: 5, since: start).map { Int64(start) + $0.time }
        }
        #expect(ends(since: 101) == [120, 200])
        #expect(ends(since: 201) == [230])
    }

    @Test("records over the limit are lost from then on")
    func overLimit() throws {
        let recorded = RecordedSwitches(switches: [at(1_010, .arrived)], end: 1_030, isOverLimit: true)
        var contents = try log(start: 1_000, lastAlive: 55, isClosed: false)
        recorded.add(to: &contents, of: 5)
        #expect(
            contents.events.filter { $0.time != 15 && $0.time != 40 } == [
                LogEvent(time: 30, thread: 7, .leftCPU(afterNanoseconds: 20, .unknown)),
                LogEvent(time: 55, thread: 0, .switchesLost(nanoseconds: 25)),
            ])
        #expect(contents.header.lastAlive == 55)
    }
}
