import Foundation
import Ops

extension HazardProgram {
    /// A function that returns before the task that it created has ended: nobody waits for that, and the end
    /// of the program cuts it off.
    static let taskOutlivesItsFunction = HazardProgram(
        id: "task-outlives-its-function",
        summary:
            "a function returns before the task that saves has ended: the program ends, nothing is saved",
        wrong: {
            save { disk in
                Task(name: "save") { await disk.save(after: .seconds(longEnough)) }
            }
        },
        right: {
            save { disk in
                await Task(name: "save") { await disk.save(after: .milliseconds(10)) }.value
            }
        })

    private static func save(_ save: @escaping @Sendable (Disk) async -> Void) -> Verdict {
        let disk = Disk()
        inTask { await save(disk) }
        // What the program still does before it ends.
        Thread.sleep(forTimeInterval: quietTime)
        return Verdict(disk.isSaved.value, disk.isSaved.value ? "saved" : "ended, and had not saved")
    }
}

private struct Disk: Sendable {
    let isSaved = Shared(false)

    func save(after time: Duration) async {
        try? await Task.sleep(for: time)
        isSaved.value = true
    }
}
