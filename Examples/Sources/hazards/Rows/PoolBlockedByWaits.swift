import Foundation
import Ops

extension HazardProgram {
    /// Swift tasks share about as many threads as there are processors. A task that blocks its thread keeps
    /// it from all others.
    static let poolBlockedByWaits = HazardProgram(
        id: "pool-blocked-by-waits",
        summary: "tasks wait for answers with a semaphore: no thread is left for the others",
        wrong: {
            answers(within: 0.5) { answered in
                let semaphore = DispatchSemaphore(value: 0)
                answered { semaphore.signal() }
                wait(for: semaphore)
            }
        },
        right: {
            answers(within: longEnough) { answered in
                await withCheckedContinuation { continuation in answered { continuation.resume() } }
            }
        })

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    /// Answers come when the urgent task has begun, or after this time.
    private static func answers(
        within seconds: Double,
        _ wait: @escaping @Sendable (@escaping (@escaping @Sendable () -> Void) -> Void) async -> Void
    ) -> Verdict {
        let begun = Gate()
        let isLate = Shared(false)
        inTask {
            await withTaskGroup(of: Void.self) { group in
                for page in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                    group.addTask(name: "download \(page + 1)") {
                        await wait { completion in
                            Thread.detachNewThread {
                                if !begun.pass(within: seconds) { isLate.value = true }
                                completion()
                            }
                        }
                    }
                }
                group.addTask(name: "urgent") { begun.open() }
            }
        }
        return Verdict(
            !isLate.value, isLate.value ? "urgent waited for the downloads" : "urgent began at once")
    }
}
