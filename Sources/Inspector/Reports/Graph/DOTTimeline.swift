/// A graph in DOT whose nodes and edges have positions, for Graphviz's `nop2`, which only draws them. Linear.
struct DOTTimeline {
    /// Inches. A larger picture is scaled down to this, to limit the size of bitmaps.
    static let largest = "100,100"
    /// With more nodes than this, it leaves out rounded corners and arrowheads, which take Graphviz as long
    /// to draw as everything else. It also leaves out waits, and names that do not fit into their boxes.
    static let mostDetailed = 3_000
    private static let longestName = 40
    /// In points.
    private static let waitHeight = 5.0
    private static let stripHeight = 4.0

    private let graph: DrawnGraph
    private let palette: GraphPalette
    private let layout: NodePlacement
    private let names: [String]
    private let isDetailed: Bool

    private var style: String { isDetailed ? "rounded,filled" : "filled" }

    private var theme: PictureTheme { graph.options.theme }
    private var height: Double { Double(layout.lanes) * NodePlacement.laneHeight }

    init(_ graph: DrawnGraph, _ palette: GraphPalette) {
        self.graph = graph
        self.palette = palette
        let isDetailed = graph.nodes.count + graph.edges.count <= Self.mostDetailed
        self.isDetailed = isDetailed
        names = graph.nodes.indices.map { node in
            let text = GraphNodeText(graph, node)
            let columns = isDetailed ? Self.longestName : 60
            let hasStarted = Self.hasStarted(graph, node)
            return text.mark
                + TerminalText.shortened(text.title.isEmpty ? "?" : text.title, toColumns: columns)
                + (hasStarted ? "" : " (never started)")
        }
        layout = NodePlacement(graph, names: names, isDetailed: isDetailed)
    }

    var text: String {
        let (executions, tasks) = (executions, tasks)
        let drawn = drawnWaits.union(executions.pieces).union(tasks.pieces)
        let title = DOTTitle(graph, palette, drawn: drawn).label
        var text = "digraph opviz {\n"
        text +=
            "  graph [layout=nop2, bb=\"\(Self.number(-10)),-30,\(Self.number(layout.width + 10)),"
            + "\(Self.number(height + title.height + 12))\", "
            + "fontname=\"\(DOTGraph.font)\", fontsize=11, fontcolor=\"\(theme.text)\", "
            + "bgcolor=\"\(theme.background)\", "
            + "pad=0.25, outputorder=edgesfirst, size=\"\(Self.largest)\"]\n"
        text +=
            "  node [shape=box, style=\"\(style)\", fontname=\"\(DOTGraph.font)\", fontsize=9, "
            + "fontcolor=\"\(theme.text)\", fixedsize=true, height=\(Self.inches(NodePlacement.boxHeight)), "
            + "margin=0]\n"
        text +=
            "  edge [color=\"\(isDetailed ? theme.edge : theme.clusterBorder)\", arrowsize=0.4, penwidth=0.4"
            + "\(isDetailed ? "" : ", arrowhead=none")]\n"
        text += node(title)
        for line in axis { text += "  \(line)\n" }
        for line in waits { text += "  \(line)\n" }
        for node in graph.nodes.indices { text += "  \(statement(node))\n" }
        for line in executions.lines + tasks.lines { text += "  \(line)\n" }
        for edge in graph.edges where !edge.relation.isUnfinished { text += "  \(arrow(edge))\n" }
        for line in unfinishedWaits { text += "  \(line)\n" }
        return text + "}\n"
    }

    /// A node without a border, because `nop2` places no label for a graph.
    private func node(_ title: (markup: String, height: Double)) -> String {
        let middle = height + 8 + title.height / 2
        return "  title [shape=plaintext, style=\"\", fixedsize=false, label=\(title.markup), "
            + "pos=\"\(Self.number(min(280, layout.width / 2))),\(Self.number(middle))\", width=0.1, "
            + "height=0.1]\n"
    }

