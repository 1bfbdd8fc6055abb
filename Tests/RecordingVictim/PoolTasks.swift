import Foundation
import Ops
import Synchronization

/// As many Swift tasks as processors keep their threads while others are ready. Prints what snapshots say of
/// the pool: `blocked` until one names it; for a second, `calculating`, where one of the tasks does not
/// block, and `unobserved`, where nobody observes tasks. Then the snapshot after all have gone on.
enum PoolTasks {
    private static let isOver = Atomic(false)

    static func run(_ mode: String, writingTo path: String) throws {
        let recorder = Recorder()
        try recorder.start(writingTo: path)
        guard mode == "unobserved" || recorder.observeTasks() else { exit(1) }
        let count = ProcessInfo.processInfo.activeProcessorCount
        let (begun, goOn, ran) = (
            DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        for number in 1...count {
            Task.detached(name: "holder \(number)") {
                begun.signal()
                if mode == "calculating" && number == count {
                    while !isOver.load(ordering: .relaxed) {}
                } else {
                    wait(for: goOn)
                }
            }
        }
        for _ in 1...count { begun.wait() }
        for number in 1...3 { Task.detached(name: "ready \(number)") { ran.signal() } }
        let queue = InstrumentedQueue(recorder: recorder)
        if mode == "blocked" {
            var snapshot = queue.snapshot()
            // A test that would hang fails instead.
            let hang = Date() + 300
            while snapshot.blockedPool == nil {
                guard Date() < hang else { exit(1) }
                usleep(20_000)
                snapshot = queue.snapshot()
            }
            print(snapshot)
            for holder in snapshot.blockedPool?.holders ?? [] {
                print(holder.name, holder.thread, holder.task.isTask, holder.time > .milliseconds(500))
            }
            let pool = snapshot.blockedPool
            print(pool?.readyCount ?? 0, pool?.longestWait ?? .zero >= .milliseconds(500))
        } else {
            let end = Date() + 1
            while Date() < end {
                if let found = queue.snapshot().blockedPool { print(found) }
                usleep(20_000)
            }
        }
        isOver.store(true, ordering: .relaxed)
        for _ in 1...count { goOn.signal() }
        for _ in 1...3 { ran.wait() }
        print(queue.snapshot())
        try recorder.stop()
    }

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
}
