import Foundation
import Inspector
import Ops
import Testing

@Suite("The file of a log is private")
final class LogFileTests {
    private let folder: String

    init() throws {
        folder = temporaryPath()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func status(_ name: String) throws -> stat {
        var status = stat()
        try #require(lstat(name, &status) == 0, "\(name)")
        return status
    }

    /// A log that was written before.
    private func oldLog(at path: String, mode: mode_t) throws {
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        recorder.mark("old")
        try recorder.stop()
        chmod(path, mode)
    }

    @Test(
        "a log file that others may have opened is replaced, and not written to", arguments: [0o644, 0o660])
    func otherMode(mode: mode_t) throws {
        let path = folder + "/log.optrace"
        try oldLog(at: path, mode: mode)
        let before = try status(path)
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        recorder.mark("new")
        try recorder.stop()
        let after = try status(path)
        #expect(after.st_ino != before.st_ino)
        #expect(after.st_mode & 0o777 == 0o600)
        #expect(try TraceReader(path: path).read().marks.map(\.text) == ["new"])
    }

    @Test("a log file that has another name keeps its content under that name")
    func otherName() throws {
        let path = folder + "/log.optrace"
        try oldLog(at: path, mode: 0o600)
        try #require(link(path, folder + "/kept.optrace") == 0)
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        recorder.mark("new")
        try recorder.stop()
        #expect(try TraceReader(path: path).read().marks.map(\.text) == ["new"])
        #expect(try TraceReader(path: folder + "/kept.optrace").read().marks.map(\.text) == ["old"])
    }

    @Test(
        "a log file of another user is refused, empty or not",
        .enabled(if: getuid() == 0), arguments: [true, false])
    func otherOwner(isEmpty: Bool) throws {
        let path = folder + "/log.optrace"
        if isEmpty {
            try Data().write(to: URL(filePath: path))
        } else {
            try oldLog(at: path, mode: 0o600)
        }
        try #require(chown(path, 12_345, 12_345) == 0)
        #expect { try Recorder().start(writingTo: path) } throws: {
            ($0 as? RecorderError)?.description
                == "\(path): a file of that name belongs to another user, and is not replaced"
        }
        #expect(try status(path).st_uid == 12_345)
    }

    @Test("a renamed log file is not looked for under its name: a FIFO there stays, without a wait")
    func fifo() throws {
        let path = folder + "/log.json"
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        recorder.mark("mine")
        let spool = path + ".optrace"
        try #require(rename(spool, folder + "/mine.optrace") == 0)
        try #require(mkfifo(spool, 0o600) == 0)
        #expect(throws: RecorderError.self) { try recorder.stop() }
        #expect(try status(spool).st_mode & S_IFMT == S_IFIFO)
        #expect(try TraceReader(path: folder + "/mine.optrace").read().marks.map(\.text) == ["mine"])
    }

    @Test("another log that has a log's name by then is neither read nor removed")
    func otherLog() throws {
        let path = folder + "/log.json"
        let (mine, other) = (Recorder(), Recorder())
        try mine.start(writingTo: path)
        mine.mark("mine")
        try #require(rename(path + ".optrace", folder + "/mine.optrace") == 0)
        try other.start(writingTo: path)
        other.mark("other")
        #expect { try mine.stop() } throws: {
            ($0 as? RecorderError)?.description
                == "\(path).optrace: the log was renamed, and another file has its name; no JSON was "
                + "made of it"
        }
        try other.stop()
        #expect(try TraceReader(path: path).read().marks.map(\.text) == ["other"])
        #expect(try TraceReader(path: folder + "/mine.optrace").read().marks.map(\.text) == ["mine"])
    }

    @Test("a child that was forked and stops the recorder leaves it to its parent")
    func forkedStop() throws {
        let path = folder + "/log.json"
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        recorder.mark("before")
        let child = forkAndStop(recorder)
        var status: Int32 = 0
        #expect(waitpid(child, &status, 0) == child && status == 0)
        #expect(FileManager.default.fileExists(atPath: path + ".optrace"))
        // It also still holds the lock.
        let second = Recorder()
        try second.start(writingTo: path)
        #expect(second.path == "\(path).\(getpid())")
        try second.stop()
        recorder.mark("after")
        try recorder.stop()
        #expect(try TraceReader(path: path).read().marks.map(\.text) == ["before", "after"])
    }
}
