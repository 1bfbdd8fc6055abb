import Foundation

/// Draws the changes of metrics, each with its interval and its threshold: the primary metrics and those in
/// the headlines.
struct ChangesDrawing {
    private static let plot = (left: 280.0, right: 660.0)
    private static let rowHeight = 24.0
    /// Five times as fast or as slow; larger changes are drawn at the edge.
    private static let farthest = log(5.0)
    /// The most important ones first; those that do not fit are left out.
    private static let ticks = [
        0.0, 0.1, -0.1, 0.5, -0.5, 0.2, -0.2, 0.05, -0.05, 1, 3, -0.75, 0.3, -0.3, 0.02, -0.02, 0.01, -0.01,
    ]

    private let words: CheckWords
    private let theme: PictureTheme
    private let rows: [MetricComparison]
    /// The logarithms of ratios.
    private let range: ClosedRange<Double>

    /// - Parameter rows: the metrics; nil for the primary ones and those in the headlines.
    init(_ words: CheckWords, _ theme: PictureTheme, _ rows: [MetricComparison]? = nil) {
        self.words = words
        self.theme = theme
        let rows = rows ?? words.check.primary + words.also
        self.rows = rows
        let bounds = rows.flatMap { row in
            (row.isIntervalSound ? [row.interval.lowerBound, row.interval.upperBound] : []) + [row.ratio]
        }.map { min(max(log($0), -Self.farthest), Self.farthest) }
        let zone = rows.map { Self.threshold(of: $0, words.check.policy) }.max() ?? 0
        let reach = min(log(1 + zone) * 1.6, Self.farthest)
        let (low, high) = (min(bounds.min() ?? 0, -reach), max(bounds.max() ?? 0, reach))
        let room = max((high - low) * 0.05, 0.001)
        range = low - room...high + room
    }

    /// The larger of the two thresholds, which applies.
    private static func threshold(of row: MetricComparison, _ policy: CheckPolicy) -> Double {
        let absolute = Double(max(policy.absoluteThreshold, 0))
        return max(policy.relativeThreshold, row.baselineTime > 0 ? absolute / row.baselineTime : 0, 0)
    }

    /// - Returns: the y coordinate of its end.
    func draw(below top: Double, into document: inout SVGDocument) -> Double {
        guard !rows.isEmpty else { return top }
        document.text(
            "Change, with its 95 % interval", CheckPicture.margin, top + 13, size: 13, fill: theme.text,
            isBold: true)
        let start = top + 24
        let bottom = start + Double(rows.count) * Self.rowHeight
        for (index, row) in rows.enumerated() {
            let from = start + Double(index) * Self.rowHeight
            let zone = 1 + Self.threshold(of: row, words.check.policy)
            document.rectangle(
                x(1 / zone), from, x(zone) - x(1 / zone), Self.rowHeight, "fill=\"\(theme.grid)\"")
        }
        var taken: [Double] = []
        for tick in Self.ticks where range.contains(log(1 + tick)) {
            let at = x(1 + tick)
            guard taken.allSatisfy({ abs($0 - at) >= 48 }) else { continue }
            taken.append(at)
            document.line(
                at, start, at, bottom,
                "stroke=\"\(tick == 0 ? theme.mutedText : theme.clusterBorder)\" "
                    + "stroke-opacity=\"\(tick == 0 ? 1 : 0.5)\""
            )
            document.text(
                tick == 0 ? "0" : (tick > 0 ? "+" : "-") + CheckWords.percent(abs(tick)), at, bottom + 14,
                size: 10,
                fill: theme.mutedText, anchor: .middle)
        }
        for (index, row) in rows.enumerated() {
            draw(row, middle: start + (Double(index) + 0.5) * Self.rowHeight, into: &document)
        }
        document.text(
            "shaded: within the threshold", CheckPicture.margin, bottom + 14, size: 11, fill: theme.mutedText)
        return bottom + 16
    }

    private func x(_ ratio: Double) -> Double {
        let part = (log(ratio) - range.lowerBound) / (range.upperBound - range.lowerBound)
        return Self.plot.left + (Self.plot.right - Self.plot.left) * min(max(part, 0), 1)
    }

    private func draw(_ row: MetricComparison, middle: Double, into document: inout SVGDocument) {
        let verdict = words.check.verdict(of: row)
        let color = theme.color(verdict)
        document.text(
            SVGTextWidth.fitting(
                words.label(row.metric), pixels: Self.plot.left - CheckPicture.margin - 12, size: 12),
            CheckPicture.margin, middle + 4, size: 12, fill: theme.text)
        document.group(class: "change", tooltip: words.headline(row)) { group in
            if row.isIntervalSound {
                let (from, to) = (x(row.interval.lowerBound), x(row.interval.upperBound))
                group.rectangle(
                    from, middle - 3, max(to - from, 1), 6, "rx=\"3\" fill=\"\(color)\" fill-opacity=\"0.45\""
                )
            }
            group.rectangle(x(row.ratio) - 4.5, middle - 4.5, 9, 9, "rx=\"4.5\" fill=\"\(color)\"")
        }
        let figures =
            ChangeText.percent(ratio: row.ratio)
            + (row.isIntervalSound ? " (\(words.interval(row)))" : "")
        document.text(
            "\(CheckTables.mark(verdict)) \(figures)", Self.plot.right + 12, middle + 4, size: 11,
            fill: verdict == .inconclusive ? theme.mutedText : color)
    }
}
