import Foundation
import Ops

/// Records marks on several threads, as fast as it can, and says of each when its recording has returned:
/// eight bytes on standard output, the thread in the lowest and the number of the mark in the others.
///
///     RecordingVictim LOG THREADS
///
/// Or records every queue of its process: `RecordingVictim every-queue LOG`; or goes to another folder while
/// it records: `RecordingVictim elsewhere LOG`; or records where `OPVIZ_TRACE` says, and starts a child that
/// does so too: `RecordingVictim parent`, or `RecordingVictim cause`, where an operation does. `Service`
/// executes commands; `EndlessTasks`, `PoolTasks`, `Circles`, `HardProcess`, `Measured`,
/// `MainThreadGroup` and `Kinds` have more.
@main
struct Victim {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments[1] == "parent" { return try recordBesideChild() }
        if arguments[1] == "cause" { return runChildInOperation() }
        if arguments[1] == "tasks" { return try EndlessTasks.run(writingTo: arguments[2]) }
        if arguments[1] == "pool" { return try PoolTasks.run(arguments[2], writingTo: arguments[3]) }
        if arguments[1] == "circle" { return try Circles.run(arguments[2], writingTo: arguments[3]) }
        if arguments[1] == "service" { return Service.run() }
        if arguments[1] == "kinds" { return Kinds.run() }
        if arguments[1] == "measured" { return Measured.run(arguments[2]) }
        if arguments[1] == "main-thread-groups" { return MainThreadGroup.run() }
        if arguments[1] == "child" { return run((0..<1_000).map { "child \($0)" }) }
        if ["small-files", "closed-output", "closes-all", "little-memory"].contains(arguments[1]) {
            return try HardProcess.run(arguments[1], arguments[2])
        }
        if arguments[1] == "complains" { return HardProcess.complain(arguments[2]) }
        let recorder = Recorder()
        if arguments[1] == "elsewhere" {
            try recorder.start(writingTo: arguments[2])
            guard FileManager.default.changeCurrentDirectoryPath("/") else { exit(1) }
            return try recorder.stop()
        }
        if arguments[1] == "every-queue" { return try recordEveryQueue(recorder, arguments[2]) }
        try recorder.start(writingTo: arguments[1])
        for thread in 0..<(Int(arguments[2]) ?? 1) {
            Thread.detachNewThread { mark(recorder, UInt64(thread)) }
        }
        while true { sleep(100) }
    }

    private static func recordEveryQueue(_ recorder: Recorder, _ path: String) throws {
        let there = OperationQueue()
        there.name = "there"
        try recorder.start(writingTo: path)
        guard recorder.observeAllQueues() else { exit(1) }
        let later = OperationQueue()
        later.name = "later"
        let instrumented = InstrumentedQueue(recorder: recorder)
        instrumented.name = "instrumented"
        for (name, queue) in [("there", there), ("later", later), ("instrumented", instrumented)] {
            let operation = BlockOperation {}
            operation.name = name
            queue.addOperations([operation], waitUntilFinished: true)
        }
        let last = BlockOperation {}
        last.name = "main"
        OperationQueue.main.addOperation(last)
        while !last.isFinished { RunLoop.main.run(until: Date() + 0.01) }
        try recorder.stop()
    }

    private static func recordBesideChild() throws {
        run(["before"])
        let child = Process()
        child.executableURL = Bundle.main.executableURL
        child.arguments = ["child"]
        try child.run()
        run(["while"])
        child.waitUntilExit()
        run(["after"])
        guard child.terminationStatus == 0 else { exit(1) }
    }

    private static func runChildInOperation() {
        let queue = InstrumentedQueue()
        let spawn = Spawn()
        spawn.name = "spawn"
        if let cause = ProcessInfo.processInfo.environment["CAUSE_OF_SPAWN"] {
            Recorder.shared.addRemoteCause(cause, to: spawn)
        }
        queue.addOperation(spawn)
        queue.waitUntilAllOperationsAreFinished()
    }

    private final class Spawn: Operation, @unchecked Sendable {
        override func main() {
            Recorder.shared.mark("spawning")
            let child = Process()
            child.executableURL = Bundle.main.executableURL
            child.arguments = ["child"]
            child.environment = ProcessInfo.processInfo.environment
            child.environment?["TRACEPARENT"] = Recorder.shared.traceparent(of: self)
            do { try child.run() } catch { exit(1) }
            child.waitUntilExit()
            guard child.terminationStatus == 0 else { exit(1) }
        }
    }

    /// Runs operations on a queue that records where the environment says.
    private static func run(_ names: [String]) {
        let queue = InstrumentedQueue()
        for name in names {
            let operation = Named()
            operation.name = name
            queue.addOperation(operation)
        }
        queue.waitUntilAllOperationsAreFinished()
    }

    /// Exact however others are observed.
    private final class Named: AsynchronousOperation, @unchecked Sendable {
        override func main() { finish() }
    }

    private static func mark(_ recorder: Recorder, _ thread: UInt64) {
        var number: UInt64 = 0
        while true {
            number += 1
            recorder.mark("\(thread) \(number % 1000)")
            var report = (number << 8 | thread).littleEndian
            guard write(STDOUT_FILENO, &report, 8) == 8 else { return }
        }
    }
}
