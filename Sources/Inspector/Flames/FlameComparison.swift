import InspectorColumns

/// The code of two runs compared: how much time each function takes in the later run, and how much it took in
/// the earlier one for the same number of executions of its kind.
struct FlameComparison {
    /// What a node or a function took before and after.
    struct Change {
        /// In the earlier run, times the ratio of the executions.
        var before: Double
        var after: Int64
        /// The variance of the difference, because the samples are taken at random moments.
        var variance: Double

        var difference: Double { Double(after) - before }

        /// Whether chance alone makes such a difference in less than 5 of 100 cases.
        var isProven: Bool { difference.magnitude > 2 * variance.squareRoot() }

        /// `+12 %`; empty without a time before.
        var percent: String {
            ChangeText.percent(from: Int64(rounding: before), to: after)
        }
    }

    /// A function of a kind.
    struct Function {
        let kind: String
        let label: FlameTree.Label
        /// How often operations of the kind were executed in the later run, or in the earlier run if the
        /// later one lacks it.
        let executions: Int
        let change: Change
    }

    /// One run.
    private struct Side {
        let tree: FlameTree
        let period: Int64
        /// By kind.
        let executions: [String: Int]

        init(_ profile: StackProfile) {
            tree = FlameTree.of(profile).tree
            period = profile.period ?? 1
            let columns = profile.timings.trace.operations.store.columns
            let kinds = profile.timings.trace.kinds
            executions = profile.timings.transitions.indices.reduce(into: [:]) { counts, index in
                guard columns.executing.has(index) else { return }
                counts[kinds[Int(columns.kinds[index])], default: 0] += 1
            }
        }
    }

    /// The later run.
    var tree: FlameTree { after.tree }
    /// For each node of the tree.
    let changes: [Change]
    /// The time that each takes itself, by kind: what grew most first.
    let functions: [Function]
    /// The kinds that only one of the runs has samples of.
    let newKinds: [String]
    let goneKinds: [String]

    private let before: Side
    private let after: Side

    init(before: StackProfile, after: StackProfile) {
        let (before, after) = (Side(before), Side(after))
        self.before = before
        self.after = after
        changes = Self.changes(before, after)
        functions = Self.functions(before, after)
        let (earlier, later) = (Self.kinds(before.tree), Self.kinds(after.tree))
        newKinds = later.filter { !earlier.contains($0) }
        goneKinds = earlier.filter { !later.contains($0) }
    }

    private static func kinds(_ tree: FlameTree) -> [String] {
        tree.groups.filter { $0.lowerBound > 0 }.map { tree.label($0.lowerBound).name }
    }

    /// By what a time of the earlier run is multiplied, for a kind. Without executions in either run: as it
    /// is.
    private static func ratio(_ kind: String, _ before: Side, _ after: Side) -> Double {
        guard let first = before.executions[kind], let second = after.executions[kind] else { return 1 }
        return Double(second) / Double(first)
    }

    private static func change(
        _ first: Int64, _ second: Int64, ratio: Double, _ before: Side, _ after: Side
    ) -> Change {
        // A number of samples has about its own value as variance, in samples.
        let variance =
            Double(first) * Double(before.period) * ratio * ratio + Double(second) * Double(after.period)
        return Change(before: Double(first) * ratio, after: second, variance: variance)
    }

    /// Nodes correspond if they have the same functions above them.
    private static func changes(_ before: Side, _ after: Side) -> [Change] {
        var children: [Edge: Int32] = [:]
        for (index, node) in before.tree.nodes.enumerated() {
            children[Edge(parent: node.parent, label: before.tree.label(index))] = Int32(index)
        }
        var places: [Int32?] = []
        var ratios: [Double] = []
        var changes: [Change] = []
        for (index, node) in after.tree.nodes.enumerated() {
            let label = after.tree.label(index)
            let place =
                index == 0
                ? 0 : places[Int(node.parent)].flatMap { children[Edge(parent: $0, label: label)] }
            places.append(place)
            let isKind = label.role == .group && index > 0
            ratios.append(
                isKind ? ratio(label.name, before, after) : index == 0 ? 1 : ratios[Int(node.parent)])
            changes.append(
                change(
                    place.map { before.tree.nodes[Int($0)].total } ?? 0, node.total, ratio: ratios[index],
                    before, after))
        }
        return sumOfKinds(changes, before, after)
    }

    /// The root's figures are the sums of the kinds', each with its own ratio.
    private static func sumOfKinds(_ changes: [Change], _ before: Side, _ after: Side) -> [Change] {
        var changes = changes
        changes[0] = Change(before: 0, after: after.tree.total, variance: 0)
        for (index, node) in after.tree.nodes.enumerated() where node.parent == 0 {
            changes[0].before += changes[index].before
            changes[0].variance += changes[index].variance
        }
        return changes
    }

    private struct Edge: Hashable {
        let parent: Int32
        let label: FlameTree.Label
    }

    private static func functions(_ before: Side, _ after: Side) -> [Function] {
        struct Key: Hashable {
            let kind: String
            let label: FlameTree.Label
        }
        var times: [Key: (before: Int64, after: Int64)] = [:]
        func own(_ side: Side, _ add: (Key, Int64) -> Void) {
            for group in side.tree.groups where side.tree.total > 0 {
                for row in FlameFunctions(side.tree, group).rows where row.own > 0 {
                    add(
                        Key(
                            kind: side.tree.label(group.lowerBound).name,
                            label: side.tree.labels[Int(row.label)]), row.own)
                }
            }
        }
        own(before) { times[$0, default: (0, 0)].before += $1 }
        own(after) { times[$0, default: (0, 0)].after += $1 }
        let functions = times.map { key, time in
            Function(
                kind: key.kind, label: key.label,
                executions: max(1, after.executions[key.kind] ?? before.executions[key.kind] ?? 1),
                change: change(
                    time.before, time.after, ratio: ratio(key.kind, before, after), before, after))
        }
        return functions.sorted { first, second in
            if first.change.difference != second.change.difference {
                return first.change.difference > second.change.difference
            }
            return (first.kind, first.label.name, first.label.module ?? "")
                < (second.kind, second.label.name, second.label.module ?? "")
        }
    }
}
