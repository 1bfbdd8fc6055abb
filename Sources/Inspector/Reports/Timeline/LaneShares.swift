/// Operations that are too short for bars: the fraction of their lane that they take in each column of time.
struct LaneShares {
    /// A column with any operation shows at least this much.
    private static let leastShare = 0.12

    private let columns: Int
    private let range: Range<Int64>
    private var sums: [ColumnSums?]
    /// How many operations began in each column, and how many of these failed or never finished.
    private var counts: [[Int32]]
    private var troubles: [[Int32]]

    /// Whether an operation with this ending is marked.
    static func isTrouble(_ ending: OperationEnding) -> Bool { ending == .failed || ending == .unfinished }

    init(lanes: Int, columns: Int, range: Range<Int64>) {
        self.columns = columns
        self.range = range
        sums = Array(repeating: nil, count: lanes)
        counts = Array(repeating: [], count: lanes)
        troubles = counts
    }

    /// - Parameter isTrouble: whether it failed or never finished, which is marked.
    mutating func add(_ bar: TimelineLayout.Bar, isTrouble: Bool) {
        guard bar.to >= range.lowerBound, bar.from < range.upperBound else { return }
        let lane = Int(bar.lane)
        if sums[lane] == nil {
            sums[lane] = ColumnSums(columns: columns, from: range.lowerBound, to: range.upperBound)
            counts[lane] = Array(repeating: 0, count: columns)
            troubles[lane] = counts[lane]
        }
        sums[lane]?.add(from: bar.from, to: bar.to)
        let share = Double(max(bar.from, range.lowerBound) - range.lowerBound) / Double(range.count)
        let column = min(columns - 1, Int(share * Double(columns)))
        counts[lane][column] += 1
        if isTrouble { troubles[lane][column] += 1 }
    }

    func draw(
        at top: Double, _ geometry: TimelineGeometry, _ style: TimelineStyle, into svg: inout SVGDocument
    ) {
        let inset = 1.5
        let height = geometry.laneHeight - 2 * inset
        let columnWidth = geometry.chartWidth / Double(columns)
        for (lane, sums) in sums.enumerated() {
            guard let sums else { continue }
            let base = top + Double(lane + 1) * geometry.laneHeight - inset
            let heights = zip(sums.averages, counts[lane]).map { share, count in
                height * min(1, count > 0 ? max(share, Self.leastShare) : share)
            }
            let areas = TimelineAreas(left: TimelineGeometry.left, columnWidth: columnWidth, base: base)
            let none = Array(repeating: 0.0, count: columns)
            svg.path(
                areas.between(none, heights), "class=\"shares\" \(style.undivided)")
            // In proportion to their number in each column, but always visible.
            let marks = heights.indices.map { column in
                let (troubles, count) = (troubles[lane][column], counts[lane][column])
                return troubles == 0
                    ? 0
                    : min(heights[column], height * max(Self.leastShare, Double(troubles) / Double(count)))
            }
            let path = areas.between(none, marks)
            if !path.isEmpty { svg.path(path, "fill=\"\(style.theme.border(.failed))\"") }
        }
    }
}
