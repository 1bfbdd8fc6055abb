import Foundation
import Inspector
import Ops
import Testing

@Suite("Logs that begin and end while operations run on other threads")
struct RestartTests {
    private final class Plain: Operation, @unchecked Sendable {
        override func main() {}
    }

    @Test("each log names only operations that were enqueued in it, and parents that ran in it")
    func restarts() throws {
        let recorder = Recorder()
        let isOver = Mutexed(false)
        let ended = DispatchSemaphore(value: 0)
        let queues = (0..<2).map { _ in InstrumentedQueue(recorder: recorder) }
        for queue in queues {
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) {
                    for _ in 0..<20 {
                        queue.addOperation { queue.addOperation(Plain()) }
                        queue.addOperation(BlockOperation { queue.addOperation(ClosureOperation()) })
                        queue.addOperation(
                            ClosureOperation {
                                queue.addOperation {}
                                $0.finish()
                            })
                        let (plain, own) = (Plain(), ClosureOperation())
                        plain.cancel()
                        own.cancel()
                        queue.addOperation(plain)
                        queue.addOperation(own)
                    }
                    queue.waitUntilAllOperationsAreFinished()
                }
                ended.signal()
            }
        }
        for _ in 0..<20 {
            let path = temporaryPath() + ".optrace"
            defer { try? FileManager.default.removeItem(atPath: path) }
            try recorder.start(writingTo: path)
            usleep(3_000)
            try recorder.stop()
            let contents = try TraceReader(path: path).events()
            var enqueued: Set<OperationID> = []
            var executing: Set<OperationID> = []
            for event in contents.events {
                switch event.body {
                case .enqueued(let enqueue):
                    #expect(enqueued.insert(enqueue.operation).inserted)
                case .executing(let id): executing.insert(id)
                default: break
                }
            }
            for event in contents.events {
                switch event.body {
                case .ready(let id), .executing(let id), .cancelled(let id), .finished(let id, _):
                    #expect(enqueued.contains(id), "\(event)")
                case .enqueued(let enqueue):
                    if let parent = enqueue.parent { #expect(executing.contains(parent), "\(event)") }
                default: break
                }
            }
            #expect(contents.losses == [])
        }
        isOver.withLock { $0 = true }
        for _ in queues { ended.expectSignal() }
    }
}
