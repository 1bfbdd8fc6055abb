import InspectorColumns

extension FlameTree {
    /// The tree with its largest nodes only. What is left out below a node becomes one child of it, so that
    /// all figures stay the same.
    ///
    /// Cost: O(n log n) in nodes.
    ///
    /// - Parameters:
    ///   - most: how many nodes to keep.
    ///   - levels: how many levels to keep.
    ///   - least: the smallest total to keep.
    package func pruned(most: Int, levels: Int, least: Int64) -> FlameTree {
        let least = max(1, least, leastOfLargest(most))
        // A child is never larger than its parent, so that what is kept is a tree.
        let isKept = nodes.indices.map { index in
            index == 0 || nodes[index].total >= least && nodes[index].level < levels
        }
        var builder = FlameTreeBuilder(root: label(0))
        var numbers = [Int32](repeating: -1, count: nodes.count)
        var rests: [Int32: (time: Int64, count: Int)] = [:]
        for index in nodes.indices {
            let node = nodes[index]
            if isKept[index] {
                numbers[index] =
                    index == 0
                    ? 0 : builder.child(of: numbers[Int(node.parent)], builder.number(label(index)))
                builder.add(node.own, to: numbers[index])
            } else if isKept[Int(node.parent)] {
                let parent = numbers[Int(node.parent)]
                let rest = rests[parent] ?? (0, 0)
                rests[parent] = (rest.time.saturatingAdd(node.total), rest.count + 1)
            }
        }
        for (parent, rest) in rests.sorted(by: { $0.key < $1.key }) where rest.time > 0 {
            let name = Prose.counted(rest.count, "smaller function")
            let label = builder.number(Label(role: .rest, name: name, module: nil))
            builder.add(rest.time, to: builder.child(of: parent, label))
        }
        var tree = FlameTree(builder, isTime: isTime)
        // A node that is left out is at the nearest one that is kept.
        let drafts = tree.places
        var places: [Int32] = []
        places.reserveCapacity(nodes.count)
        for index in nodes.indices {
            places.append(
                isKept[index] ? drafts[Int(numbers[index])] : places[Int(nodes[index].parent)])
        }
        tree.places = places
        return tree
    }

    /// A total that at most this many nodes reach.
    private func leastOfLargest(_ most: Int) -> Int64 {
        guard nodes.count > most else { return 0 }
        let totals = nodes.map(\.total).sorted(by: >)
        return totals[most] == .max ? .max : totals[most] + 1
    }
}
