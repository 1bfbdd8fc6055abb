import InspectorColumns

extension FlameTree {
    /// The nodes of each kind, the kind's own first; of a tree without kinds, all nodes.
    package var groups: [Range<Int>] {
        var starts = nodes.indices.filter { $0 > 0 && label($0).role == .group }
        if starts.isEmpty { starts = [0] }
        return zip(starts, starts.dropFirst() + [nodes.count]).map { $0..<$1 }
    }
}
