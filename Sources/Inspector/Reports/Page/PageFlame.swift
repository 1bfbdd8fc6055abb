import InspectorColumns
import InspectorFlames

/// The flame graphs of a page: the tree of all kinds, and which of its nodes each operation has samples in;
/// of what operations calculated, or of what blocked them.
///
/// At most about 1 MB each, whatever the trace: the tree has its largest nodes only, and operations beyond a
/// limit have only the graph of their kind.
struct PageFlame {
    private static let mostNodes = 3_000
    private static let mostLevels = 80
    private static let mostPairs = 150_000
    private static let longestName = 120

    let analysis: TraceAnalysis
    let selection: PageSelection
    let isBlocked: Bool

    /// Nil if the trace has no such samples in operations.
    var object: JSONObject? {
        guard let profile = StackProfile(analysis.timings) else { return nil }
        let (whole, nodeOfSample) = FlameTree.of(profile, isBlocked: isBlocked)
        guard whole.total > 0 else { return nil }
        let tree = whole.pruned(most: Self.mostNodes, levels: Self.mostLevels, least: 1)
        var object = JSONObject()
        if tree.isTime { object.add("isTime", true) }
        // Of blocked threads, each sample has its own length.
        if !isBlocked { object.add("period", profile.period) }
        addNodes(of: tree, to: &object)
        let pairs = pairs(profile, nodeOfSample.map { $0 < 0 ? -1 : tree.places[Int($0)] })
        object.add("pairCount", pairs.count)
        object.add("pairOperations", PageColumn.object(pairs.map { Int64($0.operation) }))
        object.add("pairNodes", PageColumn.object(pairs.map { Int64($0.node) }))
        object.add("pairWeights", PageColumn.object(pairs.map(\.weight)))
        addSamples(profile, to: &object)
        return object
    }

    /// How many samples each operation of the page has, and each kind with all of its operations.
    private func addSamples(_ profile: StackProfile, to object: inout JSONObject) {
        let kinds = analysis.trace.operations.store.columns.kinds
        var ofOperation = [Int64](repeating: 0, count: selection.operations.count)
        var ofKind = [Int64](repeating: 0, count: analysis.trace.kinds.count)
        for sample in profile.attributed where sample.isBlocked == isBlocked {
            guard let operation = sample.operation.map({ Int($0) }) else { continue }
            ofKind[Int(kinds[operation])] += 1
            if let position = selection.position(of: operation) { ofOperation[position] += 1 }
        }
        object.add("samples", PageColumn.object(ofOperation))
        object.add("kindSamples", PageColumn.object(ofKind))
    }

    private func addNodes(of tree: FlameTree, to object: inout JSONObject) {
        // The kinds are those of the page.
        let kinds = Dictionary(
            analysis.trace.kinds.enumerated().map { ($0.element, Int64($0.offset) + 1) },
            uniquingKeysWith: { first, _ in first })
        object.add("nodeCount", tree.nodes.count)
        object.add("parents", PageColumn.object(tree.nodes.map { Int64($0.parent) + 1 }))
        object.add("labels", PageColumn.object(tree.nodes.map { Int64($0.label) }))
        object.add("own", PageColumn.object(tree.nodes.map(\.own)))
        object.add(
            "kinds",
            PageColumn.object(
                tree.nodes.indices.map { index in
                    let isKind = index > 0 && tree.label(index).role == .group
                    return isKind ? kinds[tree.label(index).name] ?? 0 : 0
                }))
        object.add(
            "names",
            tree.labels.map {
                MarkupText.visible(TerminalText.shortened($0.name, toColumns: Self.longestName))
            })
        object.add(
            "files",
            tree.labels.map { label in
                MarkupText.visible(TerminalText.shortened(label.module ?? "", toColumns: Self.longestName))
            })
        object.add("families", tree.labels.map { CodeFamily($0).rawValue })
    }

    private struct Pair: Hashable {
        let operation: Int
        let node: Int32
    }

    /// The time of each operation of the page in each node, in the order of operations; empty if there are
    /// too many.
    private func pairs(
        _ profile: StackProfile, _ nodes: [Int32]
    ) -> [(operation: Int, node: Int32, weight: Int64)] {
        var weights: [Pair: Int64] = [:]
        for (sample, node) in zip(profile.attributed, nodes) where node >= 0 {
            guard let position = selection.position(of: sample.operation.map { Int($0) }) else { continue }
            let pair = Pair(operation: position, node: node)
            weights[pair] = (weights[pair] ?? 0).saturatingAdd(sample.weight)
            if weights.count > Self.mostPairs { return [] }
        }
        return weights.map { ($0.key.operation, $0.key.node, $0.value) }
            .sorted { ($0.operation, $0.node) < ($1.operation, $1.node) }
    }
}
