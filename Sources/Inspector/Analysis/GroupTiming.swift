import InspectorColumns

/// What the operations of one kind, queue or thread spent their time on.
public struct GroupTiming: Sendable {
    /// That of the kind, the queue or the thread.
    public let name: String
    /// Operations of the group that were enqueued.
    public let count: Int
    /// Those that finished with an error.
    public let failed: Int
    /// Those that finished after they were cancelled.
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

    package init(name: String, _ samples: GroupSamples, group: Int) {
        self.name = name
        count = samples.count(of: group)
        failed = samples.count(of: .failed, in: group)
        cancelled = samples.count(of: .cancelled, in: group)
        unfinished = samples.count(of: .unfinished, in: group)
        dependency = samples.distribution(.dependency, of: group)
        suspended = samples.distribution(.suspended, of: group)
        slot = samples.distribution(.slot, of: group)
        dispatch = samples.distribution(.dispatch, of: group)
        execution = samples.distribution(.execution, of: group)
        unknown = samples.distribution(.unknown, of: group)
    }
}
