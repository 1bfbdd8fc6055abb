import InspectorColumns

/// The time of each function of a group: in itself, and with all that it called. A function that calls itself
/// counts once.
struct FlameFunctions {
    struct Row {
        let call: FlameCall
        var own: Int64 = 0
        var total: Int64 = 0

        var label: Int32 { call.label }
    }

    /// The most time in itself first; equal ones are in the order of the labels.
    let rows: [Row]

    /// - Parameters:
    ///   - group: one of the tree's `groups`.
    ///   - joinsLibraries: whether what a function calls in the system's libraries counts together and names
    ///     that function: `work() → DispatchSemaphore.wait()`. The last function of a stack that waits, reads
    ///     or sleeps is nearly always the C library's.
    init(_ tree: FlameTree, _ group: Range<Int>, joinsLibraries: Bool = false) {
        let calls = FlameCall.calls(tree, in: group, joinsLibraries: joinsLibraries)
        var rows: [FlameCall: Row] = [:]
        var path: [FlameCall] = []
        // How often each call is on the path.
        var open: [FlameCall: Int] = [:]
        let top = tree.nodes[group.lowerBound].level
        for (node, call) in zip(tree.nodes[group], calls) {
            while path.count > Int(node.level - top) { open[path.removeLast(), default: 0] -= 1 }
            let isOutermost = open[call, default: 0] == 0
            path.append(call)
            open[call, default: 0] += 1
            guard tree.labels[Int(node.label)].role != .group else { continue }
            var row = rows[call] ?? Row(call: call)
            row.own = row.own.saturatingAdd(node.own)
            if isOutermost { row.total = row.total.saturatingAdd(node.total) }
            rows[call] = row
        }
        self.rows = rows.values.sorted { first, second in
            (second.own, second.total, first.label, first.call.caller ?? -1)
                < (first.own, first.total, second.label, second.call.caller ?? -1)
        }
    }
}
