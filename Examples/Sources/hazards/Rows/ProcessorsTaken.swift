import Foundation
import Ops

extension HazardProgram {
    /// Nothing is wrong with the operations: other programs take the processors meanwhile.
    static let processorsTaken = HazardProgram(
        id: "processors-taken",
        summary: "other programs take the processors, so the run is slow and its code is not to blame",
        wrong: {
            let others = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).compactMap { _ in other() }
            defer { for other in others { kill(other.processIdentifier, SIGKILL) } }
            let isDone = calculate()
            return .wentWrong(isDone ? "other programs had the processors" : "not seen: not finished")
        },
        right: { Verdict(calculate(), "the operations had the processors") })

    /// It ends by itself after some seconds, whatever becomes of this program.
    private static func other() -> Process? {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "ulimit -t 10; while :; do :; done"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return (try? process.run()) == nil ? nil : process
    }

    private static func calculate() -> Bool {
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let queue = InstrumentedQueue()
        queue.name = "pictures"
        queue.maxConcurrentOperationCount = processors
        for number in 1...4 * processors {
            queue.addOperation(
                SynchronousOperation(name: "picture \(number)") { Calculation(seconds: 0.15).run() })
        }
        return queue.isEmpty()
    }
}
