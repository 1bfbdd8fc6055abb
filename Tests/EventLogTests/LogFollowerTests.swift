import Foundation
import InspectorAnalysis
import TestTraces
import Testing

@testable import EventLog

@Suite("Following a log that grows")
struct LogFollowerTests {
    private let log = GrowingLog()
    private let events = FollowedEvents()

    private func follower() throws -> LogFollower { try #require(try LogFollower(following: log.descriptor)) }

    private func mark(_ time: Int64, thread: UInt64 = 1) -> LogEvent {
        LogEvent(time: time, thread: thread, .marked("mark \(time)", by: nil))
    }

    @Test("following a log gives each event once, whenever it is looked at")
    func growing() throws {
        let follower = try follower()
        var written: [LogEvent] = []
        for step in 0..<200 {
            let new = (0..<(step * 7 % 31)).map { mark(Int64(written.count + $0)) }
            log.write(new)
            written += new
            #expect(try follower.look(into: events) { true } == .all)
            #expect(events.fields.count == written.count)
        }
        #expect(events.events(follower) == written)
    }

    @Test(
        "following a log gives no time that could overflow a difference, for any log",
        arguments: [0, 1] as [UInt8])
    func farTimes(tickFlag: UInt8) throws {
        var bytes = BinaryLogHeader(LogHeader(process: "app", processID: 7, host: "box", start: 5)).bytes
        // Whether it counts ticks, and where its two clocks stood: in the file's order.
        bytes[24] = tickFlag
        for offset in 48..<64 { bytes[offset] = 0xFF }
        var clock = FollowedClock(try bytes.withUnsafeBytes { try BinaryLogHeader($0) })
        clock.add(LogClock.Anchor(time: .max, monotonic: 1))
        for time in [0, 1, 1 << 62, 1 << 63, .max - 46_833, .max] as [UInt64] {
            #expect(abs(clock.nanoseconds(time)) <= 1 << 60)
        }
    }

    @Test(
        "following a log follows from segment to segment, with texts in many", arguments: [1, 977, 40_000])
    func segments(step: Int) throws {
        let follower = try follower()
        let written = (0..<20_000).map { mark(Int64($0)) }
        for start in stride(from: 0, to: written.count, by: step * 20) {
            log.write(Array(written[start..<min(start + step * 20, written.count)]))
            _ = try follower.look(into: events) { true }
        }
        _ = try follower.look(into: events) { true }
        #expect(events.times == written.map(\.time))
        // In an unusual order.
        for number in [19_999, 3, 12_000, 11_999, 0, 19_998] {
            #expect(follower.text(events.fields[number].text) == "mark \(number)")
        }
    }

    @Test("following a log gives the events of several threads in the order of time")
    func order() throws {
        let follower = try follower()
        for time in 0..<Int64(9_000) {
            log.write(mark(time, thread: UInt64(time % 3)), stream: UInt64(time % 3))
        }
        _ = try follower.look(into: events) { true }
        #expect(events.times == Array(0..<9_000))
    }

    @Test("following a log gives the same as the reader for any events", arguments: 0..<10)
    func sameAsReader(seed: UInt64) throws {
        var random = RandomEvents(seed: seed)
        log.write((0..<500).map { _ in random.next() })
        let follower = try follower()
        _ = try follower.look(into: events) { true }
        let whole = try BinaryLogReader.read(Array(Data(contentsOf: URL(filePath: log.path))))
        #expect(events.events(follower) == whole.events)
    }

    @Test("following a log waits for the last word of a record, and for the event that a record belongs to")
    func halves() throws {
        let follower = try follower()
        log.write(mark(1))
        let event = LogEvent(
            time: 2, thread: 1,
            .enqueued(
                .init(operation: OperationID(1), kind: "K", name: "n", queue: QueueID(1), dependencies: [])))
        let bytes = log.bytes(of: event)
        let end = log.end(of: 1)
        for count in stride(from: 0, to: bytes.count, by: 8) {
            log.put(Array(bytes[..<count]), at: end)
            _ = try follower.look(into: events) { true }
            #expect(events.fields.count == 1)
        }
        log.put(bytes, at: end)
        _ = try follower.look(into: events) { true }
        #expect(events.events(follower).last == event)
    }

    @Test("following a log stops where requested, and continues there")
    func stopping() throws {
        let follower = try follower()
        for time in 0..<Int64(20_000) { log.write(mark(time), stream: UInt64(time % 4)) }
        var looks = 0
        while try follower.look(into: events, while: { false }) == .part { looks += 1 }
        #expect(looks == 20_000 / 2_048)
        #expect(events.times == Array(0..<20_000))
    }

    @Test("following a log skips what it is asked to skip, except each thread's latest event, and counts it")
    func skipping() throws {
        let follower = try follower()
        for time in 0..<Int64(20_000) { log.write(mark(time), stream: UInt64(time % 2)) }
        _ = try follower.look(into: events) { false }
        follower.skip()
        _ = try follower.look(into: events) { true }
        #expect(events.times.last == 19_999 && events.times == events.times.sorted())
        // Two records an event.
        let missed = (20_000 - events.fields.count) * 2
        #expect(follower.missedRecords >= missed && follower.missedRecords < missed + 20)
        let known = events.fields.count
        log.write(mark(20_000))
        _ = try follower.look(into: events) { true }
        #expect(events.fields.count == known + 1)
    }

    @Test("following a log counts what was overwritten before it was read, and continues with newer events")
    func recycled() throws {
        let log = GrowingLog(keepsLatest: true)
        let follower = try #require(try LogFollower(following: log.descriptor))
        log.write(mark(1))
        _ = try follower.look(into: events) { true }
        log.write((2..<500).map { mark(Int64($0)) })
        log.recycle(1)
        log.write(mark(1_000), mark(1_001))
        _ = try follower.look(into: events) { true }
        _ = try follower.look(into: events) { true }
        #expect(events.times == [1, 1_000, 1_001])
        #expect(follower.missedRecords > 2_000)
    }

    @Test("following a log recognizes another log in the same file, and a file that was cut")
    func otherLog() throws {
        let follower = try follower()
        log.write(mark(1))
        log.beginAgain(process: 8)
        #expect(try follower.look(into: events) { true } == .otherLog)
        #expect(events.fields.isEmpty)
        let again = try self.follower()
        #expect(again.log.processID == 8)
        ftruncate(log.descriptor, 100)
        #expect(try again.look(into: events) { true } == .otherLog)
    }

    @Test("following a log reads what is there of a file that was cut within a segment")
    func cut() throws {
        let follower = try follower()
        log.write((0..<3_000).map { mark(Int64($0)) })
        ftruncate(log.descriptor, off_t(BinaryLogHeader.size + 3 * GrowingLog.segmentSize / 2 + 5))
        _ = try follower.look(into: events) { true }
        #expect(events.fields.count < 3_000)
        #expect(try follower.look(into: events) { true } == .all)
    }

    @Test("following a log begins when the log has")
    func notBegun() throws {
        let log = GrowingLog(isBegun: false)
        #expect(try LogFollower(following: log.descriptor) == nil)
        log.put(Array(repeating: 0, count: 4096), at: 0)
        #expect(try LogFollower(following: log.descriptor) == nil)
        log.writeHeader()
        #expect(try LogFollower(following: log.descriptor) != nil)
    }

    @Test("following a log refuses a file that is not a log, and a log of another version")
    func refusals() throws {
        log.put(Array("{\"traceEvents\":[]}".utf8), at: 0)
        let refusal = #expect(throws: BinaryLogError.self) { try LogFollower(following: log.descriptor) }
        #expect(refusal?.offset == 0)
        log.writeHeader()
        log.put([9], at: 8)
        let newer = #expect(throws: BinaryLogError.self) { try LogFollower(following: log.descriptor) }
        #expect(newer?.isOtherVersion == true)
    }

    @Test("following a log ends for any bytes", arguments: 0..<20)
    func damage(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        for time in 0..<Int64(3_000) { log.write(mark(time), stream: UInt64(time % 3)) }
        let size = try Data(contentsOf: URL(filePath: log.path)).count
        let follower = try follower()
        for _ in 0..<10 {
            for _ in 0..<50 {
                let place = Int.random(in: 640..<size, using: &generator)
                log.put((0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) }, at: place)
                // Where numbers of segments and of texts stand.
                let start =
                    BinaryLogHeader.size + GrowingLog.segmentSize * Int.random(in: 0..<6, using: &generator)
                log.put(
                    [UInt8.random(in: 0...3, using: &generator)],
                    at: start + Int.random(in: 0..<48, using: &generator))
            }
            // It may now look like a merged log, which is reported.
            do { _ = try follower.look(into: events) { true } } catch {
                return #expect(error.reason.contains("merged log"))
            }
        }
        for event in events.fields.suffix(100) { _ = follower.text(event.text) }
    }
}
