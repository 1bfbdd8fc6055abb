import Foundation
import Ops

extension HazardProgram {
    /// A group that adds its steps to the queue it is in, and waits for them in `main()`, keeps a slot that
    /// they need: once groups have taken every slot, nothing runs any more.
    static let groupWaitsOnOwnQueue = HazardProgram(
        id: "group-waits-on-own-queue",
        summary: "groups wait for their children on their own queue: a deadlock when they take every slot",
        wrong: {
            let queue = twoSlots()
            let begun = [Gate(), Gate()]
            for page in 0..<2 {
                queue.addOperation(
                    HandWrittenImport("page \(page + 1)", on: queue) {
                        // Both have begun before either adds a step; else the first may get through.
                        begun[page].open()
                        begun[1 - page].pass()
                    })
            }
            let hasAll = soon { queue.operationCount == 4 }
            let isStuck = hasAll && !queue.isEmpty(within: quietTime)
            return Verdict(!isStuck, isStuck ? "never finished: page 1, page 2" : "not seen: all finished")
        },
        right: {
            let queue = twoSlots()
            for page in 1...2 {
                let group = GroupOperation(name: "page \(page)")
                group.add(download(of: "page \(page)"))
                queue.addOperation(group)
            }
            return Verdict(queue.isEmpty(), "both pages were imported")
        })

    private static func twoSlots() -> InstrumentedQueue {
        let queue = InstrumentedQueue()
        queue.name = "imports"
        queue.maxConcurrentOperationCount = 2
        return queue
    }
}

private func download(of page: String) -> Operation {
    let download = BlockOperation {}
    download.name = "download of \(page)"
    return download
}

private final class HandWrittenImport: Operation, @unchecked Sendable {
    private let queue: OperationQueue
    private let begin: @Sendable () -> Void

    init(_ name: String, on queue: OperationQueue, begin: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.begin = begin
        super.init()
        self.name = name
    }

    override func main() {
        begin()
        queue.addOperations([download(of: name ?? "")], waitUntilFinished: true)
    }
}
