import InspectorColumns

/// The queue, or the parent, of every operation: a view of its column, without impossible values.
struct OperationIndices {
    private let indices: Column<Int32>
    private let limit: Int
    private let isNoneItsOwn: Bool

    /// - Parameters:
    ///   - limit: every index is below it.
    ///   - isNoneItsOwn: whether an operation's own index is invalid, too.
    init(_ indices: Column<Int32>, below limit: Int, noneItsOwn isNoneItsOwn: Bool = false) {
        self.indices = indices
        self.limit = limit
        self.isNoneItsOwn = isNoneItsOwn
    }

    /// -1 for none.
    subscript(operation: Int) -> Int {
        let index = Int(indices[operation])
        if index < 0 || index >= limit || isNoneItsOwn && index == operation { return -1 }
        return index
    }
}
