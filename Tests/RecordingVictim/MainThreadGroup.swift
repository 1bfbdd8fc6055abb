import Foundation
import Ops
import Synchronization

/// Groups that start on the main thread, in a process whose main thread does what a test's never does: it
/// runs a run loop, or is stuck. `RecordingVictim main-thread-groups` prints what came of them.
enum MainThreadGroup {
    private final class Preparing: GroupOperation, @unchecked Sendable {
        private let title: String

        init(_ title: String) {
            self.title = title
            super.init(name: title, startsOnMainThread: true, recorder: Recorder())
        }

        override func prepare() {
            print(title, "prepares on the main thread", Thread.isMainThread)
            add(BlockOperation { [title] in print(title, "child on the main thread", Thread.isMainThread) })
        }
    }

    /// Counts the events for the end of a group's body.
    private final class EndedBodies: OperationObserver {
        let count = Atomic<Int>(0)

        func enqueued(
            _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
        ) -> Account? {
            operation.details?.name == "watched" ? Account(self) : nil
        }

        final class Account: OperationAccount {
            private let bodies: EndedBodies
            init(_ bodies: EndedBodies) { self.bodies = bodies }
            func bodyEnded() { bodies.count.add(1, ordering: .sequentiallyConsistent) }
        }
    }

    /// The group's child runs until both parts of its body are over.
    private static func observe() {
        let bodies = EndedBodies()
        let registration = OperationObservers.install(bodies)
        defer { registration.remove() }
        let group = GroupOperation(name: "watched", startsOnMainThread: true, recorder: Recorder())
        let (began, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        group.add(
            BlockOperation {
                began.signal()
                go.wait()
            })
        let queue = InstrumentedQueue(recorder: Recorder())
        queue.addOperation(group)
        while began.wait(timeout: .now()) == .timedOut { RunLoop.main.run(until: Date() + 0.01) }
        while bodies.count.load(ordering: .sequentiallyConsistent) == 0 {
            RunLoop.main.run(until: Date() + 0.01)
        }
        go.signal()
        runLoop(until: group)
        print("watched bodies", bodies.count.load(ordering: .sequentiallyConsistent))
    }

    static func run() {
        observe()
        let queue = OperationQueue()
        let queued = Preparing("queued")
        queue.addOperation(queued)
        runLoop(until: queued)

        // Started on the main thread, it starts there and then.
        let byHand = Preparing("by hand")
        byHand.start()
        runLoop(until: byHand)
        let onMainQueue = Preparing("on the main queue")
        OperationQueue.main.addOperation(onMainQueue)
        runLoop(until: onMainQueue)

        // The main thread has no time for them: cancelled or finished by hand, they do not wait for it.
        let cancelled = Preparing("cancelled")
        let finished = Preparing("finished")
        for group in [cancelled, finished] {
            queue.addOperation(group)
            while !group.isExecuting { usleep(100) }
        }
        cancelled.cancel()
        finished.finish()
        queue.waitUntilAllOperationsAreFinished()
        print("stuck", cancelled.isFinished, finished.isFinished, cancelled.failure == nil)
        // It comes to them too late.
        RunLoop.main.run(until: Date() + 0.05)
        print("end")
    }

    private static func runLoop(until operation: Operation) {
        while !operation.isFinished { RunLoop.main.run(until: Date() + 0.01) }
        print(operation.name ?? "", "finished")
    }
}
