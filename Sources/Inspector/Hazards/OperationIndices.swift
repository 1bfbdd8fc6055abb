import InspectorColumns

/// The queue, or the parent, of every operation: a look at its column, in which what a trace cannot mean is
/// left out.
struct OperationIndices {
    private let indices: Column<Int32>
    private let limit: Int
    private let isNoneItsOwn: Bool

    /// - Parameters:
    ///   - limit: an index is below it.
    ///   - isNoneItsOwn: an operation's own index does not count either.
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
