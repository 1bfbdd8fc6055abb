/// Areas over columns of time, as commands of an SVG path.
struct TimelineAreas {
    let left: Double
    let columnWidth: Double
    /// The base line, from which heights are measured upwards.
    let base: Double

    /// The area between two curves with equally many heights. The upper curve must not be below the lower
    /// one. Empty if they are equal everywhere. Linear in columns; the result is short if little changes.
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

    /// Rounds to a tenth of a pixel: smaller differences do not count as changes.
    private static func rounded(_ height: Double) -> Double { (height * 10).rounded() / 10 }

    private func x(_ column: Int) -> String { SVGDocument.number(left + Double(column) * columnWidth) }

    private func y(_ height: Double) -> String { SVGDocument.number(base - height) }
}
