import InspectorColumns

/// Which parents wait for their children. Everything that is said about a parent and a child asks this.
///
/// A parent does not wait for a child because it added it. A finished parent may have waited for the children
/// that finished before it. A parent that has not finished waits while its thread is blocked, and once its
/// body has returned, like that of a group.
package struct ChildWaits: Sendable {
    private let columns: OperationColumns
    private let blocked: Set<Int>

    /// Linear in waits.
    package init(_ trace: Trace) {
        columns = trace.operations.store.columns
        blocked = Set(trace.blockingWaits.lazy.filter { $0.end == nil }.compactMap(\.operation))
    }

    /// Whether a parent that has not finished waits for children that have not finished either.
    package func isWaiting(_ parent: Int) -> Bool {
        columns.bodyEnded.has(parent) || blocked.contains(parent)
    }

    /// Whether a parent waited, or still waits, for its child.
    package func waited(_ parent: OrderedTransitions, _ index: Int, for child: OrderedTransitions) -> Bool {
        if child.isFinished { return child.end <= parent.end }
        return !parent.isFinished && isWaiting(index)
    }
}
