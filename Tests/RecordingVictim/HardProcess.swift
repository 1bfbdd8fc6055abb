import Foundation
import Ops

/// A process that makes it hard for a recorder: `RecordingVictim small-files LOG`, `closed-output LOG`,
/// `closes-all LOG`; `little-memory LOG MEGABYTES`, where `-` for the log records nothing; or
/// whose recorder has a message that is not read: `complains HOW`.
enum HardProcess {
    static func run(_ how: String, _ path: String) throws {
        switch how {
        case "small-files":
            // Writing a larger file sends a signal that ends the process, unless it is blocked.
            var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
            #if os(Linux)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #else
                setrlimit(RLIMIT_FSIZE, &limit)
            #endif
        case "closed-output": close(STDOUT_FILENO)
        default: break
        }
        let recorder = Recorder()
        if how == "little-memory" { return runWithLittleMemory(recorder, path) }
        try recorder.start(writingTo: path)
        if how == "closes-all" { return try closeAll(recorder) }
        let queue = InstrumentedQueue(recorder: recorder)
        for _ in 0..<20_000 { queue.addOperation {} }
        wait(for: queue)
        print("what the program prints")
        fflush(nil)
        do { try recorder.stop() } catch { FileHandle.standardError.write(Data("\(error)\n".utf8)) }
    }

    private static func runWithLittleMemory(_ recorder: Recorder, _ path: String) {
        #if os(Linux)
            let bytes = (CommandLine.arguments.dropFirst(3).first.flatMap(UInt.init) ?? 0) << 20
            var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
            setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
        #endif
        let say = { (error: any Error) in FileHandle.standardError.write(Data("\(error)\n".utf8)) }
        if path != "-" { do { try recorder.start(writingTo: path) } catch { say(error) } }
        let queue = InstrumentedQueue(recorder: recorder)
        for _ in 0..<4_000 { queue.addOperation {} }
        wait(for: queue)
        print("what the program prints")
        do { try recorder.stop() } catch { say(error) }
    }

    /// Closes what it did not open, as daemons do, and opens files of its own.
    private static func closeAll(_ recorder: Recorder) throws {
        recorder.mark("before")
        for descriptor: Int32 in 3..<64 { close(descriptor) }
        let own = (0..<8).map { _ in open("/dev/null", O_RDWR) }
        let queue = InstrumentedQueue(recorder: recorder)
        for _ in 0..<200_000 { recorder.mark("after") }
        queue.addOperation {}
        wait(for: queue)
        try? recorder.stop()
        guard own.allSatisfy({ fcntl($0, F_GETFD) >= 0 }) else { exit(1) }
    }

    /// Records where `OPVIZ_TRACE` says, which is impossible, while standard error is `how`.
    static func complain(_ how: String) {
        var ends: [Int32] = [0, 0]
        switch how {
        case "full": dup2(open("/dev/full", O_WRONLY), STDERR_FILENO)
        case "gone":
            pipe(&ends)
            dup2(ends[1], STDERR_FILENO)
            close(ends[0])
            close(ends[1])
        case "stuck":
            pipe(&ends)
            _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
            while write(ends[1], how, 1) == 1 {}
            _ = fcntl(ends[1], F_SETFL, 0)
            dup2(ends[1], STDERR_FILENO)
        case "closed": close(STDERR_FILENO)
        default:
            // Of a file that may be no longer, which has the number of standard error.
            close(STDERR_FILENO)
            guard open(how, O_RDWR | O_CREAT, 0o600) == STDERR_FILENO else { exit(2) }
        }
        let queue = InstrumentedQueue()
        queue.addOperation { print("the work is done") }
        wait(for: queue)
        fflush(nil)
        exit(5)
    }

    private static func wait(for queue: OperationQueue) { queue.waitUntilAllOperationsAreFinished() }
}
