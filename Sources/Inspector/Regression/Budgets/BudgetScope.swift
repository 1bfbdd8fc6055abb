/// The enqueued operations of a trace that a budget is about.
struct BudgetScope {
    /// Indices into the trace's operations, ascending.
    let operations: [Int32]

    /// Names that a wrong one is compared with.
    private static let mostLikened = 1000

    /// In one sentence, what of a budget the trace has not.
    struct Missing: Error {
        let reason: String
    }

    /// Linear in operations.
    ///
    /// - Throws: `Missing` where no operation is of the kind, or no queue has the name.
    init(kind: String?, queue: String?, in trace: Trace) throws(Missing) {
        let columns = trace.operations.store.columns
        let wanted = kind.map { name in trace.kinds.map { $0 == name } }
        let queues = queue.map { name in trace.queues.map { $0.isCalled(name) } }
        if let queue, let queues, !queues.contains(true) {
            throw Missing(
                reason: "no queue \(Self.shortened(queue)) in the trace"
                    + Self.hint(queue, trace.queues.map(\.displayName)))
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
            let place = queue.map { " in queue \(Self.shortened($0))" } ?? ""
            let used = zip(trace.kinds, isUsed).filter(\.1).map(\.0)
            // The kind is there, though not in that queue.
            let others = used.contains(kind) ? "" : Self.hint(kind, used)
            throw Missing(
                reason: "no operation of kind \(Self.shortened(kind))\(place) in the trace\(others)")
        }
        self.operations = operations
    }

    /// The name that may have been meant, or those that there are.
    private static func hint(_ name: String, _ names: [String]) -> String {
        var unique: Set<String> = []
        let names = names.filter { unique.insert($0).inserted }
        guard !names.isEmpty else { return "" }
        if let similar = BudgetTerm.similar(to: name, among: names.prefix(mostLikened)) {
            return "; did you mean \(shortened(similar))?"
        }
        let more = names.count > 8 ? " and \(Prose.grouped(names.count - 8)) more" : ""
        return "; there are " + names.prefix(8).map(shortened).joined(separator: ", ") + more
    }

    private static func shortened(_ name: String) -> String { TerminalText.shortened(name, toColumns: 40) }
}
