/// Where the nodes of a graph stand if time decides: from left to right by when they started, each in the first lane that is
/// free by then. Linear but for a heap of lanes.
struct NodePlacement {
    struct Box {
        var x: Double
        var lane: Int
        var width: Double
    }

    /// In points.
    static let laneHeight = 26.0
    static let boxHeight = 18.0
    static let gap = 8.0
    static let leastWidth = 72.0
    private static let mostWidth = 200_000.0

    /// By node.
    let boxes: [Box]
    let lanes: Int
    /// Of the whole picture.
    let width: Double
    /// Nanoseconds since the start of the trace at the left edge, and how many of them a point is.
    let start: Int64
    let scale: Double

    init(_ graph: DrawnGraph) {
        let lifelines = graph.analysis.lifelines
        var starts = [Int64](repeating: .max, count: graph.nodes.count)
        var ends = [Int64](repeating: .min, count: graph.nodes.count)
        for (index, node) in graph.nodeOfOperation.enumerated() where node >= 0 {
            guard let line = lifelines[index] else { continue }
            let start = line.executing == nil ? line.enqueued : line.start
            starts[Int(node)] = min(starts[Int(node)], start)
            ends[Int(node)] = max(ends[Int(node)], line.end)
        }
        let first = starts.min().map { $0 == .max ? 0 : $0 } ?? 0
        let last = max(first, ends.max() ?? first)
        // Operations that the log only names stand at the beginning.
        for node in starts.indices where starts[node] == .max { (starts[node], ends[node]) = (first, first) }

        // Wide enough that the nodes, side by side at their least width, would fill about as high a picture.
        let area = Double(graph.nodes.count) * (Self.leastWidth + Self.gap) * Self.laneHeight
        let width = min(Self.mostWidth, max(600, (area * 2.5).squareRoot()))
        let scale = Double(max(1, last - first)) / width
        let order = starts.indices.map { $0 }.sortedByDigits { starts[$0] }
        var boxes = [Box](repeating: Box(x: 0, lane: 0, width: 0), count: graph.nodes.count)
        var lanes = LaneEnds()
        for node in order {
            let x = Double(starts[node] - first) / scale
            let length = max(Self.leastWidth, Double(ends[node] - starts[node]) / scale)
            boxes[node] = Box(x: x, lane: lanes.take(from: x, to: x + length + Self.gap), width: length)
        }
        self.boxes = boxes
        self.lanes = lanes.count
        self.width = width + Self.leastWidth
        start = first
        self.scale = scale
    }
}

/// The lanes of a picture and up to where each is taken. In a tree over the lanes, so that the first that is free is found in
/// logarithmic time, also where there are as many lanes as nodes.
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
