/// The lifelines of a trace's operations, index by index; `nil` for one that was never enqueued. Each is made when it is
/// looked at, of a few numbers, and none is kept.
struct Lifelines: RandomAccessCollection, Sendable {
    private let store: OperationStore
    /// Where operations that never finished end.
    private let traceEnd: Int64

    init(_ trace: Trace, end: Int64) {
        store = trace.operations.store
        traceEnd = end
    }

    var startIndex: Int { 0 }
    var endIndex: Int { store.columns.count }

    subscript(index: Int) -> Lifeline? { Lifeline(store, index, traceEnd: traceEnd) }

    func has(_ index: Int) -> Bool { store.columns.enqueued.has(index) }
}
