import Foundation
import Ops

extension HazardProgram {
    /// Cancelling a Swift task only sets a flag. A loop that does not look at it goes on.
    static let cancelledTaskGoesOn = HazardProgram(
        id: "cancelled-task-goes-on",
        summary: "a task does not look whether it was cancelled: it calculates to its end",
        wrong: { index { _ in false } },
        right: { index { _ in Task.isCancelled } })

    private static let pages = 75

    private static func index(_ isOver: @escaping @Sendable (Int) -> Bool) -> Verdict {
        let indexed = Shared(0)
        inTask {
            let begun = Gate()
            let index = Task.detached(name: "index") {
                for page in 0..<pages where !isOver(page) {
                    Calculation(seconds: 0.02).run()
                    indexed.update { $0 += 1 }
                    begun.open()
                }
            }
            await begun.opened()
            index.cancel()
            await index.value
        }
        let isStopped = indexed.value < pages
        return Verdict(
            isStopped, isStopped ? "stopped when it was cancelled" : "cancelled, and indexed every page")
    }
}
