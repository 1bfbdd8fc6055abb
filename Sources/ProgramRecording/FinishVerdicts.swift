package import EventLog
import InspectorAnalysis
package import InspectorTraces
package import MemorySearch

/// Whether anything in a process can still finish its operations, as a search of its memory found.
package struct FinishVerdicts {
    /// How an operation of a log is found again in memory: what has the same name and class is one of several
    /// that are alike.
    private struct Key: Hashable {
        let name: String
        let kind: Substring
    }

    /// Of all that are alike.
    private var verdicts: [Key: [ResumeSearch.Verdict]] = [:]
    private let unseen: String?

    /// - Parameter unseen: what the search could not see.
    package init(_ queues: [FoundQueue], unseen: String?) {
        self.unseen = unseen
        for operation in queues.flatMap(\.operations) where operation.state == .started {
            verdicts[Self.key(operation.name, operation.kind), default: []].append(operation.verdict)
        }
    }

    /// The types that a class is nested in are not in logs.
    private static func key(_ name: String, _ kind: String) -> Key {
        Key(name: name, kind: kind.split(separator: ".").last ?? "")
    }

    /// What the log says of its operations that execute at the end. Leaves out what a thread executes, and
    /// operations that look alike if their verdicts differ, or if the search found another number: one
    /// may have finished since the log was read, or have been started outside of a queue.
    package func searches(of trace: Trace) -> [LogEvent.OperationSearch] {
        let executing = trace.operations.filter { $0.executing != nil && $0.finished == nil }
        var counts: [Key: Int] = [:]
        for operation in executing {
            counts[Self.key(operation.name ?? "", operation.kind), default: 0] += 1
        }
        return executing.compactMap { operation in
            let key = Self.key(operation.name ?? "", operation.kind)
            guard let found = verdicts[key], found.count == counts[key], Set(found).count == 1,
                let holder = Self.holder(found[0])
            else { return nil }
            return LogEvent.OperationSearch(
                operation: operation.id, holder: holder, unseen: holder.isEmpty ? unseen ?? "" : "")
        }
    }

    /// Safe for a terminal; nil if nothing is known, or if a thread executes it.
    package static func sentence(_ verdict: ResumeSearch.Verdict, unseen: String?) -> String? {
        holder(verdict).map { FinishClause.text(holder: $0, unseen: unseen ?? "") }
    }

    /// What could finish it; empty for nothing. Nil if nothing is known, or if a thread executes it.
    private static func holder(_ verdict: ResumeSearch.Verdict) -> String? {
        if case .heldByThread = verdict { nil } else { verdict.holder }
    }
}
