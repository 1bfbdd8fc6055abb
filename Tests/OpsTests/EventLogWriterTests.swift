import EventLog
import Foundation
import Inspector
import Testing

@testable import Ops

@Suite("The files of a log")
struct EventLogWriterTests {
    @Test("while it is written, a log can be read, and says that the program is running")
    func live() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        recorder.mark("now")
        let contents = try TraceReader(path: path).events()
        #expect(contents.events.map(\.body) == [.marked("now", by: nil)])
        #expect(
            contents.notes == ["the file does not exist yet; read \(path).optrace instead"]
        )
        #expect(
            contents.losses.first?.hasPrefix(
                "the log was not closed: the program is still running") == true)
        try recorder.stop()
        #expect(try TraceReader(path: path).events().losses == [])
        #expect(!FileManager.default.fileExists(atPath: path + ".optrace"))
    }

    @Test("a binary log stays binary, and says the same")
    func binary() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        #expect(recorder.path == path)
        let queue = InstrumentedQueue(recorder: recorder)
        queue.addOperation(ClosureOperation("one"))
        queue.drain()
        try recorder.stop()
        let trace = try TraceReader(path: path).read()
        #expect(trace.operations.map(\.name) == ["one"] && trace.losses == [])
        #expect(
            trace.header.process == ProcessInfo.processInfo.processName && trace.header.processID == getpid())
        #expect(!trace.header.host.isEmpty && trace.header.start > 1_600_000_000_000_000_000)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try #require(attributes[.size] as? Int) <= 4096 + 7 * 65_536, "what was not used is cut off")
    }

    @Test("a file that is not a log is not replaced")
    func otherFile() throws {
        let path = temporaryPath()
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data("my notes".utf8).write(to: URL(filePath: path))
        #expect { try Recorder().start(writingTo: path) } throws: {
            ($0 as? RecorderError)?.description
                == "\(path): a file of that name is not a trace, so it is not replaced"
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "my notes")
    }

    @Test("a log that is as large as it may be drops the newest events, and counts them")
    func dropsNewest() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path, limit: LogLimit(bytes: 1 << 20))
        for _ in 0..<100_000 { recorder.mark("m") }
        #expect(throws: RecorderError.self) { try recorder.stop() }
        let contents = try TraceReader(path: path).events()
        #expect(contents.events.count > 30_000)
        #expect(UInt64(contents.events.count) + contents.header.droppedEvents == 100_000)
        #expect(
            contents.losses == [
                "the recorder could not write \(Prose.counted(contents.header.droppedEvents, "event"))"
            ])
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(try #require(size) <= 1 << 20)
    }

    @Test("a log that is as large as it may be can keep the latest events, and counts what it overwrote")
    func keepsLatest() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path, limit: LogLimit(bytes: 1 << 20, policy: .keepLatest))
        for number in 0..<100_000 {
            recorder.mark("\(number % 50)")
            // Time for the recorder to make room: without it, it may drop some.
            if number % 5_000 == 0 { usleep(2_000) }
        }
        try? recorder.stop()
        let contents = try TraceReader(path: path).events()
        #expect(contents.events.count > 20_000 && contents.events.count < 60_000)
        #expect(contents.events.last?.body == .marked("49", by: nil) || contents.header.droppedEvents > 0)
        #expect(contents.losses.contains { $0.hasPrefix("only the latest events were kept") })
    }

    @Test("threads that come and go reuse each other's segments")
    func manyThreads() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        for number in 0..<1_000 {
            let ended = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                recorder.mark("\(number)")
                ended.signal()
            }
            ended.expectSignal()
        }
        try recorder.stop()
        let contents = try TraceReader(path: path).events()
        #expect(contents.events.map(\.body) == (0..<1_000).map { .marked("\($0)", by: nil) })
        #expect(Set(contents.events.map(\.thread)).count > 100)
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        #expect(try #require(size) < 1 << 20)
    }

    @Test("a child that was forked records nothing and harms nothing")
    func fork() throws {
        let trace = try recorded { recorder in
            recorder.mark("before")
            let child = forkAndMark(recorder)
            var status: Int32 = 0
            #expect(waitpid(child, &status, 0) == child && status == 0)
            recorder.mark("after")
        }
        #expect(trace.marks.map(\.text) == ["before", "after"])
    }

    @Test(
        "a child that was forked can use operations, whatever other threads of its parent were logging",
        .enabled(if: !Sanitizer.isThread))
    func forkWhileLogging() throws {
        let trace = try recorded { recorder in
            let log = try #require(recorder.writer).reference
            let queue = InstrumentedQueue(recorder: recorder)
            queue.isSuspended = true
            let operation = ClosureOperation("operation")
            queue.addOperation(operation)
            let (isOver, ended) = (Mutexed(false), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) { for _ in 0..<100 { _ = log.writer } }
                ended.signal()
            }
            for _ in 0..<50 {
                let child = forkAnd { operation.cancel() }
                var status: Int32 = 0
                let hasEnded = soon { waitpid(child, &status, WNOHANG) == child }
                #expect(hasEnded && status == 0)
                guard hasEnded else {
                    kill(child, SIGKILL)
                    waitpid(child, &status, 0)
                    break
                }
            }
            isOver.withLock { $0 = true }
            ended.expectSignal()
            queue.isSuspended = false
            queue.drain()
        }
        #expect(trace.operations.map(\.outcome) == [.succeeded])
    }

    @Test("times of several threads come out in their order, in nanoseconds")
    func times() throws {
        let path = temporaryPath() + ".optrace"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        let turn = Mutexed(0)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<500 {
                turn.withLock { turn in
                    recorder.mark("\(turn)")
                    turn += 1
                }
            }
        }
        try recorder.stop()
        let contents = try TraceReader(path: path).events()
        #expect(contents.events.map(\.body) == (0..<2_000).map { .marked("\($0)", by: nil) })
        #expect(zip(contents.events, contents.events.dropFirst()).allSatisfy { $0.time <= $1.time })
    }
}

