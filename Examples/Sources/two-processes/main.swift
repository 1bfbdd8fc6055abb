import Foundation
import Ops

let queue = InstrumentedQueue()

if CommandLine.arguments.contains("--count") {
    // The child: what it does is caused by the operation whose TRACEPARENT it inherits.
    queue.name = "counting"
    for part in 1...3 {
        let count = Count()
        count.name = "count \(part)"
        queue.addOperation(count)
    }
} else {
    queue.name = "main program"
    let helper = AskHelper()
    helper.name = "ask helper"
    queue.addOperation(helper)
}
queue.waitUntilAllOperationsAreFinished()

final class Count: Operation, @unchecked Sendable {
    override func main() { Thread.sleep(forTimeInterval: 0.01) }
}

/// Runs this program again, as a process of its own.
final class AskHelper: Operation, @unchecked Sendable {
    override func main() {
        let process = Process()
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["--count"]
        process.environment = ProcessInfo.processInfo.environment
        process.environment?["TRACEPARENT"] = Recorder.shared.traceparent(of: self)
        try? process.run()
        process.waitUntilExit()
    }
}
