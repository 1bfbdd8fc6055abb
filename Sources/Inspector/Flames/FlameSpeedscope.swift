/// Stacks for speedscope: a sampled profile for each kind, with one entry for each stack.
struct FlameSpeedscope {
    let report: FlameReport

    func write(_ emit: ([UInt8]) -> Void) {
        let tree = report.tree
        var bytes: [UInt8] = []
        SpeedscopeDocument.begin(
            report.title, frames: tree.labels.map(\.name), files: tree.labels.map(\.module), &bytes, emit)
        let groups = tree.groups
        for (position, group) in groups.enumerated() {
            SpeedscopeDocument.beginProfile(
                "sampled", tree.label(group.lowerBound).name, unit: tree.isTime ? "nanoseconds" : "none",
                isFirst: position == 0, &bytes)
            bytes += ",\"startValue\":0,\"endValue\":\(tree.nodes[group.lowerBound].total)".utf8
            let weighted = group.filter { tree.nodes[$0].own > 0 }
            bytes += ",\"samples\":[".utf8
            for (index, node) in weighted.enumerated() {
                bytes += (index == 0 ? "\n[" : ",\n[").utf8
                bytes += stack(of: node, in: group).map { String($0) }.joined(separator: ",").utf8
                bytes += "]".utf8
                bytes.emitPiece(emit)
            }
            bytes += "],\"weights\":[".utf8
            bytes += weighted.map { String(tree.nodes[$0].own) }.joined(separator: ",").utf8
            bytes += "]}".utf8
        }
        SpeedscopeDocument.end(&bytes)
        emit(bytes)
    }

    /// The labels from the group to the node.
    private func stack(of node: Int, in group: Range<Int>) -> [Int32] {
        var labels: [Int32] = []
        var current = node
        while current > group.lowerBound {
            labels.append(report.tree.nodes[current].label)
            current = Int(report.tree.nodes[current].parent)
        }
        labels.append(report.tree.nodes[group.lowerBound].label)
        return labels.reversed()
    }
}
