import InspectorColumns

/// What operations waited for while they executed: their children, what they blocked their thread for, and
/// the task that finished them. Of tasks among them: what ended each of their waits (``TaskWaits``).
///
/// That a parent waited for a child that finished before it is an assumption. If it is wrong, some of the
/// parent's own work is attributed to the child; never more than the child's lifetime.
package struct ExecutionWaits: Sendable {
    /// Grouped by operation, ordered by time.
    private let entries: [Entry]
    private let byOperation: Grouping
    /// For each process, what the program waited for outside of operations, ordered by time.
    private let ofProgram: [Int: [Entry]]

    package struct Entry: Sendable {
        /// When the wait ended. Nanoseconds since the start of the trace.
        package let moment: Int64
        /// What ended it, as an index into the trace's operations.
        package let operation: Int
        package let reason: DelayChain.Reason
        /// How long a task waited, in nanoseconds; 0 for an operation.
        package var length: Int64 = 0
    }

    /// Cost: nearly linear in operations and blocking waits.
    init(_ analysis: TraceAnalysis) {
        let trace = analysis.trace
        let transitions = analysis.timings.transitions
        var all: [(waiting: Int, entry: Entry)] = []
        var program: [Int: [Entry]] = [:]
        let childWaits = ChildWaits(trace)
        for (index, parent) in trace.operations.store.columns.parents.values.enumerated() {
            let parent = Int(parent)
            guard parent != index, transitions.indices.contains(parent), trace.task(parent) == nil,
                let line = transitions[index],
                let waiting = transitions[parent], line.end > waiting.start, line.end <= waiting.end,
                childWaits.waited(waiting, parent, for: line),
                line.isFinished || analysis.blockers[parent] != nil
            else { continue }
            all.append((parent, Entry(moment: line.end, operation: index, reason: .child)))
        }
        let queues = trace.blockingWaits.isEmpty ? nil : QueueFinishes(analysis)
        for wait in trace.blockingWaits {
            let end = TraceMoment.bounded(wait.end ?? .max)
            let ended: (moment: Int64, operation: Int)? =
                switch wait.target {
                case .operation(let index):
                    transitions.indices.contains(index)
                        ? transitions[index].map { (min($0.end, end), index) } : nil
                case .queue(let queue):
                    queues?.last(on: queue, after: wait.start, by: end, besides: wait.operation)
                }
            guard let ended, ended.moment > wait.start else { continue }
            let entry = Entry(moment: ended.moment, operation: ended.operation, reason: .blockingWait)
            if let waiting = wait.operation {
                guard transitions.indices.contains(waiting), let line = transitions[waiting],
                    waiting != ended.operation, entry.moment > line.start, entry.moment <= line.end
                else { continue }
                all.append((waiting, entry))
            } else {
                program[wait.process, default: []].append(entry)
            }
        }
        if let waits = TaskWaits(trace, transitions) { Self.add(waits, transitions, to: &all) }
        // Among waits that ended together, the last one in the log comes first.
        let order = all.indices.reversed().map { all[$0] }.sortedByDigits(\.entry.moment)
        byOperation = Grouping(order.lazy.map(\.waiting), groups: all.isEmpty ? 0 : transitions.count)
        entries = byOperation.members.map { order[Int($0)].entry }
        ofProgram = program.mapValues { $0.reversed().sortedByDigits(\.moment) }
    }

    private static func add(
        _ waits: TaskWaits, _ transitions: TraceTransitions, to all: inout [(waiting: Int, entry: Entry)]
    ) {
        for task in waits.tasks.entries.indices where transitions.has(waits.operation(of: task)) {
            waits.forEach(of: task) { wait in
                all.append(
                    (
                        waits.operation(of: task),
                        Entry(
                            moment: wait.moment, operation: wait.operation, reason: wait.reason,
                            length: wait.moment - wait.start)
                    ))
            }
        }
        for (operation, task) in waits.tasks.finishers {
            guard let end = transitions.end(of: Int(operation)) else { continue }
            all.append(
                (
                    Int(operation),
                    Entry(moment: end, operation: waits.operation(of: Int(task)), reason: .finisher)
                ))
        }
    }

    /// The waits of the operation, ordered by time.
    package func entries(of operation: Int) -> ArraySlice<Entry> {
        byOperation.count == 0 ? [] : entries[byOperation.range(of: operation)]
    }

    /// What the program waited for last, up to that moment.
    ///
    /// - Parameter process: index into the trace's processes.
    func ofProgram(of process: Int, upTo moment: Int64) -> Entry? {
        guard let waits = ofProgram[process] else { return nil }
        let position = waits.partitioningIndex { $0.moment > moment }
        return position == 0 ? nil : waits[position - 1]
    }
}
