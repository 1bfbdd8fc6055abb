import InspectorColumns

/// A timeline in lines below each other, as a text is, so that each operation has a bar.
struct TimelineLines {
    /// A part of the run, and its chart; nil if nothing began or ended in it.
    struct Line {
        let range: Range<Int64>
        let chart: TimelineChart?

        /// Returns where it ends.
        func draw(top: Double, _ style: TimelineStyle, into svg: inout SVGDocument) -> Double {
            if let chart { return chart.draw(top: top, into: &svg) }
            let length = DurationFormat.text(nanoseconds: range.upperBound - range.lowerBound)
            svg.text(
                "nothing began or ended for \(length)", TimelineGeometry.left, top - 18, size: 10,
                fill: style.theme.mutedText)
            return top - 18
        }
    }

    /// The width of a bar, in pixels, of an execution of the median length: room for a short name.
    private static let medianWidth = 60.0
    private static let most = 400
    private static let mostLanes = 2000

    let lines: [Line]

    /// Cost: n log n for each line, for n operations.
    ///
    /// - Parameter chart: of the whole run.
    init(_ subject: TimelineSubject, _ chart: TimelineChart, _ options: TimelineOptions, width: Double) {
        let selection = chart.selection
        let moments = Self.moments(subject, chart)
        let length = Self.length(of: chart, moments, subject.analysis, width: width)
        var limits = TimelineLayout.Limits(rows: 0, lanes: Self.mostLanes, mergedQueues: Self.mostLanes)
        if chart.layout.style == .rows { limits.rows = 1000 }
        var lines: [Line] = []
        var start = selection.start
        for number in Self.numbers(moments, selection, length) {
            let first = selection.start + number * length
            if first > start { lines.append(Line(range: start..<first, chart: nil)) }
            start = min(first.saturatingAdd(length), selection.end)
            var part = options
            part.window = first..<start
            lines.append(
                Line(
                    range: first..<start,
                    chart: TimelineChart(subject, part, limits, width: width, isLine: true)))
        }
        if start < selection.end, !lines.isEmpty {
            lines.append(Line(range: start..<selection.end, chart: nil))
        }
        self.lines = lines
    }

    /// The lines in which something begins or ends, in order.
    private static func numbers(_ moments: [Int64], _ selection: TimelineSelection, _ length: Int64)
        -> [Int64]
    {
        let last = (selection.end - selection.start - 1) / length
        var numbers: [Int64] = []
        for moment in moments where moment >= selection.start && moment <= selection.end {
            let number = min((moment - selection.start) / length, last)
            if number != numbers.last { numbers.append(number) }
        }
        return numbers
    }

    /// How long a line is, in nanoseconds.
    private static func length(
        of chart: TimelineChart, _ moments: [Int64], _ analysis: TraceAnalysis, width: Double
    ) -> Int64 {
        let selection = chart.selection
        let whole = selection.end - selection.start
        let executions = selection.operations.compactMap { operation -> Int64? in
            guard let line = analysis.timings.transitions[Int(operation)], line.executing != nil else {
                return nil
            }
            return line.end - line.start
        }
        let stays = (chart.tasks?.stays ?? []).map { $0.end - $0.start }
        let lengths = (executions + stays).filter { $0 > 0 }.sorted()
        guard !lengths.isEmpty else { return whole }
        let bars = (width - TimelineGeometry.left - TimelineGeometry.right) / medianWidth
        let wanted = Double(lengths[lengths.count / 2]) * bars
        var length = min(whole, max(1, Int64(rounding: wanted, .up)))
        while numbers(moments, selection, length).count > most {
            length = min(whole, length.saturatingAdd(length))
        }
        return length
    }

    /// When operations and runs of tasks began and ended, in order.
    private static func moments(_ subject: TimelineSubject, _ chart: TimelineChart) -> [Int64] {
        var moments: [Int64] = []
        for operation in chart.selection.operations {
            guard let line = subject.analysis.timings.transitions[Int(operation)] else { continue }
            moments += [line.start, line.end]
        }
        for stay in chart.tasks?.stays ?? [] { moments += [stay.start, stay.end] }
        return moments.sortedByDigits { $0 }
    }

    /// What a picture in lines leaves out.
    static func notes(_ lines: [Line], _ selection: TimelineSelection) -> [String] {
        var notes: [String] = []
        let charts = lines.compactMap(\.chart)
        let omitted = charts.reduce(0) { $0 + $1.bars.omitted }
        if omitted > 0 {
            notes.append(
                "\(Prose.counted(omitted, "bar")) \(omitted == 1 ? "is" : "are") drawn as shares of lanes, "
                    + "because they are too many for a line; --window enlarges a part of the run")
        }
        if let omission = selection.omission { notes.append(omission) }
        return notes
    }
}
