/// Where the nodes of a graph stand if time decides: from left to right by when they started, to scale, each
/// in the first lane that has room for it, with its name and, where there is room for that, its waits. Cost:
/// O(n log n).
struct NodePlacement {
    struct Box {
        /// Of the execution, from its start to its end; of one that never started, of the whole wait.
        var x: Double
        var width: Double
        var lane = 0
        /// Where the wait before it begins, if waits are drawn.
        var wait: Double
        /// What no other node of the lane is in: with its wait and its name.
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
    /// An execution is drawn at least as wide as this, so that it can be seen.
    private static let leastWidth = 1.5
    /// The room that a name takes at most, beside a bar that is shorter.
    private static let mostNameWidth = 150.0
    /// So much width for each node would fill the picture.
    private static let usualWidth = 80.0
    private static let mostWidth = 200_000.0
    /// With their waits, nodes may take this many times as many lanes as without, or up to this many.
    private static let waitFactor = 3
    private static let mostWaitLanes = 60

    /// By node.
    let boxes: [Box]
    let lanes: Int
    /// Of the whole picture: names may go beyond the end of the time.
    let width: Double
    /// Nanoseconds since the start of the trace at both ends.
    let start: Int64
    let end: Int64
    /// How many nanoseconds a point is.
    let scale: Double
    /// Whether waits are drawn. Where all operations are added at the beginning, each would have a lane to
    /// itself.
    let hasWaits: Bool

    /// - Parameters:
    ///   - names: what is written on each node; empty for nodes without names.
    ///   - isDetailed: whether there is time to draw waits.
    init(_ graph: DrawnGraph, names: [String], isDetailed: Bool) {
        let lifelines = graph.analysis.timings.lifelines
        typealias Times = (enqueued: Int64, start: Int64, end: Int64, hasStarted: Bool)
        let none = (enqueued: Int64.max, start: Int64.max, end: Int64.min, hasStarted: false)
        var times = [Times](repeating: none, count: graph.nodes.count)
        for (index, node) in graph.nodeOfOperation.enumerated() where node >= 0 {
            guard let line = lifelines[index] else { continue }
            let node = Int(node)
            times[node].enqueued = min(times[node].enqueued, line.enqueued)
            if line.executing != nil {
                times[node].start = min(times[node].start, line.start)
                times[node].hasStarted = true
            }
            times[node].end = max(times[node].end, line.end)
        }
        let first = times.map(\.enqueued).min().map { $0 == .max ? 0 : $0 } ?? 0
        let last = max(first, times.map(\.end).max() ?? first)
        for node in times.indices {
            // Operations that the log only names stand at the beginning.
            if times[node].enqueued == .max { times[node] = (first, first, first, false) }
            if !times[node].hasStarted { times[node].start = times[node].enqueued }
        }

        // Wide enough that the nodes, side by side, would fill about as high a picture.
        let area = Double(graph.nodes.count) * Self.usualWidth * Self.laneHeight
        let width = min(Self.mostWidth, max(600, (area * 2.5).squareRoot()))
        let scale = Double(max(1, last - first)) / width
        let boxes = times.indices.map { node in
            Self.box(
                x: Double(times[node].start - first) / scale, end: Double(times[node].end - first) / scale,
                wait: Double(times[node].enqueued - first) / scale, hasStarted: times[node].hasStarted,
                name: names[node])
        }
        // What never started is nothing but a wait, and is drawn in any case.
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

    private static func box(x: Double, end: Double, wait: Double, hasStarted: Bool, name: String) -> Box {
        let width = max(leastWidth, end - x)
        let text = SVGTextWidth.pixels(name, size: fontSize)
        let isInside = name.isEmpty || hasStarted && text + 6 <= width
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

/// The lanes of a picture and up to where each is taken. In a tree over the lanes, so that the first that is
/// free is found in logarithmic time, also where there are as many lanes as nodes.
private struct LaneEnds {
    /// A heap's shape: the children of i are 2i + 1 and 2i + 2; each has the least end below it.
    private var least: [Double] = [.infinity]
    private var leaves = 1
    private(set) var count = 0

    /// The first lane that is free at `start`; it is taken up to `end` then.
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
