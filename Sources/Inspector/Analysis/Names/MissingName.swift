import InspectorColumns

/// The message when a trace does not contain a given name, with the nearest names.
package enum MissingName {
    /// `no operation of kind 'Prase'; did you mean 'Parse'?`.
    ///
    /// - Parameters:
    ///   - place: follows the kind, for example ` in queue 'main'`.
    ///   - kinds: the existing kinds, in the trace or in several runs.
    package static func kind(_ name: String, in place: String = "", among kinds: [String]) -> String {
        let hint = kinds.contains(name) ? "" : NearestNames.hint(to: name, among: kinds, "kind", "kinds")
        return "no operation of kind \(NearestNames.quoted(name))\(place)\(hint)"
    }

    package static func kind(_ name: String, in trace: Trace) -> String {
        kind(name, among: usedKinds(of: trace))
    }

    /// `no queue named 'dwonloads'; did you mean 'downloads'?`.
    package static func queue(_ name: String, in trace: Trace) -> String {
        let names = trace.queues.map(\.displayName)
        return "no queue named \(NearestNames.quoted(name))"
            + NearestNames.hint(to: name, among: names, "queue", "queues")
    }

    /// `no task ran on an executor named 'Cahce'; did you mean 'Cache'?`.
    package static func executor(_ name: String, in trace: Trace) -> String {
        let names = trace.tasks.executors.map(\.name)
        return "no task ran on an executor named \(NearestNames.quoted(name))"
            + NearestNames.hint(to: name, among: names, "executor", "executors")
    }

    /// `no task awaited anything in 'laod()'; did you mean 'load()'?`.
    package static func function(_ name: String, among functions: [String]) -> String {
        "no task awaited anything in \(NearestNames.quoted(name))"
            + NearestNames.hint(to: name, among: functions, "function", "functions")
    }

    /// `no operation named 'pgae 7'; did you mean 'page 7'?`. Searches names, kinds and IDs.
    ///
    /// Linear in operations.
    package static func operation(_ name: String, in trace: Trace) -> String {
        if OperationSearch.id(name) != nil {
            let ids = trace.operations.lazy.map(\.id)
            guard let least = ids.min(by: { $0.rawValue < $1.rawValue }),
                let largest = ids.max(by: { $0.rawValue < $1.rawValue })
            else { return "no operation has the ID \(name)" }
            return "no operation has the ID \(name); the IDs are \(least) to \(largest)"
        }
        let names = [trace.operations.lazy.map(\.displayName), trace.operations.lazy.map(\.kind)].joined()
        let near = NearestNames(to: name, among: names).question
        let hint =
            near.map { "; \($0)" }
            ?? NearestNames.hint(
                to: name, among: usedKinds(of: trace), "kind", "kinds")
        return "no operation named \(NearestNames.quoted(name))\(hint)"
    }

    private static func usedKinds(of trace: Trace) -> [String] {
        let kinds = trace.kinds
        var isUsed = [Bool](repeating: false, count: kinds.count)
        for kind in trace.operations.store.columns.kinds { isUsed[Int(kind)] = true }
        return zip(kinds, isUsed).filter(\.1).map(\.0)
    }
}
