import InspectorColumns

/// What operations are put together by.
public enum OperationGrouping: String, CaseIterable, Sendable {
    /// The name of the operation's type, or the kind that the program gave it.
    case kind
    /// The queue that it was added to.
    case queue
    /// The one that the operation started on.
    case thread
    /// Of a merged trace; of others there is one.
    case process
}

extension TraceTimings {
    /// The timings of all groups that have operations, the longest total execution first; of equal ones by
    /// name.
    ///
    /// Cost: linear in operations.
    public func groups(by grouping: OperationGrouping) -> GroupTimings {
        let columns = trace.operations.store.columns
        let names: [String]
        let samples: GroupSamples
        switch grouping {
        case .kind:
            names = trace.kinds
            samples = GroupSamples(self, groups: names.count) { Int(columns.kinds[$0]) }
        case .queue:
            names = queueNames
            samples = GroupSamples(self, groups: names.count) { Int(columns.queues[$0]) }
        case .thread:
            // The last is of operations that never started, or of which the log does not say where.
            let unknown = columns.threadNumbers.count
            let processes = trace.isMerged ? ProcessNames(trace).names.map { " of \($0)" } : [""]
            names =
                zip(columns.threadNumbers, columns.threadProcesses).map {
                    "thread \($0)\(processes[Int($1)])"
                }
                + ["unknown"]
            samples = GroupSamples(self, groups: names.count) { index in
                let thread = columns.threads[index]
                return thread == OperationColumns.none ? unknown : Int(thread)
            }
        case .process:
            names = ProcessNames(trace).names
            samples = GroupSamples(self, groups: names.count) { Int(columns.processes[$0]) }
        }
        return GroupTimings(names: names, samples)
    }

    /// Those that several queues have come with the queue's identifier.
    private var queueNames: [String] {
        let counts = trace.queues.reduce(into: [:]) { $0[$1.displayName, default: 0] += 1 }
        return trace.queues.map { queue in
            counts[queue.displayName] == 1 || queue.name.isEmpty
                ? queue.displayName : "\(queue.displayName) \(queue.id)"
        }
    }
}
