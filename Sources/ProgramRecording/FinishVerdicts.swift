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

    private var verdicts: [Key: Set<ResumeSearch.Verdict>] = [:]
    private let unseen: String?

    /// - Parameter unseen: what the search could not see.
    package init(_ queues: [FoundQueue], unseen: String?) {
        self.unseen = unseen
        for operation in queues.flatMap(\.operations) where operation.state == .started {
            verdicts[Self.key(operation.name, operation.kind), default: []].insert(operation.verdict)
        }
    }

    /// The types that a class is nested in are not in logs.
    private static func key(_ name: String, _ kind: String) -> Key {
        Key(name: name, kind: kind.split(separator: ".").last ?? "")
    }

    /// What the log says of its operations that execute at the end. Leaves out what a thread executes, and
    /// operations that look alike if their verdicts differ.
    package func searches(of trace: Trace) -> [LogEvent.OperationSearch] {
        trace.operations.compactMap { operation in
            guard operation.executing != nil, operation.finished == nil,
                let found = verdicts[Self.key(operation.name ?? "", operation.kind)], found.count == 1,
                let verdict = found.first, let holder = Self.holder(verdict)
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
        switch verdict {
        case .unknown: nil
        case .held(let holder): holder.hasPrefix("thread ") ? nil : holder
        case .unreachable: ""
        }
    }
}
