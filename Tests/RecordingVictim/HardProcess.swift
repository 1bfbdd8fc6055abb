import Foundation
import Ops

/// A process that makes it hard for a recorder: `RecordingVictim small-files LOG`, `closed-output LOG`, `closes-all LOG`;
/// `little-memory LOG MEGABYTES`, where `-` for the log records nothing.
enum HardProcess {
    static func run(_ how: String, _ path: String) throws {
        switch how {
        case "small-files":
            // A larger file is a signal that ends a process, where nobody holds it back.
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

    private static func wait(for queue: OperationQueue) { queue.waitUntilAllOperationsAreFinished() }
}
