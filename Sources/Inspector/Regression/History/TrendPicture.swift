/// The trend of a metric as SVG: each point with its median and its range, the stretches between changes as
/// lines, and each change with its size.
public struct TrendPicture {
    private static let width = 1000.0
    private static let plot = (left: 80.0, right: 955.0, top: 78.0, bottom: 380.0)
    private static let height = 438.0
    /// How many changes are labelled; every point has a tooltip.
    private static let mostNamedChanges = 12
    private static let longestLabel = 24

    private let trend: MetricTrend
    private let theme: PictureTheme
    private let heading: String
    private let axis: TimeAxis

    /// - Parameter heading: the subject of the trend; not safe for markup.
    public init(_ trend: MetricTrend, heading: String, theme: PictureTheme) {
        self.trend = trend
        self.theme = theme
        self.heading = TerminalText.shortened(heading, toColumns: 80)
        let low = trend.points.map(\.shortest).min() ?? 0
        let high = trend.points.map(\.longest).max() ?? 0
        // Some margin, so that a steady metric is a line in the middle and not at the edge.
        let room = max((high - low) * 0.08, high * 0.02, 1)
        let longest = Double(Int64.max / 4)
        axis = TimeAxis(
            from: Int64(min(max(low - room, 0), longest)), to: Int64(min(high + room, longest)), room: 60)
    }

    /// The file's text. The same trend gives the same text.
    public var svg: String {
        var document = SVGDocument(
            width: Self.width, theme: theme, title: "\(heading): \(TrendText(trend).summary)", definitions: ""
        )
        document.text(heading, 20, 28, size: 15, fill: theme.text, isBold: true)
        document.text(TrendText(trend).summary, 20, 48, size: 12, fill: theme.mutedText)
        drawAxis(&document)
        drawPoints(&document)
        drawChanges(&document)
        drawDates(&document)
        document.text(
            "dot: median of \(isByLabel ? "a label's runs in a session" : "a session's runs") · "
                + "thin line: shortest to longest run · "
                + "thick line: median between changes", 20, Self.height - 10, size: 11, fill: theme.mutedText)
        return document.closed(height: Self.height)
    }

    private func x(_ point: Double) -> Double {
        let room = Self.plot.right - Self.plot.left
        return Self.plot.left + room * (point + 0.5) / Double(trend.points.count)
    }

    private func y(_ time: Double) -> Double {
        let part = (time - Double(axis.start)) / Double(axis.end - axis.start)
        return Self.plot.bottom - (Self.plot.bottom - Self.plot.top) * min(max(part, 0), 1)
    }

    private func drawAxis(_ document: inout SVGDocument) {
        for tick in axis.ticks {
            let height = y(Double(tick.time))
            document.line(Self.plot.left, height, Self.plot.right, height, "stroke=\"\(theme.grid)\"")
            document.text(tick.label, Self.plot.left - 8, height + 4, fill: theme.mutedText, anchor: .end)
        }
    }

    private func drawPoints(_ document: inout SVGDocument) {
        let radius = trend.points.count > 200 ? 1.5 : 3.0
        for (index, point) in trend.points.enumerated() {
            let at = x(Double(index))
            let words = [
                point.label, point.date, DurationFormat.text(nanoseconds: point.median),
                Prose.counted(point.runs, "run"),
            ].compactMap { $0.map { TerminalText.shortened($0, toColumns: 60) } }
            document.group(class: "point", tooltip: words.joined(separator: ", ")) { group in
                group.line(
                    at, y(point.shortest), at, y(point.longest),
                    "stroke=\"\(theme.clusterBorder)\"")
                group.rectangle(
                    at - radius, y(point.median) - radius, 2 * radius, 2 * radius,
                    "rx=\"\(SVGDocument.number(radius))\" fill=\"\(theme.color(.execution))\"")
            }
        }
    }

    private func drawChanges(_ document: inout SVGDocument) {
        let isNamed = trend.stretches.count - 1 <= Self.mostNamedChanges
        for (index, stretch) in trend.stretches.enumerated() {
            let (start, end) = (stretch.points.lowerBound, stretch.points.upperBound)
            let height = y(stretch.median)
            document.line(
                x(Double(start) - 0.4), height, x(Double(end) - 0.6), height,
                "stroke=\"\(theme.text)\" stroke-width=\"2\" stroke-opacity=\"0.7\"")
            guard index > 0 else { continue }
            let at = x(Double(start) - 0.5)
            let isSlower = stretch.median > trend.stretches[index - 1].median
            let color = isSlower ? theme.slower : theme.faster
            document.line(
                at, Self.plot.top, at, Self.plot.bottom, "stroke=\"\(color)\" stroke-dasharray=\"4 3\"")
            guard isNamed else { continue }
            let first = trend.points[start]
            let name = TerminalText.shortened(first.label ?? first.date, toColumns: Self.longestLabel)
            // Neighbouring changes are labelled on different lines; the last ones on the left.
            document.text(
                "\(trend.changeText(at: index)), \(isSlower ? "slower" : "faster"): \(name)",
                at > 800 ? at - 5 : at + 5, Self.plot.top - 4 + Double(index % 3) * 14, size: 11, fill: color,
                anchor: at > 800 ? .end : .start)
        }
    }

    /// Whether some session has several points.
    private var isByLabel: Bool { trend.points.count > trend.sessionCount }

    /// The labels below the first point, the last point, and as many between as fit: the date, and the label
    /// if points of one day differ by that.
    private func drawDates(_ document: inout SVGDocument) {
        let count = trend.points.count
        let shown = min(count, 8)
        let room = (Self.plot.right - Self.plot.left) / Double(shown) - 6
        for place in 0..<shown {
            let index = shown == 1 ? 0 : place * (count - 1) / (shown - 1)
            let point = trend.points[index]
            var words = [point.date]
            if isByLabel, let label = point.label {
                let short = TerminalText.shortened(label, toColumns: Self.longestLabel)
                words.insert(SVGTextWidth.fitting(short, pixels: room, size: 11), at: 0)
            }
            for (line, text) in words.enumerated() {
                document.text(
                    text, x(Double(index)), Self.plot.bottom + 16 + 13 * Double(line), size: 11,
                    fill: theme.mutedText, anchor: .middle)
            }
        }
    }
}
