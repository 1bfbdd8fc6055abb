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
        self.tasks = Set(stays.map { tasks.runs[$0.run].task }).count
        let lasting = stays.filter { $0.start < $0.end }
        let peak = Concurrency.peak(
            starts: lasting.map(\.start), ends: lasting.map(\.end).sortedByDigits { $0 })
        self.peak = stays.isEmpty ? 0 : max(1, peak)
    }
}