    /// Round times below the lanes, each with a line through all lanes.
    private var axis: [String] {
        let length = Double(layout.end - layout.start) / layout.scale
        let ticks = TimeAxis(from: layout.start, to: layout.end, room: Int(length / 6)).ticks
        return ticks.enumerated().flatMap { step, tick in
            let x = Double(tick.time - layout.start) / layout.scale
            return [
                "grid\(step) [style=filled, label=\"\", color=\"\(theme.grid)\", "
                    + "fillcolor=\"\(theme.grid)\", penwidth=0, "
                    + "width=0.007, height=\(Self.inches(height + 8)), "
                    + "pos=\"\(Self.number(x)),\(Self.number(height / 2 - 4))\"]",
                "time\(step) [shape=plaintext, style=\"\", fontcolor=\"\(theme.mutedText)\", width=1, "
                    + "label=\"\(tick.label)\", pos=\"\(Self.number(x)),-16\"]",
            ]
        }
    }

    // MARK: Nodes

    /// The waits of each operation, as thin bars before its execution.
    private var waits: [String] {
        guard layout.hasWaits else { return [] }
        var number = 0
        var lines: [String] = []
        visitWaits { node, part, from, to in
            let (left, right) = (x(from), x(to))
            guard right - left >= 0.5 else { return }
            let time = DurationFormat.text(nanoseconds: to - from)
            lines.append(
                "wait\(number) [style=filled, label=\"\", tooltip=\"\(part.label) \(time)\", penwidth=0, "
                    + "fillcolor=\"\(theme.color(part))\", height=\(Self.inches(Self.waitHeight)), "
                    + "width=\(Self.inches(right - left)), "
                    + "pos=\"\(Self.number((left + right) / 2)),\(Self.number(center(node).y))\"]")
            number += 1
        }
        return lines
    }

    private var drawnWaits: Set<GraphBar.Piece> {
        var pieces: Set<GraphBar.Piece> = []
        if layout.hasWaits {
            visitWaits { _, part, from, to in if x(to) - x(from) >= 0.5 { pieces.insert(.lifetime(part)) } }
        }
        return pieces
    }

    /// The parts of each execution, as a strip along the lower edge of its box.
    private var executions: (lines: [String], pieces: Set<GraphBar.Piece>) {
        guard isDetailed, let use = graph.processorUse else { return ([], []) }
        let columns = TimeColumns(from: layout.start, width: layout.scale)
        var (lines, pieces): ([String], Set<GraphBar.Piece>) = ([], [])
        for (node, drawn) in graph.nodes.enumerated() {
            guard case .operation(let index) = drawn.content, layout.boxes[node].width >= 3 else { continue }
            let stretches = use.drawnStretches(of: index, within: layout.start..<layout.end, columns)
            guard !stretches.isEmpty else { continue }
            for stretch in stretches { pieces.insert(.execution(stretch.part)) }
            let strip = DOTStrip(stretches, points: layout.boxes[node].width, theme)
            let (x, y) = center(node)
            lines.append(
                "parts\(node) [style=striped, label=\"\", penwidth=0.3, color=\"\(theme.executionHatch)\", "
                    + "fillcolor=\"\(strip.colors)\", height=\(Self.inches(Self.stripHeight)), "
                    + "width=\(Self.inches(layout.boxes[node].width)), tooltip="
                    + "\(DOTNode(graph, palette, node).tooltip), pos=\"\(Self.number(x)),"
                    + "\(Self.number(y - (NodePlacement.boxHeight - Self.stripHeight) / 2))\"]")
        }
        return (lines, pieces)
    }

