import InspectorColumns

/// How to group operations.
public enum OperationGrouping: String, CaseIterable, Sendable {
    /// The name of the operation's type, or the kind that the program gave it.
    case kind
    /// The queue that it was added to.
    case queue
    /// The thread that the operation started on.
    case thread
    /// The process, in a merged trace; other traces have only one.
    case process
}

extension TraceTimings {
    /// The timings of all groups with operations, the longest total execution first; equal ones by name.
    ///
    /// Cost: linear in operations.
    public func groups(by grouping: OperationGrouping) -> GroupTimings { groups(by: grouping, only: nil) }

    /// - Parameter isSelected: whether to count an operation; nil to count all.
    package func groups(by grouping: OperationGrouping, only isSelected: ((Int) -> Bool)?) -> GroupTimings {
        let groups = groupNumbers(by: grouping, only: isSelected)
        return GroupTimings(
            names: groups.names, GroupSamples(self, groups: groups.names.count, by: groups.number))
    }

    /// The name of each group, and the group of an operation: -1 of one that is not selected.
    func groupNumbers(
        by grouping: OperationGrouping, only isSelected: ((Int) -> Bool)?
    ) -> (names: [String], number: (Int) -> Int) {
        let groups = groupNumbers(by: grouping)
        guard let isSelected else { return groups }
        return (groups.names, { isSelected($0) ? groups.number($0) : -1 })
    }

    private func groupNumbers(by grouping: OperationGrouping) -> (names: [String], number: (Int) -> Int) {
        let columns = trace.operations.store.columns
        switch grouping {
        case .kind: return (trace.kinds, { Int(columns.kinds[$0]) })
        case .queue: return (queueNames, { Int(columns.queues[$0]) })
        case .thread:
            // The last group is for operations that never started, or whose thread is not in the log.
            let unknown = columns.threadNumbers.count
            let processes = trace.isMerged ? ProcessNames(trace).names.map { " of \($0)" } : [""]
            let names = zip(columns.threadNumbers, columns.threadProcesses).map {
                "thread \($0)\(processes[Int($1)])"
            }
            return (
                names + ["unknown"],
                { index in
                    let thread = columns.threads[index]
                    return thread == OperationColumns.none ? unknown : Int(thread)
                }
            )
        case .process: return (ProcessNames(trace).names, { Int(columns.processes[$0]) })
        }
    }

    /// If several queues have the same name, the name includes the queue's identifier.
    private var queueNames: [String] {
        let counts = trace.queues.reduce(into: [:]) { $0[$1.displayName, default: 0] += 1 }
        return trace.queues.map { queue in
            counts[queue.displayName] == 1 || queue.name.isEmpty
                ? queue.displayName : "\(queue.displayName) \(queue.id)"
        }
    }
}
