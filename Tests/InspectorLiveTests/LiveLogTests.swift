import EventLog
import Foundation
import TestTraces
import Testing

@testable import InspectorLive
@testable import InspectorTraces

@Suite("Watching a log")
struct LiveLogTests {
    private let second = LiveRate.second
    private let log = GrowingLog()

    /// - Parameter processorTime: none passes.
    private func open(_ log: GrowingLog? = nil, processorTime: @escaping () -> Int64 = { 0 }) throws
        -> LiveLog
    {
        try #require(try LiveLog(path: (log ?? self.log).path, processorTime: processorTime))
    }

    private func isRead(_ look: LiveLog.Look) -> Bool { if case .read = look { true } else { false } }

    @Test("watching a log knows what the program does, look by look")
    func looks() throws {
        flock(log.descriptor, LOCK_EX)
        log.write(at(0, .opened(1, "main", limit: 1)), at(1, .enqueued(1, "first")), at(1, .ready(1)))
        let live = try open()
        #expect(isRead(try live.look(at: 0)))
        #expect(live.picture(at: 0, rows: 9).waitingRows.map(\.name) == ["first"])
        log.write(at(2, .executing(1)), at(3, .enqueued(2, "second")), at(3, .ready(2)))
        log.live(until: 3 * second)
        _ = try live.look(at: second)
        let picture = live.picture(at: second, rows: 9)
        #expect(picture.executingRows.map(\.duration) == [2_998_000_000])
        #expect(picture.origins.map(\.sentence) == ["first is still executing, after 3.00 s on thread 1"])
        #expect(picture.standing == .running)
    }

    @Test("watching a log has one moment for a picture, so that nothing waits for what has finished")
    func oneMoment() throws {
        flock(log.descriptor, LOCK_EX)
        log.write(
            at(0, .opened(1, "main")), at(1, .enqueued(1, "first")), at(1, .ready(1)), at(1, .executing(1)),
            at(1, .enqueued(2, "second", after: [1])))
        log.live(until: 8 * second)
        let live = try open()
        _ = try live.look(at: 0)
        let before = live.picture(at: 0, rows: 9)
        #expect(before.executing == 1 && before.origins.count == 1)
        #expect(before.hazards.map(\.isPresent) == [true])
        // A moment later, all is over.
        log.write(
            at(8_010, .finished(1)), at(8_010, .ready(2)), at(8_010, .executing(2)), at(8_020, .finished(2)))
        _ = try live.look(at: second / 10)
        let after = live.picture(at: second / 10, rows: 9)
        #expect(after.executing == 0 && after.finished == 2)
        #expect(after.origins.isEmpty && after.hazards.map(\.isPresent) == [false])
    }

    @Test("watching a log waits longer before the next screen if one takes long")
    func costlyScreens() throws {
        var time: Int64 = 0
        let live = try open {
            time += 45_000_000
            return time
        }
        _ = try live.look(at: 0)
        _ = live.picture(at: 0, rows: 9)
        #expect(!live.isTimeForScreen(at: 2 * second) && live.isTimeForScreen(at: 3 * second))
    }

    @Test("watching a log distinguishes programs that ended, were killed, or are stopped")
    func standing() throws {
        flock(log.descriptor, LOCK_EX)
        let live = try open()
        log.live(until: 1)
        _ = try live.look(at: 0)
        _ = try live.look(at: 2 * second)
        #expect(live.standing(at: 2 * second) == .silent(2 * second))
        log.live(until: 2)
        _ = try live.look(at: 3 * second)
        #expect(live.standing(at: 3 * second) == .running)
        flock(log.descriptor, LOCK_UN)
        #expect(live.standing(at: 3 * second) == .running, "it gave a sign a moment ago")
        #expect(live.standing(at: 6 * second) == .killed)
        log.seal()
        _ = try live.look(at: 7 * second)
        #expect(live.standing(at: 7 * second) == .ended)
    }

