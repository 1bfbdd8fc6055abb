import InspectorColumns

/// What executed when, and what waited for what, as SVG: lanes for each queue over a common time axis, with
/// the critical path through them and the number of executing operations below.
///
/// The picture is at most about 2 MB, whatever the trace: operations that are too short or too many for bars
/// are drawn as shares of time. Or it has a bar for each operation, in as many lines as that takes.
public struct TimelinePicture: Sendable {
    private static let limits = TimelineLayout.Limits(rows: 30, lanes: 60, mergedQueues: 12)
    /// The distance between two lines.
    private static let lineGap = 44.0

    private let style: TimelineStyle
    private let width: Double
    private let heading: PictureHeading
    private let verdict: [String]
    private let notes: [String]
    private let legend: TimelineLegend
    private let chart: TimelineChart
    /// Below each other, instead of ``chart``; empty unless each operation has a bar.
    private let lines: [TimelineLines.Line]

    /// Cost: O(n log n) in operations; in lines, n times their number.
    ///
    /// - Parameters:
    ///   - width: in pixels; at least 400.
    ///   - isWhole: whether each operation has a bar wide enough to be seen, in as many lines as that takes,
    ///     at most 400. One of 10,000 operations is some 40,000 pixels high.
    public init(
        _ analysis: TraceAnalysis, _ options: TimelineOptions = TimelineOptions(),
        theme: PictureTheme = .light, width: Int = 1200, isWhole: Bool = false
    ) {
        let width = Double(min(max(400, width), 10_000))
        let subject = TimelineSubject(analysis, theme)
        chart = TimelineChart(subject, options, Self.limits, width: width, isLine: false)
        lines = isWhole ? TimelineLines(subject, chart, options, width: width).lines : []
        var notes =
            Self.notes(chart.layout, chart.selection, chart.bars) + chart.notesOfTasks
            + [chart.noteOfCircles].compactMap(\.self)
        var entries = chart.entries
        if !lines.isEmpty {
            let charts = lines.compactMap(\.chart)
            notes =
                TimelineLines.notes(lines, chart.selection) + charts.flatMap(\.notesOfTasks).prefix(1)
                + charts.compactMap(\.noteOfCircles).prefix(1)
            // Slots are compared with the number of executing operations, which lines do not show.
            let drawn = Set(charts.flatMap(\.entries)).subtracting([.slots])
            entries = entries.filter(drawn.contains)
        }
        heading = PictureHeading(subject.whole)
        verdict = heading.verdict(columns: Int((width - 24) / SVGTextWidth.pixels("n", size: 11)))
        style = subject.style
        legend = TimelineLegend(entries: entries, style: style)
        self.notes = notes
        self.width = width
    }

    /// What is not drawn individually, in one sentence; `nil` if everything is.
    public var omission: String? { notes.isEmpty ? nil : notes.joined(separator: "; ") }

    /// The file's text. The same trace and options give the same bytes.
    public var svg: String {
        var svg = SVGDocument(
            width: width, theme: style.theme, title: "\(heading.process): timeline",
            definitions: style.definitions)
        svg.text(heading.process, 12, 24, size: 16, fill: style.theme.text, isBold: true)
        svg.text(heading.figures.joined(separator: " · "), 12, 42, size: 11, fill: style.theme.text)
        for (line, words) in verdict.enumerated() {
            svg.text(words, 12, 58 + 15 * Double(line), size: 11, fill: style.theme.text, isBold: true)
        }
        let legendTop = 52 + (verdict.isEmpty ? 0 : 1 + 15 * Double(verdict.count))
        for (line, note) in notes.enumerated() {
            let top = legendTop + 6 + 15 * Double(line)
            svg.text(note, 12, top, size: 10, fill: style.theme.mutedText)
        }
        let top =
            legend.draw(top: legendTop + 15 * Double(notes.count), width: width, into: &svg) + 30
        if lines.isEmpty {
            let bottom = chart.draw(top: top, into: &svg)
            return svg.closed(height: bottom)
        }
        var bottom = top - Self.lineGap
        for line in lines { bottom = line.draw(top: bottom + Self.lineGap, style, into: &svg) }
        return svg.closed(height: bottom + 20)
    }

    /// What is not drawn individually, each in a sentence.
    private static func notes(
        _ layout: TimelineLayout, _ selection: TimelineSelection, _ bars: TimelineBars
    ) -> [String] {
        var notes: [String] = []
        let count = selection.operations.count
        switch layout.style {
        case .rows: break
        case .lanes:
            if bars.omitted > 0 {
                let of = bars.omitted < count ? "\(Prose.grouped(bars.omitted)) of " : ""
                notes.append(
                    "\(of)\(Prose.counted(count, "operation")) \(count == 1 ? "is" : "are") drawn as "
                        + "shares of their lanes, because they are too short or too many for bars; --window "
                        + "enlarges a part of the run")
            }
            let never = layout.sections.reduce(0) { $0 + $1.neverStarted }
            if never > 0 {
                notes.append(
                    "\(Prose.counted(never, "operation")) never started, and \(never == 1 ? "is" : "are") "
                        + "counted only as waiting"
                )
            }
        case .merged:
            let merged = layout.sections.filter { $0.queues > 1 }.reduce(0) { $0 + $1.queues }
            notes.append(
                "\(Prose.counted(count, "operation")) are drawn as counts over time, because more execute "
                    + "at once than lanes fit"
                    + (merged > 0 ? ", and \(merged) queues as one" : "")
                    + "; --window and --queue enlarge a part of the run")
        }
        if layout.style != .rows {
            let endings = layout.sections.reduce(EndingCounts()) { $0 + $1.endings }
            if let words = endings.unfinishedWords { notes.append("\(words)") }
        }
        if let instant = selection.instant { notes.append(instant) }
        if let omission = selection.omission { notes.append(omission) }
        return notes
    }
}
