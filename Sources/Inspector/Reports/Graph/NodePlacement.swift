/// The positions of a graph's nodes by time: from left to right by their start, to scale, each in the first
/// lane with room for it, its name, and if possible its waits. Cost: O(n log n).
struct NodePlacement {
    struct Box {
        /// The horizontal extent of the execution; for an operation that never started, of the whole wait.
        var x: Double
        var width: Double
        var lane = 0
        /// Where the wait before it begins, if waits are drawn.
        var wait: Double
        /// The range that no other node of the lane overlaps, including its wait and its name.
        var taken: (from: Double, to: Double)
        var hasStarted: Bool
        /// Whether the name fits into the box.
        var isNameInside: Bool
    }

    /// In points.
    static let laneHeight = 22.0
    static let boxHeight = 16.0
    static let gap = 6.0
    static let fontSize = 9.0
    /// The smallest width of an execution, so that it is visible.
    private static let leastWidth = 1.5
    /// The largest width of a name beside a shorter bar.
    private static let mostNameWidth = 150.0
    /// The width per node that would fill the picture.
    private static let usualWidth = 80.0
    private static let mostWidth = 200_000.0
    /// With waits, nodes may take this many times the lanes that they take without, or up to this many lanes.
    private static let waitFactor = 3
    private static let mostWaitLanes = 60

    /// For each node.
    let boxes: [Box]
    let lanes: Int
    /// The width of the whole picture: names may extend beyond the end of the time.
    let width: Double
    /// The times at both ends, in nanoseconds since the start of the trace.
    let start: Int64
    let end: Int64
    /// Nanoseconds per point.
    let scale: Double
    /// Whether waits are drawn. If all operations are added at the beginning, each would need its own lane.
    let hasWaits: Bool

    /// - Parameters:
    ///   - names: the text on each node; empty for nodes without names.
    ///   - isDetailed: whether there is time to draw waits.
    init(_ graph: DrawnGraph, names: [String], isDetailed: Bool) {
        let transitions = graph.analysis.timings.transitions
        typealias Times = (enqueued: Int64, start: Int64, end: Int64, hasStarted: Bool)
        let none = (enqueued: Int64.max, start: Int64.max, end: Int64.min, hasStarted: false)
        var times = [Times](repeating: none, count: graph.nodes.count)
        for (index, node) in graph.nodeOfOperation.enumerated() where node >= 0 {
            guard let line = transitions[index] else { continue }
            let node = Int(node)
            times[node].enqueued = min(times[node].enqueued, line.enqueued)
            if graph.trace.task(index) != nil {
                // Its bar shows what it awaited, too.
                times[node].start = min(times[node].start, line.enqueued)
                times[node].hasStarted = true
            } else if line.executing != nil {
                times[node].start = min(times[node].start, line.start)
                times[node].hasStarted = true
            }
            times[node].end = max(times[node].end, line.end)
        }
        let first = times.map(\.enqueued).min().map { $0 == .max ? 0 : $0 } ?? 0
        let last = max(first, times.map(\.end).max() ?? first)
        for node in times.indices {
            // Operations that the log only names are put at the beginning.
            if times[node].enqueued == .max { times[node] = (first, first, first, false) }
            if !times[node].hasStarted { times[node].start = times[node].enqueued }
        }

        // Wide enough that the nodes, side by side, would fill a picture of about this height.
        let area = Double(graph.nodes.count) * Self.usualWidth * Self.laneHeight
        let width = min(Self.mostWidth, max(600, (area * 2.5).squareRoot()))
        let scale = Double(max(1, last - first)) / width
        let boxes = times.indices.map { node in
            Self.box(
                x: Double(times[node].start - first) / scale, end: Double(times[node].end - first) / scale,
                wait: Double(times[node].enqueued - first) / scale, hasStarted: times[node].hasStarted,
                isThin: DOTTimeline.task(graph.nodes[node], graph) != nil, name: names[node])
        }
        // An operation that never started consists only of a wait, and is always drawn.
        let (plain, lanes) = Self.packed(boxes)
        let isOne = graph.nodes.allSatisfy { if case .operation = $0.content { true } else { false } }
        var chosen = (boxes: plain, lanes: lanes, hasWaits: false)
        if isDetailed, isOne {
            let (packed, more) = Self.packed(
                boxes.map { box in
                    var box = box
                    box.taken.from = min(box.wait, box.taken.from)
                    return box
                })
            if more <= max(Self.mostWaitLanes, lanes * Self.waitFactor) { chosen = (packed, more, true) }
        }
        self.boxes = chosen.boxes
        self.lanes = chosen.lanes
        hasWaits = chosen.hasWaits
        self.width = chosen.boxes.reduce(width) { max($0, $1.taken.to) }
        start = first
        end = last
        self.scale = scale
    }

    private static func box(
        x: Double, end: Double, wait: Double, hasStarted: Bool, isThin: Bool, name: String
    ) -> Box {
        let width = max(leastWidth, end - x)
        let text = SVGTextWidth.pixels(name, size: fontSize)
        let isInside = name.isEmpty || hasStarted && !isThin && text + 6 <= width
        let taken = (from: x, to: x + width + (isInside ? 0 : 3 + min(text, mostNameWidth)) + gap)
        return Box(
            x: x, width: width, wait: wait, taken: taken, hasStarted: hasStarted, isNameInside: isInside)
    }

    private static func packed(_ boxes: [Box]) -> (boxes: [Box], lanes: Int) {
        var boxes = boxes
        var lanes = LaneEnds()
        for node in boxes.indices.sorted(by: { (boxes[$0].taken.from, $0) < (boxes[$1].taken.from, $1) }) {
            boxes[node].lane = lanes.take(from: boxes[node].taken.from, to: boxes[node].taken.to)
        }
        return (boxes, lanes.count)
    }
}

/// The lanes of a picture, and up to where each is taken. A tree over the lanes finds the first free lane in
/// logarithmic time, even with as many lanes as nodes.
private struct LaneEnds {
    /// A binary heap layout: the children of i are 2i + 1 and 2i + 2. Each has the smallest end below it.
    private var least: [Double] = [.infinity]
    private var leaves = 1
    private(set) var count = 0

    /// Takes the first lane that is free at `start`, up to `end`.
    mutating func take(from start: Double, to end: Double) -> Int {
        if least[0] > start {
            if count == leaves { grow() }
            set(count, end)
            count += 1
            return count - 1
        }
        var node = 0
        while node < leaves - 1 { node = least[2 * node + 1] <= start ? 2 * node + 1 : 2 * node + 2 }
        let lane = node - (leaves - 1)
        set(lane, end)
        return lane
    }

    private mutating func set(_ lane: Int, _ end: Double) {
        var node = lane + leaves - 1
        least[node] = end
        while node > 0 {
            node = (node - 1) / 2
            least[node] = min(least[2 * node + 1], least[2 * node + 2])
        }
    }

    private mutating func grow() {
        let ends = Array(least[(leaves - 1)...])
        leaves *= 2
        least = Array(repeating: .infinity, count: 2 * leaves - 1)
        for (lane, end) in ends.enumerated() { set(lane, end) }
    }
}
