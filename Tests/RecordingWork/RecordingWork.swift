import Foundation
@_spi(Measuring) import Ops

/// One sort of work, so often, and no clock: which Benchmarks/count-instructions.py counts.
///
///     RecordingWork plain|off|observed|recorded closure|own|block|foreign COUNT
///     RecordingWork plain|off|observed|recorded only-added COUNT
///     RecordingWork plain|off|recorded task COUNT
///     RecordingWork event - COUNT
@main
struct RecordingWork {
    private static let path = NSTemporaryDirectory() + "recording-work-\(getpid()).optrace"

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]) else { exit(64) }
        // The recorder has a thread, and the C library allocates faster in a program that has only one.
        Thread.detachNewThread { while true { sleep(1_000) } }
        let recorder = Recorder()
        atexit { unlink(RecordingWork.path) }
        if arguments[1] != "plain", arguments[2] == "task", !recorder.observeTasks() { exit(69) }
        switch arguments[1] {
        case "event":
            try recorder.start(writingTo: path)
            recorder.appendTransitions(count)
        case "plain": run(OperationQueue(), arguments[2], count)
        case "off": run(InstrumentedQueue(recorder: recorder), arguments[2], count)
        case "observed":
            OperationObservers.install(Idle())
            run(InstrumentedQueue(recorder: recorder), arguments[2], count)
        case "recorded":
            try recorder.start(writingTo: path)
            run(InstrumentedQueue(recorder: recorder), arguments[2], count)
        default: exit(64)
        }
        try recorder.stop()
    }

    /// Empty tasks, which this thread runs.
    private static func runTasks(_ count: Int) {
        let own = OwnThread()
        for _ in 0..<count { Task(executorPreference: own) {} }
        own.run()
    }

    /// All are added before the first one runs, so that threads seldom wait for one another.
    private static func run(_ queue: OperationQueue, _ sort: String, _ count: Int) {
        if sort == "task" { return runTasks(count) }
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        for _ in 0..<count {
            switch sort {
            case "own": queue.addOperation(Own())
            case "block": queue.addOperation(BlockOperation {})
            case "foreign": queue.addOperation(Foreign())
            default: queue.addOperation {}
            }
        }
        // No other thread has taken part: exact to the instruction.
        if sort == "only-added" { exit(0) }
        // Foundation's own wait asks every operation, and takes part in what is counted.
        let last = DispatchSemaphore(value: 0)
        queue.addOperation { last.signal() }
        queue.isSuspended = false
        last.wait()
    }
}

private final class Own: AsynchronousOperation, @unchecked Sendable {
    override func main() { finish() }
}

/// Runs tasks on the thread that created it. `@unchecked Sendable` is sound because no other one uses it.
private final class OwnThread: TaskExecutor, @unchecked Sendable {
    private var jobs: [UnownedJob] = []

    func enqueue(_ job: consuming ExecutorJob) { jobs.append(UnownedJob(job)) }

    func run() {
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        jobs = []
    }
}

private final class Foreign: Operation, @unchecked Sendable {
    override func main() {}
}

/// Is told of everything, and does nothing.
private final class Idle: OperationObserver {
    func enqueued(
        _ operation: WatchedOperation, parent: WatchedOperation?, predecessors: [WatchedOperation]
    ) -> Account? { Account() }

    final class Account: OperationAccount {}
}
