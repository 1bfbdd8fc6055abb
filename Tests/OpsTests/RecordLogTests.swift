import CLogFormat
import CRecorder
import EventLog
import Foundation
import Inspector
import Testing

@_spi(Measuring) @testable import Ops

@Suite("What a log counts as lost")
struct RecordLogTests {
    @Test("what a log counts as lost is nothing that comes after its end")
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

    @Test("a log counts nothing as lost that comes when it is gone, not even the location of a closure")
    func whenGone() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func sealed() throws -> LogReference {
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
            let log = try RecordLog(descriptor: descriptor, clock: .system, limit: nil, reserve: 0)
            close(try log.seal())
            return log.reference
        }
        let gone = try sealed()
        let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
        gone.append(.executing, subject: 1)
        let code = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "malloc")
        _ = recorder_append_enqueue(gone.log, gone.number, 1, 0, 0, code, true)
        #expect(!gone.isOpen)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == size)
    }

    @Test("closures for whose kind a log has no room are not logged as plain ones")
    func kindOfClosures() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        let log = try RecordLog(descriptor: descriptor, clock: .system, limit: nil, reserve: 0)
        var queue = recorder_queue(
            log: log.log, log_id: log.number, identifier: 1, closure_kind: 0, earlier: nil)
        var time: LogTime = 0
        #expect(recorder_enqueue_closure(&queue, 0, nil, &time) == 0)
        recorder_set_closure_kind(&queue, log.closureKind)
        #expect(recorder_enqueue_closure(&queue, 0, nil, &time) != 0)
        close(try log.seal())
    }

    #if os(Linux)
        /// As when more threads calculate than there are processors, each of which records.
        @Test("nothing is lost where threads need room, and the log's own thread gets no processor")
        func withoutProcessor() throws {
            let path = temporaryPath() + ".optrace"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
            let earlier = RecorderThreads.all()
            let log = try RecordLog(descriptor: descriptor, clock: .system, limit: nil, reserve: 0)
            // Those of other tests may end meanwhile.
            try #require(
                soon { RecorderThreads.all().subtracting(earlier).contains { RecorderThreads.starve($0) } })
            let busy = try RecorderThreads.run("taskset -p -c 0 $$; while :; do :; done")
            defer { busy.terminate() }
            // Each keeps a segment as long as it lives, and the log begins with fewer.
            let threads = 200
            let done = DispatchSemaphore(value: 0)
            let end = DispatchSemaphore(value: 0)
            for thread in 1...threads {
                Thread.detachNewThread {
                    log.reference.append(.suspended, subject: UInt64(thread))
                    done.signal()
                    end.wait()
                }
            }
            for _ in 1...threads { done.wait() }
            #expect(log.dropped == 0)
            for _ in 1...threads { end.signal() }
            busy.terminate()
            close(try log.seal())
            #expect(try TraceReader(path: path).events().events.count == threads)
        }
    #endif

    @Test(
        "every event for which there was no room is lost, also waits and times known as intervals",
        .whereClassesAreObserved)
    func withoutRoom() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        /// What is logged after `prepare` was called: how many events, and how many are counted as dropped.
        func run(_ prepare: (Recorder) -> Void) throws -> (events: Int, dropped: UInt64) {
            let recorder = Recorder()
            // Which bodies are measured depends on how long others of their kind took, so on the machine.
            try recorder.start(
                writingTo: path, limit: LogLimit(bytes: 1 << 20), readsThreadClocks: false)
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
            // Not `drain`: a thread that finds a queue empty does not wait for it, and logs no wait.
            #expect(soon { queue.operationCount == 0 })
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

#if os(Linux)
    /// The threads that fill the reserves of logs.
    private enum RecorderThreads {
        static func all() -> Set<String> {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return Set(
                threads.filter {
                    let name = try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)
                    return name == "opviz recorder\n"
                })
        }

        /// Leaves it one processor, and of that what no other thread wants. Returns false if it has ended.
        static func starve(_ thread: String) -> Bool {
            guard let change = try? run("taskset -p -c 0 \(thread) && chrt --idle -p 0 \(thread)") else {
                return false
            }
            change.waitUntilExit()
            return change.terminationStatus == 0
        }

        static func run(_ command: String) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", command]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
    }
#endif
