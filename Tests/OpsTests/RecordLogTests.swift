import CLogFormat
import EventLog
import Foundation
import Inspector
import Testing

@_spi(Measuring) @testable import Ops

@Suite("What a log counts as lost")
struct RecordLogTests {
    @Test("is nothing that comes after its end")
    func afterTheEnd() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        let log = try RecordLog(descriptor: descriptor, clock: .system, limit: nil, reserve: 0)
        // This thread's segment has room for more.
        log.reference.append(.suspended, subject: 1)
        close(try log.seal())
        log.reference.append(.suspended, subject: 1)
        #expect(log.number(of: "later") == 0)
        #expect(log.dropped == 0)
        #expect(try TraceReader(path: path).events().losses == [])
    }

    @Test(
        "is every event there was no room for, waits and times that are known as intervals too",
        .whereClassesAreObserved)
    func withoutRoom() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        /// What is logged after `prepare` was called: how many events, and how many are counted as dropped.
        func run(_ prepare: (Recorder) -> Void) throws -> (events: Int, dropped: UInt64) {
            let recorder = Recorder()
            try recorder.start(writingTo: path, limit: LogLimit(bytes: 1 << 20))
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            let aborted = AbortedOperation()
            let operation = ForeignOperation("operation") {
                #expect(soon { "\(queue.snapshot())".contains("blocks its thread until operation finishes") })
            }
            queue.addOperations(
                [aborted, operation, ForeignOperation { operation.waitUntilFinished() }],
                waitUntilFinished: false)
            prepare(recorder)
            let before = recorder.droppedEvents
            aborted.abort()
            queue.isSuspended = false
            queue.drain()
            let dropped = recorder.droppedEvents - before
            try? recorder.stop()
            let events = try TraceReader(path: path).events().events
            try FileManager.default.removeItem(atPath: path)
            return (events.reversed().prefix { $0.body != .marked("prepared", by: nil) }.count, dropped)
        }
        let expected = try run { $0.mark("prepared") }
        let full = try run { recorder in
            while recorder.droppedEvents == 0 { recorder.mark("prepared") }
        }
        #expect(expected.dropped == 0 && full.events == 0)
        #expect(full.dropped == UInt64(expected.events))
    }
}

/// Cancels itself by a direct call: the recorder sees later that it was cancelled, at some time since its
/// enqueue.
private final class AbortedOperation: Operation, @unchecked Sendable {
    func abort() { super.cancel() }
}
