import InspectorColumns
package import InspectorTraces

/// How many Swift tasks ran on the executors of a name, and how many at once. Actors have the name of their
/// type, and each runs one task at a time: several at once ran on several actors.
package struct ExecutorUse: Sendable {
    /// Tasks that ran there at any time.
    package let tasks: Int
    /// The most that ran there at the same time. A task that is suspended does not run.
    package let peak: Int

    /// Linear in runs and moves, except for sorting.
    package init(of name: String, _ tasks: TraceTasks) {
        let isNamed = tasks.executors.map { $0.name == name }
        let stays = ExecutorTenures.stays(tasks) { _, executor in executor >= 0 && isNamed[Int(executor)] }
        let ends = stays.map(\.end).sortedByDigits { $0 }
        var (peak, ended) = (0, 0)
        for (began, stay) in stays.enumerated() {
            while ended < ends.count, ends[ended] <= stay.start { ended += 1 }
            peak = max(peak, began + 1 - ended)
        }
        self.tasks = Set(stays.map { tasks.runs[$0.run].task }).count
        self.peak = stays.isEmpty ? 0 : max(1, peak)
    }
}
