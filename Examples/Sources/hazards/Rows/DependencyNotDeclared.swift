import Foundation
import Ops

extension HazardProgram {
    /// Operations of a queue with more than one slot run in the order of adding only as long as nothing holds
    /// the first up: without an edge, the order is luck.
    static let dependencyNotDeclared = HazardProgram(
        id: "dependency-not-declared",
        summary: "only the order of adding says what comes first: the order is luck",
        wrong: {
            let queue = twoSlots()
            let (hasRead, table, read) = (Gate(), Shared<[String]>([]), Shared<[String]?>(nil))
            let write = BlockOperation {
                // A slow disk: the writer is held up until the reader is through.
                hasRead.pass()
                table.value = ["quote"]
            }
            write.name = "write"
            let count = BlockOperation {
                read.value = table.value
                hasRead.open()
            }
            count.name = "count"
            queue.addOperation(write)
            queue.addOperation(count)
            _ = queue.isEmpty()
            return verdict(read.value?.count)
        },
        right: {
            let queue = twoSlots()
            let write = SynchronousOperation(name: "write") { ["quote"] }
            let count = write.then(name: "count") { $0.count }
            queue.addOperations([write, count], waitUntilFinished: false)
            guard queue.isEmpty() else { return .wentWrong("never finished: count") }
            return verdict(try? count.output?.get())
        })

    private static func twoSlots() -> InstrumentedQueue {
        let queue = InstrumentedQueue()
        queue.name = "table"
        queue.maxConcurrentOperationCount = 2
        return queue
    }

    private static func verdict(_ count: Int?) -> Verdict {
        Verdict(count == 1, "counted \(count.map(String.init) ?? "not at all") of 1")
    }
}
