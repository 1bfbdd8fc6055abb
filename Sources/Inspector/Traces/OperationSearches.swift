package import EventLog
import InspectorColumns

extension Trace {
    /// Whether the operation has not finished, and nothing in its process could finish it.
    package func isProvenLost(_ operation: Int) -> Bool {
        guard let search = searches[Int32(operation)] else { return false }
        return search.isProof && !operations.store.columns.finished.has(operation)
    }

    /// Adds what searches at the end of the trace found.
    package mutating func take(_ found: [LogEvent.OperationSearch]) {
        let byOperation = Dictionary(found.map { ($0.operation.rawValue, $0) }, uniquingKeysWith: { $1 })
        for (index, identifier) in operations.store.columns.identifiers.enumerated() {
            guard let search = byOperation[identifier] else { continue }
            searches[Int32(index)] = TraceTasks.Search(
                time: tasks.end, holder: tasks.texts.number(of: search.holder),
                unseen: tasks.texts.number(of: search.unseen))
        }
    }
}
