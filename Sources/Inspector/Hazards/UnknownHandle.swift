import InspectorColumns

/// The error for a handle that names no operation: one sentence, with the nearest names that exist.
package struct UnknownHandle: Error, CustomStringConvertible {
    package let description: String

    /// Linear in operations.
    init(_ handle: Handle, in whole: TraceAnalysis) {
        let trace = whole.trace
        switch handle.form {
        case .kind: description = MissingName.kind(handle.name, in: trace)
        case .queue:
            description =
                trace.queues.contains { Handle.isQueue($0, handle.name) }
                ? "no operation is in queue \(NearestNames.quoted(handle.name))"
                : MissingName.queue(handle.name, in: trace)
        case .executor: description = MissingName.executor(handle.name, in: trace)
        case .outcome: description = Self.outcome(handle.name, trace)
        case .finding: description = Self.unnumbered(handle, "opviz lint numbers them")
        case .step: description = Self.unnumbered(handle, "opviz critical-path numbers them")
        case nil: description = Self.operation(handle, trace)
        }
    }

    /// - Parameter count: how many findings or steps there are.
    init(_ handle: Handle, numbers count: Int) {
        let word = handle.form?.rawValue ?? ""
        let existing =
            switch count {
            case 0: "the trace has no \(word)s"
            case 1: "the only one is \(word):1"
            default: "the \(word)s are \(word):1 to \(word):\(count)"
            }
        description = "no \(word) \(NearestNames.quoted(handle.name)); \(existing)"
    }

    /// For a finding about a queue or the whole run.
    init(ofNoOperation handle: Handle) {
        description = "\(handle.text) is about no single operation; opviz lint prints it"
    }

    private static func unnumbered(_ handle: Handle, _ hint: String) -> String {
        let word = handle.form?.rawValue ?? ""
        return "no \(word) \(NearestNames.quoted(handle.name)): expected a number from 1 on, "
            + "as in \(word):1; \(hint)"
    }

    private static func outcome(_ name: String, _ trace: Trace) -> String {
        let columns = trace.operations.store.columns
        let used = Set(trace.operations.indices.map { OperationEnding(columns, $0) })
        if let ending = OperationEnding(named: name), !used.contains(ending) {
            return "no operation has the outcome '\(ending.label)'"
        }
        let names = OperationEnding.allCases.filter(used.contains).map(\.word)
        return "no outcome \(NearestNames.quoted(name))"
            + NearestNames.hint(to: name, among: names, "outcome", "outcomes")
    }

    /// By name or ID. Suggests a handle for the name of a queue or an executor, and for a misspelled word
    /// before the colon.
    private static func operation(_ handle: Handle, _ trace: Trace) -> String {
        let name = handle.name
        if let identified = handle.identified, let process = identified.process, trace.isMerged {
            let names = ProcessNames(trace).names
            if !names.contains(process) {
                return "no process named \(NearestNames.quoted(process))"
                    + NearestNames.hint(to: process, among: names, "process", "processes")
            }
            if let operation = trace.operations.first(where: { $0.id.rawValue == identified.id }) {
                return "no operation of \(NearestNames.quoted(process)) has the ID \(operation.id); it is "
                    + "of \(NearestNames.quoted(names[operation.process]))"
            }
        }
        var handles: [String] = []
        if trace.queues.contains(where: { $0.isCalled(name) }) { handles.append("queue:\(name)") }
        if trace.tasks.executors.contains(where: { $0.name == name }) { handles.append("executor:\(name)") }
        if OperationEnding(named: name) != nil { handles.append("outcome:\(name)") }
        if handle.isQuoted, Handle(name).form != nil {
            handles.append(name)
        } else if let colon = name.firstIndex(of: ":") {
            let rest = name[colon...]
            handles += NearestNames(to: String(name[..<colon]), among: Handle.Form.allCases.map(\.rawValue))
                .names.map { $0 + rest }
        }
        guard let question = NearestNames(handles).question else {
            return MissingName.operation(name, in: trace)
        }
        return "no operation named \(NearestNames.quoted(name)); \(question)"
    }
}
