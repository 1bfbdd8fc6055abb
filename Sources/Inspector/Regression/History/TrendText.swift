import Foundation

/// The trend of a metric for a terminal: a line of bars, and the stretches between changes.
public struct TrendText {
    private static let bars = Array("▁▂▃▄▅▆▇█")
    /// How many points the line shows if the terminal's width is unknown.
    private static let usualBars = 72
    private static let mostRows = 40

    private let trend: MetricTrend

    /// Constant time: ``text(width:)`` does the work.
    public init(_ trend: MetricTrend) { self.trend = trend }

    /// What the metric did, in a sentence; safe for a terminal, but not for markup.
    var summary: String {
        let changes = trend.stretches.count - 1
        let runs = trend.points.reduce(0) { $0 + $1.runs }
        let sessions = Prose.counted(trend.sessionCount, "session")
        let points =
            trend.points.count == trend.sessionCount
            ? "\(sessions) of" : "\(Prose.counted(trend.points.count, "label")) in \(sessions),"
        let over = "\(trend.metric.label) over \(points) \(Prose.counted(runs, "run"))"
        let left =
            trend.omittedPoints == 0
            ? "" : " (the last of \(Prose.grouped(trend.omittedPoints + trend.points.count)))"
        let what =
            changes == 0
            ? "no proven change"
            : "changed \(changes == 1 ? "once" : "\(changes) times")"
        return TerminalText.shortened("\(over)\(left): \(what)", toColumns: 300)
    }

    /// Safe for a terminal with this many columns; nil to use as many as the names need.
    public func text(width: Int?) -> String { text(WritingStyle(width: width)) }

    /// The last changes, which matter most, if there are too many.
    func text(_ style: WritingStyle) -> String {
        let table = table
        return style.fitting(rows: Self.mostRows) { style, rows in
            var shown = table
            shown.rows = Array(table.rows.suffix(rows))
            return shown.text(width: style.width)
                + WritingStyle.omission(
                    table.rows.count - shown.rows.count, "earlier stretch", "earlier stretches") + "\n"
                + bars(style.width ?? Self.usualBars) + "\n"
        }
    }

    private var table: TextTable {
        var table = TextTable(
            title: summary,
            columns: [
                .name("since"), .word("date"), .number("points"), .number("runs"), .number("median"),
                .number("change"),
            ])
        for (index, stretch) in trend.stretches.enumerated() {
            let points = trend.points[stretch.points]
            table.rows.append([
                points.first?.label ?? "", points.first?.date ?? "", Prose.grouped(points.count),
                String(points.reduce(0) { $0 + $1.runs }), DurationFormat.text(nanoseconds: stretch.median),
                trend.changeText(at: index),
            ])
        }
        return table
    }

    /// The last points that fit, scaled from the shortest to the longest of them.
    private func bars(_ width: Int) -> String {
        let medians = trend.points.suffix(max(width, 1)).map(\.median)
        let (low, high) = (medians.min() ?? 0, medians.max() ?? 0)
        let line = medians.map { median in
            let part = high > low ? (median - low) / (high - low) : 0
            return Self.bars[min(Int(part * 8), 7)]
        }
        let range =
            "\(DurationFormat.text(nanoseconds: low)) ▁ to \(DurationFormat.text(nanoseconds: high)) █, "
            + "one bar for each \(trend.points.count == trend.sessionCount ? "session" : "label")"
        return String(line) + "\n" + range
    }
}

extension MetricTrend {
    /// `+12.3 %`, compared with the stretch before; empty for the first one.
    func changeText(at stretch: Int) -> String {
        guard stretch > 0 else { return "" }
        guard let change = change(at: stretch) else { return "from 0" }
        return String(format: "%+.1f %%", min(change * 100, 1e9))
    }
}

/// The trend of a metric: for a terminal, and as a picture.
package struct TrendOutput: Sendable {
    private let trend: MetricTrend
    private let heading: String
    private let theme: PictureTheme

    /// - Parameter heading: the heading of the picture.
    package init(_ trend: MetricTrend, heading: String, theme: PictureTheme) {
        self.trend = trend
        self.heading = heading
        self.theme = theme
    }
}

extension TrendOutput: Writable {
    package static var renderers: [Renderer<TrendOutput>] {
        [
            Renderer(.text, text: { TrendText($0.trend).text($1) }),
            Renderer(
                .svg,
                text: { output, _ in
                    TrendPicture(output.trend, heading: output.heading, theme: output.theme).svg
                }),
        ]
    }
}
