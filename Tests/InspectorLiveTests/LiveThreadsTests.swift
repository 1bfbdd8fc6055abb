import EventLog
import Foundation
import TestTraces
import Testing
import WaitDiagnosis

@testable import InspectorLive
@testable import InspectorText

@Suite("What threads do while they are watched")
struct LiveThreadsTests {
    private let machine = FakeMachine()
    private let log = GrowingLog()
    private let second = LiveRate.second
    private let millisecond: Int64 = 1_000_000

    /// A look, and its picture.
    private func picture(_ live: LiveLog) throws -> LivePicture {
        let now = machine.now * millisecond
        _ = try live.look(at: now)
        return live.picture(at: now, rows: 9)
    }

    private func live() throws -> LiveLog {
        flock(log.descriptor, LOCK_EX)
        return try #require(
            try LiveLog(path: log.path, processorTime: { 0 }, system: machine.system))
    }

    private func start(_ id: UInt64, _ name: String, kind: String = "Work", thread: UInt64) {
        log.write(
            at(1, thread: thread, .enqueued(id, name, kind: kind)), at(1, thread: thread, .ready(id)),
            at(2, thread: thread, .executing(id)), stream: thread)
    }

    private func words(_ picture: LivePicture) -> [String?] {
        picture.executingRows.map { picture.threads[$0.operation]?.word }
    }

    @Test("threads are shown from the second look on: who calculates, who waits for a CPU, who is blocked")
    func words() throws {
        let live = try live()
        log.write(at(0, .opened(1, "main")))
        for (id, name) in ["calculates", "waits", "sleeps", "both"].enumerated() {
            start(UInt64(id) + 1, name, thread: UInt64(id) + 11)
            machine.threads[UInt64(id) + 11] = .init()
        }
        #expect(words(try picture(live)) == [nil, nil, nil, nil])
        machine.pass(
            500,
            [
                11: (495, 3, nil), 12: (20, 480, nil), 13: (0, 0, "hrtimer_nanosleep"),
                14: (310, 0, "futex_do_wait"),
            ])
        let later = try picture(live)
        #expect(words(later) == ["on CPU", "waiting for a CPU", "blocked", "on CPU 62 %"])
        #expect(later.threads[3]?.sentence == "blocked in hrtimer_nanosleep")
        #expect(later.threads[4]?.sentence == "on CPU 62 %, now blocked in futex_do_wait")
        let parts = try #require(later.kinds.first).parts
        #expect(later.kinds.count == 1 && parts.total == 4 * second / 2 && parts.unmeasured == 0)
        #expect(parts.onCPU == 827 * millisecond && parts.waitingForCPU == 483 * millisecond)
        // What they did before is still in the sums of their kind, but it is not what they do now.
        machine.pass(500, [11: (0, 0, "futex_do_wait")])
        #expect(try picture(live).threads[1]?.word == "blocked")
    }

    /// What a thread did for 100 ms that was runnable or not at both readings.
    private func parts(
        onCPU: Int64, waited: Int64, switches: Int64, _ isRunnable: (before: Bool, after: Bool)
    ) -> ExecutionParts? {
        let first = ThreadReading(
            time: 50, onCPU: 7, waitedForCPU: 9, switches: 3, isRunnable: isRunnable.before)
        let last = ThreadReading(
            time: 50 + 100 * millisecond, onCPU: 7 + onCPU * millisecond,
            waitedForCPU: 9 + waited * millisecond, switches: 3 + switches, isRunnable: isRunnable.after)
        return ExecutionParts(from: first, to: last)
    }

    @Test("what a thread does is not taken for blocked because the system's counters are a tick behind")
    func counters() throws {
        func sums(_ parts: ExecutionParts?) -> [Int64] {
            parts.map { [$0.onCPU, $0.waitingForCPU, $0.blocked].map { $0 / millisecond } } ?? []
        }
        #expect(sums(parts(onCPU: 92, waited: 0, switches: 2, (true, true))) == [100, 0, 0])
        #expect(sums(parts(onCPU: 60, waited: 0, switches: 0, (true, true))) == [100, 0, 0])
        #expect(sums(parts(onCPU: 60, waited: 0, switches: 2, (true, true))) == [60, 0, 40])
        #expect(sums(parts(onCPU: 92, waited: 0, switches: 2, (true, false))) == [92, 0, 8])
        // Runnable all the time, and no processor took it up.
        #expect(sums(parts(onCPU: 0, waited: 0, switches: 0, (true, true))) == [0, 100, 0])
        // It has just been woken up.
        #expect(sums(parts(onCPU: 0, waited: 0, switches: 0, (false, true))) == [0, 0, 100])
        // More than there was time for; and another thread that has the same number.
        #expect(sums(parts(onCPU: 150, waited: 20, switches: 1, (true, true))) == [100, 0, 0])
        #expect(parts(onCPU: -1, waited: 0, switches: 1, (true, true)) == nil)
        #expect(parts(onCPU: 1, waited: 0, switches: -1, (true, true)) == nil)
    }

    @Test("what a thread does is off thread for an asynchronous operation whose body has returned")
    func offThread() throws {
        let live = try live()
        start(1, "request", thread: 11)
        machine.threads[11] = .init()
        _ = try picture(live)
        let files = machine.files.count
        // Between these looks, at a time that they do not show, it left its thread.
        machine.pass(500, [11: (100, 0, nil)])
        log.write(at(3, thread: 11, .bodyEnded(1)), stream: 11)
        #expect(words(try picture(live)) == [nil])
        machine.pass(500, [11: (500, 0, nil)])
        let later = try picture(live)
        #expect(words(later) == ["off thread"])
        #expect(later.kinds.map(\.parts.offThread) == [second / 2])
        #expect(machine.files.count == files)
    }

    @Test("the thread that began a body is asked what it does, once for operations within each other")
    func threads() throws {
        let live = try live()
        start(1, "outer", thread: 11)
        start(2, "inner", thread: 12)
        log.write(at(3, thread: 12, .bodyBegan(OperationID(1))), stream: 12)
        machine.threads[12] = .init()
        _ = try picture(live)
        machine.pass(500, [12: (500, 0, nil)])
        #expect(words(try picture(live)) == ["on CPU", "on CPU"])
        #expect(machine.files.count == 4 && machine.files.allSatisfy { $0.hasPrefix("/proc/7/task/12/") })
    }

    @Test("nothing is said of hidden threads, of another machine's log, or of damaged statistics")
    func hidden() throws {
        let live = try live()
        start(1, "hidden", thread: 11)
        _ = try picture(live)
        machine.pass(500, [:])
        let none = try picture(live)
        #expect(words(none) == [nil] && none.kinds.isEmpty)
        machine.threads[11] = .init(state: "Z")
        _ = try picture(live)
        machine.pass(500, [:])
        #expect(words(try picture(live)) == [nil])
        let other = FakeMachine()
        other.host = "another box"
        other.threads[11] = .init()
        let remote = try #require(
            try LiveLog(path: log.path, processorTime: { 0 }, system: other.system))
        _ = try remote.look(at: 0)
        _ = remote.picture(at: 0, rows: 9)
        #expect(other.files.isEmpty)
        for statistics in ["", "1 2", "1 2 x", "1 2 3 4", "-1 2 3", "99999999999999999999 1 1"] {
            let system = LiveSystem(
                host: "", contents: { $0.hasSuffix("schedstat") ? statistics : "1 (a) R 1" }, now: { 0 })
            #expect(ThreadReading(process: 1, thread: 1, system) == nil, "\(statistics)")
        }
        for status in ["", "1", ")", "1 (a)", "1 (a) "] {
            let system = LiveSystem(
                host: "", contents: { $0.hasSuffix("schedstat") ? "1 2 3" : status }, now: { 0 })
            #expect(ThreadReading(process: 1, thread: 1, system) == nil, "\(status)")
        }
    }

    @Test("what a thread does is not known of the time in which reading was behind")
    func gap() {
        var run = LiveRun(at(0, .enqueued(1, "job")), at(0, .ready(1)), at(0, thread: 11, .executing(1)))
        machine.threads[11] = .init()
        var threads = LiveThreads()
        func look() { threads.look(at: run.state.operations.open, of: 7, machine.system) }
        look()
        threads.pause()
        machine.pass(500, [11: (500, 0, nil)])
        look()
        #expect(threads.uses[1]?.word == nil && threads.uses[1]?.all.total == 0)
        machine.pass(500, [11: (500, 0, nil)])
        look()
        #expect(threads.uses[1]?.word == "on CPU" && threads.uses[1]?.all.total == second / 2)
        run.take(at(900, .finished(1)))
        threads.keep { run.state.operations[$0] != nil }
        #expect(threads.uses.isEmpty)
    }

    // MARK: Clocks

    @Test("the clocks in the log say what threads did for finished operations, also where both are known")
    func clocks() throws {
        let live = try live()
        start(1, "clocked", kind: "Measured", thread: 11)
        start(2, "not clocked", kind: "Short", thread: 12)
        start(3, "running", kind: "Measured", thread: 13)
        for thread in UInt64(11)...13 { machine.threads[thread] = .init() }
        _ = try picture(live)
        machine.pass(500, [11: (0, 0, "futex_do_wait"), 13: (500, 0, nil)])
        _ = try picture(live)
        log.write(
            at(102, thread: 11, .used(1, onCPU: 60, waited: 30)), at(102, thread: 11, .finished(1)),
            stream: 11)
        log.write(at(102, thread: 12, .finished(2)), stream: 12)
        let kinds = try picture(live).kinds
        #expect(kinds.map(\.name) == ["Measured", "Short"])
        // 100 ms of the first, and half a second of the last.
        #expect(kinds[0].parts.total == 600 * millisecond && kinds[0].isOfClocks && kinds[0].isWatched)
        #expect(kinds[0].parts.onCPU == 560 * millisecond && kinds[0].parts.blocked == 10 * millisecond)
        #expect(kinds[0].parts.waitingForCPU == 30 * millisecond && kinds[0].parts.unmeasured == 0)
        #expect(kinds[1].parts.total == second / 2 && !kinds[1].isOfClocks && kinds[1].isWatched)
    }

    private func kind(of events: LogEvent...) -> LiveKind? {
        var run = LiveRun(at(0, .enqueued(1, "job")), at(0, .ready(1)), at(0, .executing(1)))
        run.take(events)
        return run.picture(at: 200 * millisecond).kinds.first
    }

    @Test("what a thread does has the same parts as a trace, in whatever order the threads are read")
    func orders() throws {
        let used = at(40, .used(1, onCPU: 10, waited: nil))
        let whole = try #require(kind(of: used, at(40, .finished(1))))
        #expect(whole.parts.onCPU == 10 * millisecond && whole.parts.unmeasured == 30 * millisecond)
        #expect(kind(of: at(40, .finished(1)), used)?.parts == whole.parts)
        let ended = try #require(kind(of: used, at(40, .bodyEnded(1)), at(60, .finished(1))))
        #expect(ended.parts.offThread == 20 * millisecond && ended.parts.total == 60 * millisecond)
        #expect(kind(of: at(40, .bodyEnded(1)), used, at(60, .finished(1)))?.parts == ended.parts)
        // After the end, it would contain more than the body.
        #expect(kind(of: at(30, .bodyEnded(1)), used, at(60, .finished(1))) == nil)
        // 5 ms of it may have been after the finish.
        let late = try #require(kind(of: at(35, .finished(1)), used, at(40, .bodyEnded(1))))
        #expect(late.parts.onCPU == 5 * millisecond && late.parts.unmeasured == 30 * millisecond)
        #expect(kind(of: used, at(40, .bodyEnded(1)), at(35, .finished(1)))?.parts == late.parts)
        // It has not finished.
        #expect(kind(of: used) == nil)
    }

    // MARK: On the screen

    private func inTrouble() -> LivePicture {
        var run = LiveRun.inTrouble()
        for id in UInt64(50)...53 {
            run.take(
                at(11_000, .enqueued(id, "thumbnail \(id)", kind: "Resize", on: 2)), at(11_000, .ready(id)),
                at(11_000, thread: 40, .executing(id)),
                at(11_100, thread: 40, .used(id, onCPU: 80, waited: 12)),
                at(11_100, thread: 40, .finished(id)))
        }
        for thread: UInt64 in [11, 12, 13, 20, 30] { machine.threads[thread] = .init() }
        var threads = LiveThreads()
        let executing = run.state.operations.open.filter { $0.phase == .executing }
        threads.look(at: executing, of: 7, machine.system)
        machine.pass(
            500,
            [
                11: (500, 0, nil), 12: (310, 190, nil), 13: (0, 500, nil), 20: (4, 0, "do_epoll_wait"),
                30: (0, 0, "futex_do_wait"),
            ])
        threads.look(at: executing, of: 7, machine.system)
        return run.picture(threads: threads)
    }

    @Test(
        "what a thread does is in the tables, and beside what everything waits for",
        arguments: [(80, 40), (120, 40)])
    func screen(width: Int, height: Int) throws {
        let screen = LiveScreen(inTrouble())
        let lines = screen.lines(width: width, height: height, isColored: false)
        try Golden("watch-threads-\(width).txt").expect(lines.joined(separator: "\n") + "\n")
        #expect(screen.sentence.contains("deadlock"))
        let small = screen.lines(width: 80, height: 24, isColored: false)
        #expect(small.contains { $0.hasPrefix("4 kinds") } && small.allSatisfy { !$0.contains("…") })
    }

    @Test("an opened operation shows what its thread does now, did while watched, and did in all")
    func opened() {
        let screen = LiveScreen(inTrouble())
        func lines(_ operation: UInt64) -> [String] {
            screen.details(of: operation, 80).map { $0.text(width: 80) }
        }
        #expect(lines(10).contains("  now         blocked in do_epoll_wait"))
        #expect(lines(10).contains("  watched     500 ms: 496 ms blocked"))
        #expect(
            lines(50).contains("  execution   80.0 ms on CPU, 12.0 ms waiting for a CPU, 8.00 ms blocked"))
    }
}
