/// What the operations of one kind, queue or thread spent their time on.
public struct GroupTiming: Sendable {
    /// That of the kind, the queue or the thread.
    public let name: String
    /// Operations of the group that were enqueued.
    public let count: Int
    public let failed: Int
    public let cancelled: Int
    /// Those that had not finished when the trace ended.
    public let unfinished: Int
    // Apart from one another: there may be as many groups as operations.
    private let dependency, suspended, slot, dispatch, execution, unknown: Distribution

    /// Execution is over the operations that started, a wait over all of the group, also those that did not
    /// wait at all.
    public subscript(part: Waits.Part) -> Distribution {
        switch part {
        case .dependency: dependency
        case .suspended: suspended
        case .slot: slot
        case .dispatch: dispatch
        case .execution: execution
        case .unknown: unknown
        }
    }

    /// Operations that finished without failing or being cancelled.
    public var succeeded: Int { count - failed - cancelled - unfinished }

    /// Nanoseconds of all parts of all lifetimes.
    public var lifetime: Int64 {
        Waits.Part.allCases.reduce(0) { $0.saturatingAdd(self[$1].total) }
    }

    /// The members are indices of enqueued operations.
    init(name: String, members: ArraySlice<Int32>, of trace: Trace, waits: [Waits?]) {
        let columns = trace.operations.store.columns
        var failed = 0
        var cancelled = 0
        var unfinished = 0
        for member in members {
            if !columns.finished.has(Int(member)) {
                unfinished += 1
            } else if columns.outcomes[Int(member)] > OperationColumns.cancelled {
                failed += 1
            } else if columns.outcomes[Int(member)] == OperationColumns.cancelled {
                cancelled += 1
            }
        }
        // One look at each operation: they are far apart in memory.
        var samples = Array(repeating: [Int64](), count: 6)
        for index in samples.indices { samples[index].reserveCapacity(members.count) }
        for member in members {
            guard let waits = waits[Int(member)] else { continue }
            samples[0].append(waits.dependency)
            samples[1].append(waits.suspended)
            samples[2].append(waits.slot)
            samples[3].append(waits.dispatch)
            samples[4].append(waits.unknown)
            if columns.executing.has(Int(member)) { samples[5].append(waits.execution) }
        }
        self.name = name
        count = members.count
        self.failed = failed
        self.cancelled = cancelled
        self.unfinished = unfinished
        dependency = Distribution(samples[0])
        suspended = Distribution(samples[1])
        slot = Distribution(samples[2])
        dispatch = Distribution(samples[3])
        unknown = Distribution(samples[4])
        execution = Distribution(samples[5])
    }
}
