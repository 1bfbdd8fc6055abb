import InspectorColumns

/// The fill of each node, and the legend for the fills.
struct GraphPalette {
    struct Entry {
        let label: String
        let fill: String
        let border: String
        var isDashed = false
        var isBold = false
        var isDouble = false
    }

    /// The number of shades, from the shortest to the longest execution of a node.
    static let shades = 5
    private static let longestName = 28

    private let graph: DrawnGraph
    /// The fill of each kind or queue.
    private var fillOfGroup: [Int: Int] = [:]
    private let longest: Int64
    /// Shades are used only if the longest execution exceeds the shortest by this factor.
    private static let leastContrast = 1.25
    private let isShaded: Bool
    /// The largest number of critical operations in a node, and of critical edges in an arrow.
    private let mostCritical: (nodes: Int, edges: Int)

    /// The number of edges that all arrows represent.
    private let edgeCount: Int

    private var theme: PictureTheme { graph.options.theme }

    init(_ graph: DrawnGraph) {
        self.graph = graph
        mostCritical = (
            graph.nodes.reduce(1) { max($0, $1.critical) }, graph.edges.reduce(1) { max($0, $1.critical) }
        )
        edgeCount = graph.edges.reduce(0) { $0 + $1.count }
        let executed = graph.nodes.lazy.map(\.waits.execution).filter { $0 > 0 }
        longest = executed.max() ?? 0
        isShaded = Double(longest) > Self.leastContrast * Double(executed.min() ?? 0)
        guard graph.options.coloring == .kind || graph.options.coloring == .queue else { return }
        var weights: [Int: Int64] = [:]
        for node in graph.nodes {
            guard let group = group(of: node) else { continue }
            weights[group] = (weights[group] ?? 0).saturatingAdd(node.waits.execution)
        }
        let ranked = weights.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        if graph.options.coloring == .kind {
            // The same as in every picture of the run, also if a part of it is drawn.
            let numbers = KindColors(graph.analysis).numbers
            for kind in ranked { fillOfGroup[kind] = numbers[kind] }
        } else {
            for (rank, queue) in ranked.prefix(theme.groupFills.count).enumerated() {
                fillOfGroup[queue] = rank
            }
        }
    }

    /// What the node's colour shows, and the colour.
    func entry(_ node: DrawnGraph.Node) -> Entry {
        switch graph.options.coloring {
        case .outcome: outcome(node.ending)
        case .slack: slack(node)
        case .kind, .queue: group(node)
        }
    }

    /// The fill for an ending. It is stronger the longer the node executed.
    func fill(_ node: DrawnGraph.Node) -> String {
        let entry = entry(node)
        guard graph.options.coloring == .outcome, shade(node) > 0 else { return entry.fill }
        return HexColor.mixed(entry.fill, entry.border, Double(shade(node)) * 0.09)
    }

    /// 1 to 3: heavier if more of the critical path is in the node. Equal for all nodes with single
    /// operations.
    func criticalWidth(_ node: DrawnGraph.Node) -> Int { Self.width(node.critical, of: mostCritical.nodes) }

    func criticalWidth(_ edge: DrawnGraph.Edge) -> Int { Self.width(edge.critical, of: mostCritical.edges) }

    /// Whether an arrow is drawn as part of the critical path. If arrows represent many edges, those with
    /// little of the path would hide the others.
    func isCritical(_ edge: DrawnGraph.Edge) -> Bool { edge.critical > 0 && criticalWidth(edge) > 1 }

    /// Heavier if an arrow represents a larger share of all edges. For single edges, heavier for the last
    /// dependency to finish. `nil` for the default width.
    func width(_ edge: DrawnGraph.Edge, and back: DrawnGraph.Edge? = nil) -> String? {
        let count = edge.count + (back?.count ?? 0)
        if count == 1, graph.collapse == .none { return edge.last > 0 ? "1.8" : nil }
        return Self.widths[min(Self.widths.count - 1, count * 20 / max(1, edgeCount))]
    }

    private static let widths = ["0.8", "1.2", "1.8", "2.4", "2.8"]

    /// The width of arrows with a small share of all edges.
    var thinnest: String { Self.widths[0] }

    private static func width(_ count: Int, of most: Int) -> Int { 1 + min(2, max(0, count * 3 - 1) / most) }

    /// 0 to `shades` - 1, by the square root, so that not only the longest ones stand out.
    func shade(_ node: DrawnGraph.Node) -> Int {
        guard isShaded else { return 0 }
        let share = (Double(node.waits.execution) / Double(longest)).squareRoot()
        return min(Self.shades - 1, Int(share * Double(Self.shades)))
    }

