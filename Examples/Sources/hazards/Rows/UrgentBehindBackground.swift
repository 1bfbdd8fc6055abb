import Foundation
import Ops

extension HazardProgram {
    /// A task that has an actor keeps it until it awaits something, however urgent the tasks are that wait.
    static let urgentBehindBackground = HazardProgram(
        id: "urgent-behind-background",
        summary: "an urgent read waits for the actor that a background task keeps busy",
        wrong: { read { database, begun in await database.cleanUp(begun) } },
        right: { read { database, begun in await database.cleanUpInSteps(begun) } })

    private static func read(_ cleanUp: @escaping @Sendable (Database, Gate) async -> Void) -> Verdict {
        let database = Database()
        let isBehind = Shared(false)
        inTask {
            let begun = Gate()
            let background = Task.detached(name: "clean up", priority: .background) {
                await cleanUp(database, begun)
            }
            await begun.opened()
            await Task.detached(name: "read", priority: .high) {
                isBehind.value = await database.read()
            }.value
            await background.value
        }
        return Verdict(
            !isBehind.value, isBehind.value ? "read only when the clean-up had ended" : "read at once")
    }
}

private actor Database {
    private static let steps = 40

    private var isClean = false

    /// Whether the clean-up has ended.
    func read() -> Bool { isClean }

    func cleanUp(_ begun: Gate) {
        begun.open()
        for _ in 0..<Self.steps { Calculation(seconds: 0.02).run() }
        isClean = true
    }

    func cleanUpInSteps(_ begun: Gate) async {
        begun.open()
        for _ in 0..<Self.steps {
            Calculation(seconds: 0.02).run()
            await Task.yield()
        }
        isClean = true
    }
}
