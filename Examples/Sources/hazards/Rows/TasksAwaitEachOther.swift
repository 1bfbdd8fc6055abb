import Foundation
import Ops

extension HazardProgram {
    /// A cache that fills itself through a loader, which asks the cache: each awaits the other's task.
    static let tasksAwaitEachOther = HazardProgram(
        id: "tasks-await-each-other",
        summary: "a loader asks the cache that it fills: two tasks await each other",
        wrong: {
            fill(within: quietTime) { cache in
                _ = await cache.filled()?.value
                return "page"
            }
        },
        right: { fill(within: longEnough) { _ in "page" } })

    private static func fill(
        within seconds: Double, load: @escaping @Sendable (Cache) async -> String
    ) -> Verdict {
        let cache = Cache()
        let isFilled = inTask(within: seconds) { _ = await cache.fill(load).value }
        return Verdict(isFilled, isFilled ? "loaded the page" : "never went on: fill, load")
    }
}

private actor Cache {
    private var filling: Task<String, Never>?

    func filled() -> Task<String, Never>? { filling }

    func fill(_ load: @escaping @Sendable (Cache) async -> String) -> Task<String, Never> {
        let task = Task(name: "fill") {
            await Task.detached(name: "load") { await load(self) }.value
        }
        filling = task
        return task
    }
}
