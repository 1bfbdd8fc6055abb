import Foundation
import Ops

extension HazardProgram {
    /// A group that keeps the operation which finishes it, whose closure keeps the group, is never freed, nor
    /// is its queue: Foundation keeps the closure of a `BlockOperation` after it has run.
    static let retainCycle = HazardProgram(
        id: "retain-cycle",
        summary: "a finisher's closure captures its group, the group its finisher: never freed",
        wrong: { verdict(remains(after: quietTime) { HandWrittenImport() }) },
        right: {
            verdict(
                remains(after: longEnough) {
                    let group = GroupOperation(name: "import")
                    group.add(BlockOperation {})
                    return group
                })
        })

    /// How many of ten groups still exist after all have finished and have no other references. Waits for
    /// some seconds at most.
    private static func remains(after seconds: Double, _ make: () -> Operation) -> Int {
        let queue = InstrumentedQueue()
        queue.name = "imports"
        var groups: [() -> Operation?] = []
        for _ in 1...10 {
            let group = make()
            queue.addOperation(group)
            groups.append { [weak group] in group }
        }
        _ = queue.isEmpty()
        // Threads that have finished one may hold it for a moment still.
        _ = soon(within: seconds) { groups.allSatisfy { $0() == nil } }
        return groups.count { $0() != nil }
    }

    private static func verdict(_ count: Int) -> Verdict {
        Verdict(count == 0, "never freed: \(count) of 10")
    }
}

private final class HandWrittenImport: AsyncOperation, @unchecked Sendable {
    private let inner = InstrumentedQueue()
    private var finisher: Operation?

    init() {
        super.init("import")
        inner.name = "import"
    }

    override func main() {
        let download = BlockOperation {}
        download.name = "download"
        let finisher = BlockOperation { self.finish() }
        finisher.name = "finisher"
        finisher.addDependency(download)
        self.finisher = finisher
        inner.addOperations([download, finisher], waitUntilFinished: false)
    }
}
