import InspectorColumns

/// Stacks merged into a tree: a node for each function below each of its callers, with the time in it.
///
/// The largest child comes first; equal ones are in the order of their names, and the rest comes last. So the
/// same samples give the same tree. Only the root may be without time.
package struct FlameTree: Sendable {
    package enum Role: Int, Hashable, Sendable {
        /// All operations, a kind, or one operation.
        case group
        case function
        /// The kernel, called by the function above it. Below a group: time on a processor that no sample
        /// covers, because samples of the kernel need a permission.
        case kernel
        /// Several functions that are too small to be drawn.
        case rest
    }

    package struct Label: Hashable, Sendable {
        package let role: Role
        package let name: String
        /// The file name of the program or the library; nil if it is not known, and for groups.
        package let module: String?

        static let kernel = Self(role: .kernel, name: "in the kernel", module: nil)
    }

    package struct Node: Sendable {
        /// Index into `labels`.
        package let label: Int32
        /// -1 for the root.
        package let parent: Int32
        /// 0 for the root.
        package let level: Int32
        /// The time in the function itself, and with all that it called. Nanoseconds, or a number of samples
        /// if the trace has no times.
        package let own: Int64
        package let total: Int64
    }

    package private(set) var labels: [Label]
    /// A node comes before all nodes below it, and these come before its next sibling. The first is the root.
    package private(set) var nodes: [Node]
    /// Whether the figures are nanoseconds.
    package let isTime: Bool
    /// For each node of the tree or the builder that it was made from, its node here; -1 if it has no time.
    package internal(set) var places: [Int32]

    package var root: Node { nodes[0] }
    package var total: Int64 { nodes[0].total }

    package func label(_ node: Int) -> Label { labels[Int(nodes[node].label)] }

    /// Orders the nodes of a builder.
    init(_ builder: FlameTreeBuilder, isTime: Bool) {
        labels = builder.labels
        self.isTime = isTime
        let drafts = builder.nodes
        var totals = drafts.map(\.own)
        for index in drafts.indices.reversed() where index > 0 {
            totals[Int(drafts[index].parent)] = totals[Int(drafts[index].parent)].saturatingAdd(totals[index])
        }
        let children = Grouping(
            drafts.indices.lazy.map { $0 == 0 ? drafts.count : Int(drafts[$0].parent) },
            groups: drafts.count + 1)
        nodes = []
        nodes.reserveCapacity(drafts.count)
        places = [Int32](repeating: -1, count: drafts.count)
        var open: [(draft: Int32, parent: Int32)] = [(0, -1)]
        while let (draft, parent) = open.popLast() {
            let index = Int32(nodes.count)
            places[Int(draft)] = index
            nodes.append(
                Node(
                    label: drafts[Int(draft)].label, parent: parent,
                    level: parent < 0 ? 0 : nodes[Int(parent)].level + 1, own: drafts[Int(draft)].own,
                    total: totals[Int(draft)]))
            // The last one that is pushed comes first.
            let used = children[Int(draft)].filter { totals[Int($0)] > 0 }
            let sorted = used.sorted { first, second in
                let (one, other) = (
                    labels[Int(drafts[Int(first)].label)], labels[Int(drafts[Int(second)].label)]
                )
                if (one.role == .rest) != (other.role == .rest) { return one.role == .rest }
                if totals[Int(first)] != totals[Int(second)] {
                    return totals[Int(first)] < totals[Int(second)]
                }
                return other.isOrdered(before: one)
            }
            open += sorted.map { ($0, index) }
        }
    }
}

extension FlameTree.Label {
    fileprivate func isOrdered(before other: Self) -> Bool {
        (name, module ?? "", role.rawValue) < (other.name, other.module ?? "", other.role.rawValue)
    }
}

/// A tree of stacks that grows. Its first node is the root.
struct FlameTreeBuilder {
    struct Draft {
        let label: Int32
        let parent: Int32
        var own: Int64 = 0
    }

    private struct Edge: Hashable {
        let parent: Int32
        let label: Int32
    }

    private(set) var labels: [FlameTree.Label] = []
    /// A node comes after its parent.
    private(set) var nodes: [Draft] = []
    private var numbers: [FlameTree.Label: Int32] = [:]
    private var children: [Edge: Int32] = [:]

    init(root: FlameTree.Label) {
        nodes.append(Draft(label: number(root), parent: -1))
    }

    mutating func number(_ label: FlameTree.Label) -> Int32 {
        if let known = numbers[label] { return known }
        let number = Int32(labels.count)
        numbers[label] = number
        labels.append(label)
        return number
    }

    /// The node with that label below `parent`.
    mutating func child(of parent: Int32, _ label: Int32) -> Int32 {
        let edge = Edge(parent: parent, label: label)
        if let known = children[edge] { return known }
        let node = Int32(nodes.count)
        children[edge] = node
        nodes.append(Draft(label: label, parent: parent))
        return node
    }

    mutating func add(_ weight: Int64, to node: Int32) {
        nodes[Int(node)].own = nodes[Int(node)].own.saturatingAdd(weight)
    }
}
