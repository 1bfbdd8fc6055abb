import EventLog
import Foundation
import Inspector
import Ops

/// One recording, from the start of a recorder to the resulting trace.
struct RecordingSession {
    private let recorder: Recorder
    private let name: String
    /// The task of the test, if its tasks are recorded.
    private let body: OperationID?
    private let path = NSTemporaryDirectory() + "opviz-test-\(UUID().uuidString).json"

    /// Enough for 25,000 operations. A test often adds its operations all at once, and must not wait for
    /// space meanwhile.
    private static let reserve: UInt64 = 4 << 20

    /// - Throws: `RecorderError`, for example if the recorder is already recording; `UnobservableTasks`.
    init(_ recorder: Recorder, named name: String?, tasks: Bool = false) throws {
        body = tasks && recorder.observeTasksItself() ? Recorder.currentTask : nil
        if tasks, body == nil { throw UnobservableTasks.isImpossible }
        self.recorder = recorder
        self.name = name ?? "run"
        try recorder.start(writingTo: path, reserve: Self.reserve)
    }

    /// Ends the recording without a trace.
    func discard() {
        try? recorder.stop()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Ends the recording.
    ///
    /// - Parameter isDrained: whether all operations finished in time.
    /// - Throws: `StuckRun` if they did not; `RecorderError` and `TraceError` if the log could not be written
    ///   or read.
    func finish(isDrained: Bool, timeLimit: Duration, at place: CallSite) throws -> RecordedRun {
        defer { try? FileManager.default.removeItem(atPath: path) }
        // The recorder uses another path if another process writes to that file.
        let path = recorder.path ?? path
        try recorder.stop()
        let log = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let run = RecordedRun(try trace(path), named: name, log: log)
        guard isDrained else { throw StuckRun(run, timeLimit: timeLimit, at: place) }
        return run
    }

    private func trace(_ path: String) throws -> Trace {
        let reader = TraceReader(path: path)
        guard let body else { return try reader.read() }
        let contents = try reader.events()
        return Trace(OwnTasks(of: body, in: contents.events).only(contents))
    }

    /// Waits until the queues are empty, without blocking the caller's thread: operations with tasks may need
    /// it. Returns false if they are not empty in time.
    static func drained(_ queues: [OperationQueue], within timeLimit: Duration) async -> Bool {
        // A wait of centuries would overflow.
        let nanoseconds = min(max(0, timeLimit.nanosecondsClamped), 1 << 60)
        return await withCheckedContinuation { done in
            Thread.detachNewThread {
                let drained = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    for queue in queues { queue.waitUntilAllOperationsAreFinished() }
                    drained.signal()
                }
                let result = drained.wait(timeout: .now() + .nanoseconds(Int(nanoseconds)))
                done.resume(returning: result == .success)
            }
        }
    }
}
