/// The trend of a metric as SVG: each session by its median and from its shortest to its longest run, the stretches between
/// changes as lines, and each change with what it was.
public struct TrendPicture {
    private static let width = 1000.0
    private static let plot = (left: 80.0, right: 955.0, top: 78.0, bottom: 380.0)
    private static let height = 430.0
    /// So many changes have words beside them, and each session a tooltip.
    private static let mostNamedChanges = 12
    private static let longestLabel = 24

    private let trend: MetricTrend
    private let theme: PictureTheme
    private let heading: String
    private let axis: TimeAxis

    /// - Parameter heading: whose trend it is; unsafe text.
    public init(_ trend: MetricTrend, heading: String, theme: PictureTheme) {
        self.trend = trend
        self.theme = theme
        self.heading = TerminalText.shortened(heading, toColumns: 80)
        let low = trend.sessions.map(\.shortest).min() ?? 0
        let high = trend.sessions.map(\.longest).max() ?? 0
        // A little room, so that a steady metric is a line in the middle and not at the edge.
        let room = max((high - low) * 0.08, high * 0.02, 1)
        let longest = Double(Int64.max / 4)
        axis = TimeAxis(
            from: Int64(min(max(low - room, 0), longest)), to: Int64(min(high + room, longest)), room: 60)
    }

    public var svg: String {
        var document = SVGDocument(
            width: Self.width, theme: theme, title: "\(heading): \(TrendText(trend).summary)", definitions: ""
        )
        document.text(heading, 20, 28, size: 15, fill: theme.text, isBold: true)
        document.text(TrendText(trend).summary, 20, 48, size: 12, fill: theme.mutedText)
        drawAxis(&document)
        drawSessions(&document)
        drawChanges(&document)
        drawDates(&document)
        document.text(
            "dot: median of a session's runs · thin line: its shortest to its longest run · "
                + "thick line: median between changes", 20, Self.height - 10, size: 11, fill: theme.mutedText)
        return document.closed(height: Self.height)
    }

    private func x(_ session: Double) -> Double {
        let room = Self.plot.right - Self.plot.left
        return Self.plot.left + room * (session + 0.5) / Double(trend.sessions.count)
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

    private func drawSessions(_ document: inout SVGDocument) {
        let radius = trend.sessions.count > 200 ? 1.5 : 3.0
        for (index, session) in trend.sessions.enumerated() {
            let at = x(Double(index))
            let words = [
                session.label, session.date, DurationFormat.text(nanoseconds: session.median),
                Prose.counted(session.runs, "run"),
            ].compactMap { $0.map { TerminalText.shortened($0, toColumns: 60) } }
            document.group(class: "session", tooltip: words.joined(separator: ", ")) { group in
                group.line(
                    at, y(session.shortest), at, y(session.longest),
                    "stroke=\"\(theme.clusterBorder)\"")
                group.rectangle(
                    at - radius, y(session.median) - radius, 2 * radius, 2 * radius,
                    "rx=\"\(SVGDocument.number(radius))\" fill=\"\(theme.color(.execution))\"")
            }
        }
    }

    private func drawChanges(_ document: inout SVGDocument) {
        let isNamed = trend.stretches.count - 1 <= Self.mostNamedChanges
        for (index, stretch) in trend.stretches.enumerated() {
            let (start, end) = (stretch.sessions.lowerBound, stretch.sessions.upperBound)
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
            let first = trend.sessions[start]
            let name = TerminalText.shortened(first.label ?? first.date, toColumns: Self.longestLabel)
            // Neighbouring changes have their words on different lines, and the last ones theirs on the left.
            document.text(
                "\(trend.changeText(at: index)), \(isSlower ? "slower" : "faster"): \(name)",
                at > 800 ? at - 5 : at + 5, Self.plot.top - 4 + Double(index % 3) * 14, size: 11, fill: color,
                anchor: at > 800 ? .end : .start)
        }
    }

    /// Of the first session, the last, and as many between as fit.
    private func drawDates(_ document: inout SVGDocument) {
        let count = trend.sessions.count
        let shown = min(count, 8)
        for place in 0..<shown {
            let index = shown == 1 ? 0 : place * (count - 1) / (shown - 1)
            document.text(
                trend.sessions[index].date, x(Double(index)), Self.plot.bottom + 20, size: 11,
                fill: theme.mutedText, anchor: .middle)
        }
    }
}
