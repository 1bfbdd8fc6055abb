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
        let order = Shared([String]())
        inTask {
            let begun = Gate()
            let background = Task.detached(name: "clean up", priority: .background) {
                await cleanUp(database, begun)
                order.update { $0.append("clean up") }
            }
            await begun.opened()
            await Task.detached(name: "read", priority: .high) {
                await database.read()
                order.update { $0.append("read") }
            }.value
            await background.value
        }
        let isFirst = order.value.first == "read"
        return Verdict(isFirst, isFirst ? "read at once" : "read only when the clean-up had ended")
    }
}

private actor Database {
    private static let steps = 40

    func read() {}

    func cleanUp(_ begun: Gate) {
        begun.open()
        for _ in 0..<Self.steps { Calculation(seconds: 0.02).run() }
    }

    func cleanUpInSteps(_ begun: Gate) async {
        begun.open()
        for _ in 0..<Self.steps {
            Calculation(seconds: 0.02).run()
            await Task.yield()
        }
    }
}
