import Foundation
import Ops
import Synchronization

/// The log of the current benchmark, which is deleted afterwards. It is kept here because a benchmark's end
/// does not receive what its beginning created.
struct TemporaryLog {
    private static let current = Mutex<TemporaryLog?>(nil)

    let path: String
    let recorder = Recorder()

    static func begin(as form: String = "optrace") throws -> TemporaryLog {
        let log = TemporaryLog(path: NSTemporaryDirectory() + "benchmark-\(UUID().uuidString).\(form)")
        try log.recorder.start(writingTo: log.path)
        current.withLock { $0 = log }
        return log
    }

    static func end() {
        let ended = current.withLock { log in
            defer { log = nil }
            return log
        }
        guard let ended else { return }
        try? ended.recorder.stop()
        unlink(ended.path)
    }

    private init(path: String) { self.path = path }

    func runOperations(_ count: Int) {
        let queue = InstrumentedQueue(recorder: recorder)
        for _ in 0..<count { queue.addOperation {} }
        queue.waitUntilAllOperationsAreFinished()
    }
}
