import Foundation
import Synchronization

/// Takes the events of operations, from any thread, and writes them to an event log.
///
/// A recorder is off until it is started, and then costs a queue one atomic read an operation. Queues are given a
/// recorder when they are created; most programs need only `shared`.
public final class Recorder: Sendable {
    /// The recorder of every `InstrumentedQueue` that is not given another.
    ///
    /// On from the first use when the environment variable `OPVIZ_TRACE` names a file; the log is then closed when
    /// the program exits. A file that cannot be created is said in one sentence on standard error, and the program
    /// runs on unrecorded.
    public static let shared = makeShared()

    private let clock: RecorderClock
    private let log = Locked<EventLogWriter?>(nil)
    private let isOn = Atomic(false)

    /// A recorder that is off.
    public init(clock: RecorderClock = .system) {
        self.clock = clock
    }

    /// Whether events are being recorded.
    public var isRecording: Bool { isOn.load(ordering: .relaxed) && !Fork.isChild }

    /// Creates the file and begins to record. A log that stands there already is replaced; where another process is
    /// writing to it, the process ID is appended to the name.
    ///
    /// Operations that are in a queue already are not followed.
    ///
    /// - Parameter path: the name of the JSON log.
    /// - Throws: `RecorderError` when this recorder is recording already, or the file cannot be created.
    public func start(writingTo path: String) throws(RecorderError) {
        try log.withLock { log throws(RecorderError) in
            guard log == nil else {
                throw RecorderError(
                    code: .alreadyRecording, path: path, reason: "this recorder is recording already")
            }
            log = try EventLogWriter(path: path, clock: clock)
        }
        isOn.store(true, ordering: .releasing)
        OpenLogs.closeAtExit(self)
    }

    /// Writes what is still in memory, says in the log that it is complete, and closes it. Does nothing when the
    /// recorder is off. Operations that are still running are followed no further.
    ///
    /// Waits for the disk; not to be called from an operation's own callbacks.
    ///
    /// - Throws: `RecorderError` when not everything could be written; the log then says how much was lost.
    public func stop() throws(RecorderError) {
        isOn.store(false, ordering: .releasing)
        let writer = log.withLock { log in
            defer { log = nil }
            return log
        }
        try writer?.close()
    }

    /// The name of the file being written, which may differ from the one asked for. Nil when the recorder is off.
    public var path: String? { log.withLock { $0?.path } }

    /// The log being written, or nil when nothing is to be recorded.
    var writer: EventLogWriter? {
        guard isRecording else { return nil }
        return log.withLock { $0 }
    }

    private static func makeShared() -> Recorder {
        let recorder = Recorder()
        guard let path = Environment.tracePath else { return recorder }
        do {
            try recorder.start(writingTo: path)
        } catch {
            FileHandle.standardError.write(Data("opviz: cannot record: \(error)\n".utf8))
        }
        return recorder
    }
}
