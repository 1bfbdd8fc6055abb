import InspectorColumns

/// The operations that belong to each of many operations or queues: successors, children, members.
package struct Adjacency {
    /// A view of some of the targets.
    package typealias Targets = LazyMapSequence<ArraySlice<Int32>, Int>

    private let groups: Grouping
    /// In the order of the groups.
    private let targets: [Int32]

    /// Operations by their owner, ascending for each owner. A negative owner, or one that is not below
    /// `owners`, means no owner. Linear.
    package init(owners: Int, ownerOfOperation: some RandomAccessCollection<Int>) {
        groups = Grouping(ownerOfOperation, groups: owners)
        targets = groups.members
    }

    /// For each operation, its predecessors in the order of the edges, which must refer to existing
    /// operations. Linear.
    package init(operations: Int, predecessorsIn edges: [Trace.Edge]) {
        groups = Grouping(edges.lazy.map(\.successor), groups: operations)
        targets = groups.members.map { Int32(edges[Int($0)].predecessor) }
    }

    /// For each operation, its successors in the order of the edges, which must refer to existing operations.
    /// Linear.
    package init(operations: Int, successorsIn edges: [Trace.Edge]) {
        groups = Grouping(edges.lazy.map(\.predecessor), groups: operations)
        targets = groups.members.map { Int32(edges[Int($0)].successor) }
    }

    package subscript(owner: Int) -> Targets { targets[groups.range(of: owner)].lazy.map { Int($0) } }
}