    /// The entries that occur, each once: endings in their order, kinds and queues by execution time.
    var legend: [Entry] {
        var seen: Set<String> = []
        let present = graph.nodes.map(entry).filter { seen.insert($0.label).inserted }
        let order: [String]
        switch graph.options.coloring {
        case .outcome: order = OperationEnding.allCases.map(\.label)
        case .slack: order = Self.slackSteps.map(\.label) + [Self.unknownSlack]
        case .kind, .queue:
            let named = fillOfGroup.sorted { $0.value < $1.value }.map { name(of: $0.key) }
            order = named + [others]
        }
        return present.sorted {
            (order.firstIndex(of: $0.label) ?? .max) < (order.firstIndex(of: $1.label) ?? .max)
        }
    }

    /// The legend for the lines around nodes, which show endings if the fill shows something else.
    var endings: [Entry] {
        if graph.options.coloring == .outcome { return [] }
        let present = Set(graph.nodes.map(\.ending))
        return OperationEnding.allCases.filter { $0 != .succeeded && present.contains($0) }.map { ending in
            let entry = outcome(ending)
            return Entry(
                label: entry.label, fill: theme.background, border: theme.edge, isDashed: entry.isDashed,
                isBold: entry.isBold, isDouble: entry.isDouble)
        }
    }

    private func outcome(_ ending: OperationEnding) -> Entry {
        Entry(
            label: ending.label, fill: theme.fill(ending), border: theme.border(ending),
            isDashed: ending == .cancelled || ending == .unobserved, isBold: ending == .unfinished,
            isDouble: ending == .failed)
    }

    // MARK: Kinds and queues

    private func group(of node: DrawnGraph.Node) -> Int? {
        if graph.options.coloring == .queue { return node.queue }
        return switch node.content {
        case .operation(let index): graph.trace.operations[index].kindIndex
        case .kind(let kind): kind
        case .group, .queue, .noQueue, .others: nil
        }
    }

    private func group(_ node: DrawnGraph.Node) -> Entry {
        let ending = outcome(node.ending)
        let known = group(of: node).flatMap { group in fillOfGroup[group].map { (group, $0) } }
        // The line shows how it ended.
        return Entry(
            label: known.map { name(of: $0.0) } ?? others,
            fill: known.map { theme.groupFills[$0.1] } ?? theme.otherFill, border: theme.edge,
            isDashed: ending.isDashed, isBold: ending.isBold, isDouble: ending.isDouble)
    }

    private var others: String {
        graph.options.coloring == .kind ? "other kinds" : "other queues, or several"
    }

    private func name(of group: Int) -> String {
        let name =
            graph.options.coloring == .kind
            ? graph.trace.operations.store.texts[graph.trace.operations.store.columns.kindTexts[group]]
            : graph.trace.queues[group].displayName
        return TerminalText.shortened(name.isEmpty ? "?" : name, toColumns: Self.longestName)
    }

    // MARK: Slack

    private static let unknownSlack = "slack not known"
    /// The upper bound of each step, as a share of the critical path.
    private static let slackSteps: [(share: Double, label: String, mix: Double)] = [
        (0, "no slack", 0.55), (0.01, "up to 1 %", 0.35), (0.1, "up to 10 %", 0.18),
        (.infinity, "more slack", 0.05),
    ]

    private func slack(_ node: DrawnGraph.Node) -> Entry {
        let ending = outcome(node.ending)
        var entry = Entry(label: Self.unknownSlack, fill: theme.background, border: theme.mutedText)
        if let slack = node.slack {
            let share = Double(slack) / Double(max(1, graph.analysis.criticalPath.length))
            let step =
                Self.slackSteps.first { share <= $0.share } ?? Self.slackSteps[Self.slackSteps.count - 1]
            entry = Entry(
                label: step.label, fill: HexColor.mixed(theme.background, theme.critical, step.mix),
                border: theme.edge, isDashed: ending.isDashed, isBold: ending.isBold,
                isDouble: ending.isDouble)
        }
        return entry
    }
}

/// Colours as pictures write them, `#RRGGBB`.
enum HexColor {
    /// Mixes `share` of the second colour into the first, 0 to 1.
    static func mixed(_ first: String, _ second: String, _ share: Double) -> String {
        let (one, other) = (channels(first), channels(second))
        return "#"
            + zip(one, other).map { one, other in
                let value = Int((Double(one) * (1 - share) + Double(other) * share).rounded())
                let digits = String(min(255, max(0, value)), radix: 16, uppercase: true)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }

    private static func channels(_ color: String) -> [Int] {
        let number = Int(color.dropFirst(), radix: 16) ?? 0
        return [number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF]
    }
}
