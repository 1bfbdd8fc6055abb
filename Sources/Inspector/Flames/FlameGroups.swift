import InspectorColumns

extension FlameTree {
    /// The nodes of each kind, the kind's own first; of a tree without kinds, all nodes.
    package var groups: [Range<Int>] {
        var starts = nodes.indices.filter { $0 > 0 && label($0).role == .group }
        if starts.isEmpty { starts = [0] }
        return zip(starts, starts.dropFirst() + [nodes.count]).map { $0..<$1 }
    }
}

/// The time of each function of a group: in itself, and with all that it called. A function that calls itself
/// counts once.
struct FlameFunctions {
    struct Row {
        let label: Int32
        var own: Int64
        var total: Int64
    }

    /// The most time in itself first; equal ones are in the order of the labels.
    let rows: [Row]

    /// - Parameter group: one of `groups`.
    init(_ tree: FlameTree, _ group: Range<Int>) {
        var rows: [Int32: Row] = [:]
        var path: [Int32] = []
        // How often each label is on the path.
        var open: [Int32: Int] = [:]
        let top = tree.nodes[group.lowerBound].level
        for node in tree.nodes[group] {
            while path.count > Int(node.level - top) { open[path.removeLast(), default: 0] -= 1 }
            let isOutermost = open[node.label, default: 0] == 0
            path.append(node.label)
            open[node.label, default: 0] += 1
            guard tree.labels[Int(node.label)].role != .group else { continue }
            var row = rows[node.label] ?? Row(label: node.label, own: 0, total: 0)
            row.own = row.own.saturatingAdd(node.own)
            if isOutermost { row.total = row.total.saturatingAdd(node.total) }
            rows[node.label] = row
        }
        self.rows = rows.values.sorted { first, second in
            (second.own, second.total, first.label) < (first.own, first.total, second.label)
        }
    }
}
