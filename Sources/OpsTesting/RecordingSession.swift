import Foundation
import Inspector
import Ops

/// One recording, from the start of a recorder to the trace that it left.
struct RecordingSession {
    private let recorder: Recorder
    private let name: String
    private let path = NSTemporaryDirectory() + "opviz-test-\(UUID().uuidString).json"

    /// - Throws: `RecorderError`, where the recorder is recording already, say.
    init(_ recorder: Recorder, named name: String?) throws {
        self.recorder = recorder
        self.name = name ?? "run"
        try recorder.start(writingTo: path)
    }

    /// Ends it without a trace.
    func discard() {
        try? recorder.stop()
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Ends it.
    ///
    /// - Parameter isDrained: whether all operations finished in time.
    /// - Throws: `StuckRun` where they did not; `RecorderError` and `TraceError` where the log could not be written or read.
    func finish(isDrained: Bool, timeLimit: Duration, at place: CallSite) throws -> RecordedRun {
        defer { try? FileManager.default.removeItem(atPath: path) }
        // Elsewhere where another process writes to a file of that name.
        let path = recorder.path ?? path
        try recorder.stop()
        let log = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let run = RecordedRun(try TraceReader(path: path).read(), named: name, log: log)
        guard isDrained else { throw StuckRun(run, timeLimit: timeLimit, at: place) }
        return run
    }

    /// Blocks until the queues are empty; false where they are not in time.
    static func drain(_ queues: [OperationQueue], within timeLimit: Duration) -> Bool {
        let drained = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            for queue in queues { queue.waitUntilAllOperationsAreFinished() }
            drained.signal()
        }
        let nanoseconds = Int(clamping: timeLimit.components.seconds).multipliedReportingOverflow(
            by: 1_000_000_000)
        return nanoseconds.overflow
            ? drained.wait(timeout: .distantFuture) == .success
            : drained.wait(
                timeout: .now() + .nanoseconds(nanoseconds.partialValue)
                    + .nanoseconds(Int(timeLimit.components.attoseconds / 1_000_000_000))) == .success
    }

    /// The same without a thread of the caller's: operations with tasks may need it.
    static func drained(_ queues: [OperationQueue], within timeLimit: Duration) async -> Bool {
        await withCheckedContinuation { done in
            Thread.detachNewThread { done.resume(returning: drain(queues, within: timeLimit)) }
        }
    }
}
