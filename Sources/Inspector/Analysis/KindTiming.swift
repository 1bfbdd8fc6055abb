/// What the operations of one kind spent their time on.
public struct KindTiming: Sendable {
    public let kind: String
    /// Operations of this kind that were enqueued.
    public let count: Int
    public let failed: Int
    public let cancelled: Int
    /// Those that had not finished when the trace ended.
    public let unfinished: Int
    private let distributions: [Waits.Part: Distribution]

    /// Execution is over the operations that started, a wait over all of the kind, also those that did not
    /// wait at all.
    public subscript(part: Waits.Part) -> Distribution { distributions[part] ?? Distribution([]) }

    /// The members are indices of enqueued operations.
    init(kind: String, members: [Int], of trace: Trace, waits: [Waits?]) {
        var failed = 0
        var cancelled = 0
        var unfinished = 0
        for member in members {
            let operation = trace.operations[member]
            if operation.finished == nil {
                unfinished += 1
                continue
            }
            switch operation.outcome {
            case .failed: failed += 1
            case .cancelled: cancelled += 1
            case .succeeded, nil: break
            }
        }
        var distributions: [Waits.Part: Distribution] = [:]
        for part in Waits.Part.allCases {
            let samples = members.filter { part != .execution || trace.operations[$0].executing != nil }
            distributions[part] = Distribution(samples.compactMap { waits[$0]?[part] })
        }
        self.kind = kind
        count = members.count
        self.failed = failed
        self.cancelled = cancelled
        self.unfinished = unfinished
        self.distributions = distributions
    }
}