    /// The runs of each task as boxes, and what it did between them as thin bars.
    private var tasks: (lines: [String], pieces: Set<GraphBar.Piece>) {
        let columns = TimeColumns(from: layout.start, width: layout.scale)
        let lifetimes = TaskLifetimes(graph.trace.tasks)
        var (lines, pieces): ([String], Set<GraphBar.Piece>) = ([], [])
        for (node, drawn) in graph.nodes.enumerated() {
            guard let task = Self.task(drawn, graph) else { continue }
            let stretches = lifetimes.drawnStretches(
                of: task, within: layout.start..<layout.end, columns)
            for stretch in stretches {
                pieces.insert(.task(stretch.part))
                let (left, right) = (x(stretch.start), x(stretch.end))
                let time = DurationFormat.text(nanoseconds: stretch.end - stretch.start)
                let height = stretch.part == .running ? NodePlacement.boxHeight : Self.waitHeight
                lines.append(
                    "task\(lines.count) [style=filled, label=\"\", "
                        + "tooltip=\"\(stretch.part.row.label) \(time)\", penwidth=0, "
                        + "fillcolor=\"\(theme.color(stretch.part))\", height=\(Self.inches(height)), "
                        + "width=\(Self.inches(max(0.5, right - left))), "
                        + "pos=\"\(Self.number((left + right) / 2)),\(Self.number(center(node).y))\"]")
            }
        }
        return (lines, pieces)
    }

    /// The task that a node is; nil for several, and for operations.
    static func task(_ node: DrawnGraph.Node, _ graph: DrawnGraph) -> Int? {
        guard case .operation(let index) = node.content else { return nil }
        return graph.trace.task(index)
    }

    private func visitWaits(_ body: (_ node: Int, LifetimeParts.Part, _ from: Int64, _ to: Int64) -> Void) {
        let analysis = graph.analysis
        let suspended = graph.trace.queues.map { SuspendedTime($0.suspensions) }
        for (node, drawn) in graph.nodes.enumerated() {
            guard case .operation(let index) = drawn.content, graph.trace.task(index) == nil,
                let line = analysis.timings.transitions[index], let waits = analysis.waits[index]
            else { continue }
            let times = graph.trace.operations[index].queue.flatMap {
                suspended.indices.contains($0) ? suspended[$0] : nil
            }
            LifetimeStretches(line, waits, times).visit { part, from, to in
                if part != .execution { body(node, part, from, to) }
            }
        }
    }

    private func x(_ time: Int64) -> Double { Double(time - layout.start) / layout.scale }

    private func statement(_ node: Int) -> String {
        let box = layout.boxes[node]
        let drawn = graph.nodes[node]
        let entry = palette.entry(drawn)
        let (x, y) = center(node)
        let name = box.isNameInside && box.hasStarted ? names[node] : ""
        var attributes =
            "label=\(DOTText.quoted(name)), tooltip=\(DOTNode(graph, palette, node).tooltip), "
            + "pos=\"\(Self.number(x)),\(Self.number(y))\", width=\(Self.inches(box.width)), "
            + "color=\"\(drawn.isWhollyCritical ? theme.critical : entry.border)\", "
            + "penwidth=\(drawn.isWhollyCritical || entry.isBold ? "2" : "0.7")"
        if Self.task(drawn, graph) != nil {
            // Its runs are boxes.
            attributes += ", fillcolor=\"\(palette.fill(drawn))\", height=\(Self.inches(Self.waitHeight + 4))"
        } else if box.hasStarted {
            attributes += ", fillcolor=\"\(palette.fill(drawn))\""
            if entry.isDashed { attributes += ", style=\"\(style),dashed\"" }
            if entry.isDouble { attributes += ", peripheries=2" }
        } else {
            // It only waited.
            attributes += ", style=dashed, height=\(Self.inches(Self.waitHeight + 3))"
        }
        let statement = "\(graph.identifier(of: node)) [\(attributes)]"
        guard !box.isNameInside, isDetailed else { return statement }
        let width = SVGTextWidth.pixels(names[node], size: NodePlacement.fontSize) * 0.8
        return statement + "\n  name\(node) [shape=plaintext, style=\"\", fixedsize=false, width=0.1, "
            + "label=\(DOTText.quoted(names[node])), "
            + "pos=\"\(Self.number(box.x + box.width + 4 + width / 2)),\(Self.number(y))\"]"
    }

    private static func hasStarted(_ graph: DrawnGraph, _ node: Int) -> Bool {
        guard case .operation(let index) = graph.nodes[node].content else { return true }
        return graph.analysis.timings.transitions[index].map { $0.executing != nil } ?? false
    }