    @Test("watching a log reads what was there before in parts, and says how much of it is read")
    func catchingUp() throws {
        for time in 0..<Int64(10_000) { log.write(at(time, .marked("", by: nil))) }
        log.live(until: 10_000 * 1_000_000)
        var time: Int64 = 0
        let live = try open {
            time += 60_000_000
            return time
        }
        var shares: [Double] = []
        while case .catchingUp(let share) = try live.look(at: 0) { shares.append(share) }
        #expect(shares.count == 2 && shares == shares.sorted() && shares.allSatisfy { (0...1).contains($0) })
    }

    @Test("watching a log skips what it has no time to read, says so, and reads it when the program is quiet")
    func overrun() throws {
        flock(log.descriptor, LOCK_EX)
        var cost: Int64 = 0
        var time: Int64 = 0
        let live = try open {
            time += cost
            return time
        }
        log.write(at(0, .opened(1, "main")))
        _ = try live.look(at: 0)
        cost = 200_000_000
        var now: Int64 = 0
        var id: UInt64 = 0
        for _ in 0..<6 {
            for _ in 0..<3_000 {
                id += 1
                log.write(at(Int64(id), .enqueued(id, "")), at(Int64(id), .ready(id)))
            }
            log.live(until: Int64(id) * 1_000_000)
            now += second / 2
            #expect(isRead(try live.look(at: now)))
        }
        let behind = live.picture(at: now, rows: 1)
        #expect(behind.behind != nil && behind.losses.first?.contains("were skipped") == true)
        #expect(behind.waiting < Int(id))
        // It cannot know what it has not read yet. So it reports nothing as stuck, and no wait that lasts
        // until now.
        #expect(behind.origins.isEmpty && behind.hazards.isEmpty)
        let read = behind.header.lastAlive - (behind.behind ?? 0)
        #expect(behind.waitingRows.allSatisfy { $0.duration <= read })
        cost = 0
        for _ in 0..<20 {
            now += second
            _ = try live.look(at: now)
        }
        let caughtUp = live.picture(at: now, rows: 1)
        #expect(caughtUp.waiting == Int(id) && caughtUp.losses.isEmpty && caughtUp.behind == nil)
    }

    @Test("watching a log says what the recorder could not write")
    func dropped() throws {
        log.drop(1_234)
        let live = try open()
        _ = try live.look(at: 0)
        #expect(
            live.picture(at: 0, rows: 1).losses == [
                "the recorder could not write 1,234 events: its log is full"
            ])
    }

    @Test("watching a log recognizes that another program writes to the same file")
    func again() throws {
        let live = try open()
        _ = try live.look(at: 0)
        log.beginAgain(process: 9)
        guard case .otherLog = try live.look(at: 1) else {
            Issue.record("it went on")
            return
        }
    }

    @Test("watching a log has the whole run as a trace in the end")
    func trace() throws {
        log.write(
            at(0, .opened(1, "main")), at(1, .enqueued(1, "only")), at(2, .executing(1)), at(3, .finished(1)))
        log.seal()
        let live = try open()
        _ = try live.look(at: 0)
        #expect(live.standing(at: 0) == .ended)
        #expect(try live.trace().operations.map(\.displayName) == ["only"])
    }

    @Test("watching a log refuses a file that it cannot follow, with the path and the position")
    func refusals() throws {
        let missing = #expect(throws: TraceError.self) { try LiveLog(path: "/nonexistent/x.optrace") }
        #expect(missing?.code == .noSuchFile)
        let folder = #expect(throws: TraceError.self) { try LiveLog(path: NSTemporaryDirectory()) }
        #expect(folder?.code == .unreadable)
        log.put(Array("OPTRACEC".utf8), at: 0)
        let compact = #expect(throws: TraceError.self) { try LiveLog(path: log.path) }
        #expect(
            compact?.description.hasPrefix("\(log.path): at byte 0: is not a recorder's log") == true
        )
    }
}
