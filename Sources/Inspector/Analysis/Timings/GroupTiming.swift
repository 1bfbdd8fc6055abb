import InspectorColumns

/// What the operations of one kind, queue or thread spent their time on.
public struct GroupTiming: Sendable {
    /// The name of the kind, the queue or the thread.
    public let name: String
    /// Its number among the groups of its grouping.
    package let number: Int
    /// How many operations of the group were enqueued.
    public let count: Int
    /// How many finished with an error.
    public let failed: Int
    /// How many finished after they were cancelled.
    public let cancelled: Int
    /// How many had not finished when the trace ended.
    public let unfinished: Int
    /// By the number of the part.
    private let distributions: [Distribution]

    /// Execution covers the operations that started. A wait covers all operations of the group, including
    /// those that did not wait.
    public subscript(part: LifetimeParts.Part) -> Distribution { distributions[part.rawValue] }

    /// How many finished without failing or being cancelled.
    public var succeeded: Int { count - failed - cancelled - unfinished }

    /// The total of all lifetimes, in nanoseconds.
    public var lifetime: Int64 {
        LifetimeParts.Part.allCases.reduce(0) { $0.saturatingAdd(self[$1].total) }
    }

    package init(name: String, _ samples: GroupSamples, group: Int) {
        self.name = name
        number = group
        count = samples.count(of: group)
        failed = samples.count(of: .failed, in: group)
        cancelled = samples.count(of: .cancelled, in: group)
        unfinished = samples.count(of: .unfinished, in: group)
        distributions = LifetimeParts.Part.allCases.map { samples.distribution($0, of: group) }
    }
}
