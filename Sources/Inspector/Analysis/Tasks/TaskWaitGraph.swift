package import InspectorTraces
import WaitDiagnosis

/// Which Swift tasks that have not finished wait for which others at the end of a trace.
package struct TaskWaitGraph: Sendable {
    /// What each of them does.
    let atEnd: WaitingTasks
    /// The tasks that have not finished, as indices into the tasks; ascending.
    package var open: [Int] { atEnd.open }
    /// Those that wait for no other task; and those that await a group which may have children that the log
    /// does not name, because it began later, if everything that they wait for waits for them.
    private(set) var origins: [Int]
    private let count: Int
    private let targets: [Int: [Int]]
    private let sources: [Int: [Int]]

    /// Linear in tasks and runs, except for sorting.
    package init(_ tasks: TraceTasks) {
        count = tasks.entries.count
        atEnd = WaitingTasks(tasks)
        let targets = atEnd.open.isEmpty ? [:] : atEnd.waits().targets
        origins = atEnd.open.filter { targets[$0]?.isEmpty ?? true }
        var sources: [Int: [Int]] = [:]
        for task in atEnd.open {
            for other in targets[task] ?? [] { sources[other, default: []].append(task) }
        }
        (self.targets, self.sources) = (targets, sources)
        let unknown = stuck.filter {
            tasks.entries[$0].created == nil && atEnd.state($0).state == .awaiting(.group)
        }
        if !unknown.isEmpty { origins = (origins + unknown).sorted() }
    }

    /// What waits for no origin waits for a circle.
    private var stuck: [Int] {
        let canGoOn = waiting(for: origins)
        return open.filter { !canGoOn.contains($0) }
    }

    /// The tasks that wait for one of `goals`, directly or through others, and these. Linear.
    func waiting(for goals: [Int]) -> Set<Int> {
        var (found, rest) = (Set(goals), goals)
        while let task = rest.popLast() {
            for source in sources[task] ?? [] where found.insert(source).inserted { rest.append(source) }
        }
        return found
    }

    /// For each group, how many other tasks wait for one of it, directly or through others.
    ///
    /// For every 64 groups linear in the waits: a task has a bit for each of them. Circles, and paths of
    /// different lengths, take up to 64 times as long.
    func counts(waitingFor groups: [[Int]]) -> [Int] {
        var counts = groups.map { -$0.count }
        var reached = [UInt64](repeating: 0, count: groups.isEmpty ? 0 : count)
        var isListed = [Bool](repeating: false, count: reached.count)
        for first in stride(from: 0, to: groups.count, by: 64) {
            var found: [Int] = []
            // In turns: when a task that awaits many has its own, each of them has mostly reached it.
            var list: [Int] = []
            func reach(_ task: Int, _ bits: UInt64) {
                guard reached[task] | bits != reached[task] else { return }
                if reached[task] == 0 { found.append(task) }
                reached[task] |= bits
                if !isListed[task] { list.append(task) }
                isListed[task] = true
            }
            for (bit, group) in groups[first...].prefix(64).enumerated() {
                for task in group { reach(task, 1 << UInt64(bit)) }
            }
            while !list.isEmpty {
                let turn = list
                list.removeAll()
                for task in turn {
                    isListed[task] = false
                    for source in sources[task] ?? [] { reach(source, reached[task]) }
                }
            }
            for task in found {
                var bits = reached[task]
                reached[task] = 0
                while bits != 0 {
                    counts[first + bits.trailingZeroBitCount] += 1
                    bits &= bits - 1
                }
            }
        }
        return counts
    }

    /// Tasks that await each other in a circle, each of them the next one, and the last one the first: none
    /// of them can go on. Of circles that have a task in common, a shortest one. Linear.
    ///
    /// - Parameter blockers: of the same trace. Circles that include operations are in these.
    package func circles(besides blockers: Blockers) -> [[Int]] {
        let stuck = stuck
        if stuck.isEmpty { return [] }
        let components = StrongComponents(count: count, from: stuck) { targets[$0] ?? [] }
        let known = blockers.tasksInCircles
        return components.all.map { components.circle(from: $0[0]) }
            .filter { !$0.isEmpty && known.isDisjoint(with: $0) }
    }
}
