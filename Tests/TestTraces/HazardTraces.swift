package import InspectorHazards

/// The findings of one rule in a trace.
package func findings(_ rule: String, in trace: Trace) -> [HazardFinding] {
    HazardReport(trace, rules: [rule]).groups.flatMap(\.findings)
}

/// Whether the rule says that it cannot decide.
package func isUndecided(_ rule: String, in trace: Trace) -> Bool {
    !HazardReport(trace, rules: [rule]).undecided.isEmpty
}

extension Trace {
    package func index(_ name: String) -> Int { operations.firstIndex { $0.name == name } ?? -1 }

    /// The trace with something about an operation changed.
    package func with(_ name: String, _ change: (inout OperationDraft) -> Void) -> Trace {
        let index = index(name)
        return withDrafts { change(&$0[index]) }
    }

    /// The trace with other operations.
    package func withDrafts(_ change: (inout [OperationDraft]) -> Void) -> Trace {
        with { $0.changeOperations(change) }
    }

    package func cancelling(_ name: String, at time: Int64) -> Trace {
        with(name) { $0.cancelled = TraceMoment(time) }
    }

    package func leavingBody(_ name: String, at time: Int64) -> Trace {
        with(name) { $0.bodyEnded = TraceMoment(time) }
    }

    /// A thread that waits inside `name` for `other` to finish.
    package func waiting(_ name: String?, for other: String, from start: Int64, to end: Int64? = nil) -> Trace
    {
        var trace = self
        trace.blockingWaits.append(
            BlockingWait(
                target: .operation(index(other)), operation: name.map(index), thread: 12, start: start,
                end: end))
        return trace
    }

    package func with(_ change: (inout Trace) -> Void) -> Trace {
        var trace = self
        change(&trace)
        return trace
    }
}

/// Nanoseconds.
package func ms(_ milliseconds: Int64) -> Int64 { milliseconds * 1_000_000 }
