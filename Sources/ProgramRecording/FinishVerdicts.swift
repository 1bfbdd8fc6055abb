import InspectorText
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

    /// What is known of an operation of the log; nil for one that a thread executes, and if those that are
    /// alike differ.
    package func sentence(name: String?, kind: String) -> String? {
        guard let found = verdicts[Self.key(name ?? "", kind)], found.count == 1, let verdict = found.first
        else { return nil }
        return Self.sentence(verdict, unseen: unseen)
    }

    /// Safe for a terminal.
    package static func sentence(_ verdict: ResumeSearch.Verdict, unseen: String?) -> String? {
        switch verdict {
        case .unknown: nil
        case .held(let holder):
            holder.hasPrefix("thread ")
                ? nil : "\(TerminalText.shortened(holder, toColumns: 60)) may finish it"
        case .unreachable:
            unseen.map {
                "possibly nothing can finish it: only its queue leads to it, but "
                    + TerminalText.shortened($0, toColumns: 60)
            } ?? "nothing in the process can finish it: only its queue leads to it"
        }
    }
}
