/// What each operation of a trace spent its lifetime on, index by index; `nil` for one that was never
/// enqueued. Made of the trace's numbers when it is looked at.
public struct OperationWaits: RandomAccessCollection, Sendable {
    private let inference: WaitInference

    init(_ inference: WaitInference) { self.inference = inference }

    public var startIndex: Int { 0 }
    public var endIndex: Int { inference.count }

    public subscript(index: Int) -> Waits? { inference.waits(of: index) }

    /// Since when a slot was free for it; nil where the trace does not say.
    package func slotFree(of index: Int) -> Int64? { inference.slotFree(of: index) }
}
