/// What each operation of a trace spent its lifetime on, by index; `nil` for one that was never enqueued.
/// Computed on access from the trace's numbers.
public struct OperationWaits: RandomAccessCollection, Sendable {
    private let inference: WaitInference

    init(_ inference: WaitInference) { self.inference = inference }

    public var startIndex: Int { 0 }
    public var endIndex: Int { inference.count }

    public subscript(index: Int) -> LifetimeParts? { inference.waits(of: index) }

    /// The same at less cost, for an operation whose transitions are known.
    package func parts(of index: Int, _ line: OrderedTransitions) -> LifetimeParts {
        inference.waits(of: index, line)
    }

    /// Since when a slot was free for it; nil if the trace does not show it.
    package func slotFree(of index: Int) -> Int64? { inference.slotFree(of: index) }
}
