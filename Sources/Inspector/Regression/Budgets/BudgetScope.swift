import InspectorColumns

/// The enqueued operations of a trace that a budget applies to.
struct BudgetScope {
    /// Indices into the trace's operations, ascending.
    let operations: [Int32]

    /// What the trace lacks for a budget, in one sentence.
    struct Missing: Error {
        let reason: String
    }

    /// Linear in operations.
    ///
    /// - Throws: `Missing` if no operation has the kind, or no queue has the name.
    init(kind: String?, queue: String?, in trace: Trace) throws(Missing) {
        let columns = trace.operations.store.columns
        let wanted = kind.map { name in trace.kinds.map { $0 == name } }
        let queues = queue.map { name in trace.queues.map { $0.isCalled(name) } }
        if let queue, let queues, !queues.contains(true) {
            throw Missing(reason: MissingName.queue(queue, in: trace))
        }
        var operations: [Int32] = []
        var isUsed = [Bool](repeating: false, count: trace.kinds.count)
        for index in 0..<columns.count where columns.enqueued.has(index) {
            let kind = Int(columns.kinds[index])
            isUsed[kind] = true
            let queue = Int(columns.queues[index])
            guard wanted.map({ $0[kind] }) ?? true,
                queues.map({ $0.indices.contains(queue) && $0[queue] }) ?? true
            else { continue }
            operations.append(Int32(index))
        }
        if let kind, operations.isEmpty {
            let place = queue.map { " in queue \(NearestNames.quoted($0))" } ?? ""
            let used = zip(trace.kinds, isUsed).filter(\.1).map(\.0)
            throw Missing(reason: MissingName.kind(kind, in: place, among: used))
        }
        self.operations = operations
    }
}