    /// A straight line to the second node's start. It begins at the first node's end; or at its start, if the
    /// first added the second.
    private func arrow(_ edge: DrawnGraph.Edge) -> String {
        let (from, to) = (center(edge.from), center(edge.to))
        let isWithin = edge.from == edge.to
        let side = edge.relation == .spawn ? -1.0 : 1
        var start = (x: from.x + side * layout.boxes[edge.from].width / 2, y: from.y)
        var tip = (x: to.x - layout.boxes[edge.to].width / 2, y: isWithin ? to.y - 4 : to.y)
        var base = (x: tip.x - 4, y: tip.y)
        if let moment = edge.moment, !isWithin {
            // Straight up or down, when it was woken.
            let half = (to.y > from.y ? -1 : 1) * Self.waitHeight / 2
            (start.x, tip, base) = (x(moment), (x(moment), to.y + half), (x(moment), to.y + 2.6 * half))
        }
        func third(_ part: Double) -> String {
            Self.point(start.x + (base.x - start.x) * part, start.y + (base.y - start.y) * part)
        }
        let position =
            (isDetailed || edge.critical > 0 ? "e,\(Self.point(tip.x, tip.y)) " : "")
            + "\(Self.point(start.x, start.y)) \(third(1.0 / 3)) \(third(2.0 / 3)) "
            + Self.point(base.x, base.y)
        var attributes = "pos=\"\(position)\""
        if edge.critical > 0, !isDetailed { attributes += ", arrowhead=normal" }
        if edge.relation == .spawn { attributes += ", style=dashed, color=\"\(theme.spawn)\"" }
        if edge.relation.isWake { attributes += ", color=\"\(theme.wake)\"" }
        if edge.critical > 0 {
            attributes += ", color=\"\(theme.critical)\", penwidth=2"
        } else if edge.isInCircle {
            attributes += ", color=\"\(theme.blocked)\", penwidth=2"
        } else if edge.last > 0, isDetailed {
            attributes += ", penwidth=1"
        }
        return "\(graph.identifier(of: edge.from)) -> \(graph.identifier(of: edge.to)) [\(attributes)]"
    }

    /// Waits that lasted to the end: vertical lines, side by side, where both bars are.
    private var unfinishedWaits: [String] {
        let edges = graph.edges.filter(\.relation.isUnfinished)
        return edges.enumerated().map { number, edge in
            let (from, to) = (layout.boxes[edge.from], layout.boxes[edge.to])
            let left = max(from.x, to.x)
            let room = min(from.x + from.width, to.x + to.width) - left
            let x = left + room * Double(number + 1) / Double(edges.count + 1)
            let isUp = center(edge.to).y > center(edge.from).y
            let offset = (isUp ? 1 : -1) * NodePlacement.boxHeight / 2
            let (start, tip) = (center(edge.from).y + offset, center(edge.to).y - offset)
            // The arrowhead begins before the tip.
            let end = tip + (isUp ? -4 : 4)
            let points = (0...3).map { Self.point(x, start + (end - start) * Double($0) / 3) }
            let attributes =
                "pos=\"e,\(Self.point(x, tip)) \(points.joined(separator: " "))\", style=dashed, "
                + "color=\"\(theme.blocked)\", penwidth=1.5, arrowhead=normal"
            return "\(graph.identifier(of: edge.from)) -> \(graph.identifier(of: edge.to)) [\(attributes)]"
        }
    }

    private func center(_ node: Int) -> (x: Double, y: Double) {
        let box = layout.boxes[node]
        return (box.x + box.width / 2, height - (Double(box.lane) + 0.5) * NodePlacement.laneHeight)
    }

    private static func point(_ x: Double, _ y: Double) -> String { "\(number(x)),\(number(y))" }

    private static func inches(_ points: Double) -> String {
        let thousandths = Int((points / 72 * 1000).rounded())
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
    }

    /// With one decimal: a full double takes three times the space.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return (tenths < 0 ? "-" : "") + "\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
