/// Areas over columns of time, as commands of an SVG path.
struct TimelineAreas {
    let left: Double
    let columnWidth: Double
    /// Where heights are measured from, upwards.
    let base: Double

    /// The area between two curves of as many heights, of which the upper one is nowhere below the lower one;
    /// empty where they are the same everywhere. Linear in columns, and short where little changes.
    func between(_ lower: [Double], _ upper: [Double]) -> String {
        let lower = lower.map(Self.rounded)
        let upper = upper.map(Self.rounded)
        var path = ""
        var column = 0
        while column < upper.count {
            guard upper[column] > lower[column] else {
                column += 1
                continue
            }
            var end = column
            while end < upper.count, upper[end] > lower[end] { end += 1 }
            path += "M\(x(column)) \(y(upper[column]))"
            for next in column + 1..<end where upper[next] != upper[next - 1] {
                path += "H\(x(next))V\(y(upper[next]))"
            }
            path += "H\(x(end))V\(y(lower[end - 1]))"
            for next in (column..<end - 1).reversed() where lower[next] != lower[next + 1] {
                path += "H\(x(next + 1))V\(y(lower[next]))"
            }
            path += "H\(x(column))Z"
            column = end
        }
        return path
    }

    /// To a tenth of a pixel: what is closer is no change.
    private static func rounded(_ height: Double) -> Double { (height * 10).rounded() / 10 }

    private func x(_ column: Int) -> String { SVGDocument.number(left + Double(column) * columnWidth) }

    private func y(_ height: Double) -> String { SVGDocument.number(base - height) }
}
