import Foundation
import Ops

extension HazardProgram {
    /// Swift tasks share about as many threads as there are processors. A task that blocks its thread keeps
    /// it
    /// from all others.
    static let poolBlockedByWaits = HazardProgram(
        id: "pool-blocked-by-waits",
        summary: "tasks wait for answers with a semaphore: no thread is left for the others",
        wrong: {
            answers { answered in
                let semaphore = DispatchSemaphore(value: 0)
                answered { semaphore.signal() }
                wait(for: semaphore)
            }
        },
        right: {
            answers { answered in
                await withCheckedContinuation { continuation in answered { continuation.resume() } }
            }
        })

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    private static func answers(
        _ wait: @escaping @Sendable (@escaping (@escaping @Sendable () -> Void) -> Void) async -> Void
    ) -> Verdict {
        let late = Shared(0.0)
        inTask {
            await withTaskGroup(of: Void.self) { group in
                for page in 0..<2 * ProcessInfo.processInfo.activeProcessorCount {
                    group.addTask(name: "download \(page + 1)") {
                        await wait { completion in
                            DispatchQueue.global().asyncAfter(deadline: .now() + 0.5, execute: completion)
                        }
                    }
                }
                let asked = Date()
                group.addTask(name: "urgent") { late.value = Date().timeIntervalSince(asked) }
            }
        }
        let isInTime = late.value < 0.25
        return Verdict(isInTime, isInTime ? "urgent began at once" : "urgent waited for the downloads")
    }
}
