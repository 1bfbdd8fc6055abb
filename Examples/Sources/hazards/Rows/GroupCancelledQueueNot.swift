import Foundation
import Ops

extension HazardProgram {
    /// Cancelling an operation does nothing to a queue that it keeps: the children of a hand-written group
    /// run on, unless its `cancel()` is passed on to them.
    static let groupCancelledQueueNot = HazardProgram(
        id: "group-cancelled-queue-not",
        summary: "a group is cancelled, its inner queue is not: the work goes on",
        wrong: {
            let steps = Steps()
            return run(HandWrittenImport(steps.operations), steps)
        },
        right: {
            let steps = Steps()
            let group = GroupOperation(name: "import", maxConcurrentOperationCount: 1)
            for step in steps.operations { group.add(step) }
            return run(group, steps)
        })

    /// Cancels the group while its first step runs.
    private static func run(_ group: Operation, _ steps: Steps) -> Verdict {
        let queue = InstrumentedQueue()
        queue.name = "imports"
        queue.addOperation(group)
        steps.began.pass()
        group.cancel()
        // The download ends noticeably later: of a few microseconds on different threads, nothing could be
        // proven.
        usleep(1_000)
        steps.gate.open()
        guard queue.isEmpty() else { return .wentWrong("never finished: import") }
        let hasStored = steps.hasStored.value
        return Verdict(
            !hasStored, "cancelled, and \(hasStored ? "stored all the same" : "nothing was stored")")
    }
}

/// A download that is still running when the group is cancelled, and what would be done with it.
private struct Steps {
    let began = Gate()
    let gate = Gate()
    let hasStored = Shared(false)
    let operations: [Operation]

    init() {
        let download = BlockOperation { [began, gate] in
            began.open()
            gate.pass()
        }
        download.name = "download"
        let store = BlockOperation { [hasStored] in hasStored.value = true }
        store.name = "store"
        operations = [download, store]
    }
}

private final class HandWrittenImport: AsyncOperation, @unchecked Sendable {
    private let inner = InstrumentedQueue()
    private let steps: [Operation]

    init(_ steps: [Operation]) {
        self.steps = steps
        super.init("import")
        inner.name = "import"
        inner.maxConcurrentOperationCount = 1
    }

    override func main() {
        let finisher = BlockOperation { self.finish() }
        finisher.name = "finisher"
        for step in steps { finisher.addDependency(step) }
        inner.addOperations(steps + [finisher], waitUntilFinished: false)
    }
}
