/// How the executions of a kind are split: those of its last finished operations, and of its executing ones
/// since they are watched.
struct LiveKind: Sendable {
    /// Not safe for a terminal.
    var name: String
    var parts = ExecutionParts()
    /// Whether the threads' own clocks said that in the log.
    var isOfClocks = false
    /// Whether watching asked the system for it, of operations that it saw executing.
    var isWatched = false

    var measured: Int64 { parts.total - parts.unmeasured }
}

extension LiveKind {
    /// The kinds of which something was measured, the longest first.
    ///
    /// Cost: linear in unfinished operations, and in the last finished ones.
    static func all(_ moment: LiveMoment, _ threads: LiveThreads) -> [LiveKind] {
        let trace = moment.trace
        let use = ProcessorUse(moment.timings)
        if use == nil, threads.uses.isEmpty { return [] }
        let names = trace.kinds
        var kinds = names.map { LiveKind(name: $0) }
        for (index, operation) in trace.operations.enumerated() {
            let isFinished = operation.finished != nil
            let clocks = isFinished ? trace.bodyUses[Int32(index)] : nil
            if clocks == nil, let watched = threads.uses[operation.id.rawValue]?.all, watched.total > 0 {
                kinds[operation.kindIndex].parts = kinds[operation.kindIndex].parts + watched
                kinds[operation.kindIndex].isWatched = true
            } else if isFinished, let parts = use?.parts(of: index) {
                kinds[operation.kindIndex].parts = kinds[operation.kindIndex].parts + parts
                if clocks != nil { kinds[operation.kindIndex].isOfClocks = true }
            }
        }
        return kinds.filter { $0.isOfClocks || $0.isWatched }.enumerated().sorted { one, other in
            let (first, second) = (one.element.measured, other.element.measured)
            return first == second ? one.offset < other.offset : first > second
        }.map(\.element)
    }
}