@Suite("A log without space does no harm")
struct FullDiskTests {
    @Test("events are dropped and counted on a disk that is full, and the program runs on")
    func fullDisk() throws {
        // Only where a small disk can be had.
        guard let disk = SmallDisk(megabytes: 3) else { return }
        let path = disk.path + "/log.optrace"
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        let queue = InstrumentedQueue(recorder: recorder)
        for _ in 0..<40_000 { queue.addOperation {} }
        queue.drain()
        #expect(queue.operationCount == 0)
        let error = #expect(throws: RecorderError.self) { try recorder.stop() }
        #expect(error?.code == .writeFailed)
        let contents = try TraceReader(path: path).events()
        #expect(contents.header.isClosed && contents.header.droppedEvents > 0)
        #expect(
            contents.losses == [
                "the recorder could not write \(Prose.counted(contents.header.droppedEvents, "event"))"
            ])
        #expect(contents.events.count > 50_000)
    }

    @Test("a program whose log is deleted runs on, and the end says so")
    func deletedFile() throws {
        let path = temporaryPath() + ".optrace"
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        try FileManager.default.removeItem(atPath: path)
        let queue = InstrumentedQueue(recorder: recorder)
        for _ in 0..<10_000 { queue.addOperation {} }
        queue.drain()
        #expect { try recorder.stop() } throws: {
            ($0 as? RecorderError)?.description == "\(path): No such file or directory"
        }
    }

    @Test(
        "a log in a folder that must not be written to does not begin, and says why",
        .enabled(if: getuid() != 0))
    func noPermission() throws {
        #expect { try Recorder().start(writingTo: "/proc/1/log.json") } throws: {
            ($0 as? RecorderError)?.code == .cannotCreate
        }
    }
}

/// A file system in memory, of a few megabytes. Takes the rights of root.
private final class SmallDisk {
    let path: String

    init?(megabytes: Int) {
        path = temporaryPath()
        guard mkdir(path, 0o700) == 0 else { return nil }
        guard mount("opviz", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        // At once, also while something of the log is still mapped: MNT_DETACH, which Swift does not see.
        let detach: Int32 = 2
        umount2(path, detach)
        rmdir(path)
    }
}
