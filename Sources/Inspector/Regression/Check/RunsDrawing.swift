/// Draws the times of a metric in every run of both sides: a dot for each run, a line for the typical time,
/// and a band for the interval of the median.
struct RunsDrawing {
    private typealias Run = (name: String, time: Double)

    /// The largest number of runs that are drawn; if there are more, some at equal distances of rank.
    private static let mostDots = 1000
    /// Runs that are further from the middle half of all runs than this multiple of its width are drawn at
    /// the edge.
    private static let farthest = 5.0
    private static let stripHeight = 46.0

    private let check: RegressionCheck
    private let comparison: MetricComparison
    private let theme: PictureTheme
    /// Sorted by time.
    private let sides: [[Run]]
    private let axis: TimeAxis

    init(_ check: RegressionCheck, _ comparison: MetricComparison, _ theme: PictureTheme) {
        self.check = check
        self.comparison = comparison
        self.theme = theme
        sides = [check.baseline, check.current].map { side in
            side.runs.compactMap { run in
                run.timings.samples(comparison.metric).map { (run.name, max($0.median, 0)) }
            }.sorted { $0.time < $1.time }
        }
        axis = Self.axis(sides.flatMap { $0.map(\.time) }.sorted(), comparison)
    }

    /// From the first to the last time, except for outliers, with some room on both sides.
    private static func axis(_ times: [Double], _ comparison: MetricComparison) -> TimeAxis {
        guard !times.isEmpty else { return TimeAxis(from: 0, to: 1, room: 1) }
        let (first, third) = (
            BootstrapInterval.quantile(times, 0.25), BootstrapInterval.quantile(times, 0.75)
        )
        let reach = third > first ? farthest * (third - first) : times[times.count - 1]
        let centers = [comparison.baselineTime, comparison.currentTime]
        let low = times.first { $0 >= first - reach } ?? first
        let high = times.last { $0 <= third + reach } ?? third
        let (start, end) = (min(low, centers[0], centers[1]), max(high, centers[0], centers[1]))
        let room = max((end - start) * 0.05, end * 0.01, 1)
        let longest = Double(Int64.max / 4)
        return TimeAxis(
            from: Int64(min(max(start - room, 0), longest)), to: Int64(min(end + room, longest)), room: 90)
    }

    /// - Returns: the y coordinate of its end.
    func draw(below top: Double, into document: inout SVGDocument) -> Double {
        let name = TerminalText.shortened(comparison.metric.label, toColumns: 80)
        let title = "\(name) of every run"
        document.text(
            SVGTextWidth.fitting(
                title.prefix(1).uppercased() + title.dropFirst(), pixels: CheckPicture.plot.right, size: 13),
            CheckPicture.margin, top + 13, size: 13, fill: theme.text, isBold: true)
        let strips = top + 26
        let bottom = strips + 2 * Self.stripHeight
        for tick in axis.ticks {
            let at = x(Double(tick.time))
            document.line(at, strips, at, bottom, "stroke=\"\(theme.grid)\"")
            document.text(tick.label, at, bottom + 14, size: 10, fill: theme.mutedText, anchor: .middle)
        }
        draw(
            sides[0], "baseline", comparison.baselineTime, theme.baseline, top: strips, into: &document)
        draw(
            sides[1], "current", comparison.currentTime, theme.color(check.verdict(of: comparison)),
            top: strips + Self.stripHeight, into: &document)
        document.text(
            caption, CheckPicture.margin, bottom + 32, size: 11, fill: theme.mutedText)
        return bottom + 34
    }

    private var caption: String {
        var parts = ["dot: a run"]
        let all = sides[0].count + sides[1].count
        let drawn = sides.reduce(0) { $0 + min($1.count, Self.mostDots) }
        if drawn < all { parts[0] += " (\(Prose.grouped(drawn)) of \(Prose.counted(all, "run")))" }
        parts.append(
            comparison.isPaired
                ? "line: estimate from pairs of neighbouring runs" : "line: median")
        if sides.contains(where: { interval(of: $0) != nil }) {
            parts.append("band: 95 % interval of the median")
        }
        let beyond = sides.flatMap { $0 }.count { isBeyond($0.time) }
        if beyond > 0 { parts.append("triangle: \(Prose.counted(beyond, "run")) beyond the axis") }
        return parts.joined(separator: " · ")
    }

    private func interval(of runs: [Run]) -> ClosedRange<Int64>? {
        runs.isEmpty ? nil : MedianInterval(runs.map { Int64(rounding: $0.time) }).interval
    }

    private func isBeyond(_ time: Double) -> Bool { time < Double(axis.start) || time > Double(axis.end) }

    private func x(_ time: Double) -> Double {
        let part = (time - Double(axis.start)) / Double(axis.end - axis.start)
        let (left, right) = CheckPicture.plot
        return left + (right - left) * min(max(part, 0), 1)
    }

    private func draw(
        _ runs: [Run], _ name: String, _ time: Double, _ color: String, top: Double,
        into document: inout SVGDocument
    ) {
        let middle = top + Self.stripHeight / 2
        document.text(name, CheckPicture.margin, middle - 1, size: 12, fill: theme.text)
        document.text(
            Prose.counted(runs.count, "run"), CheckPicture.margin, middle + 12, size: 10,
            fill: theme.mutedText)
        if let interval = interval(of: runs) {
            let (from, to) = (x(Double(interval.lowerBound)), x(Double(interval.upperBound)))
            document.rectangle(
                from, middle - 18, max(to - from, 1), 36, "rx=\"2\" fill=\"\(color)\" fill-opacity=\"0.2\"")
        }
        drawDots(runs, color, middle: middle, into: &document)
        document.line(
            x(time), middle - 20, x(time), middle + 20, "stroke=\"\(theme.text)\" stroke-width=\"2\"")
        document.text(
            DurationFormat.text(nanoseconds: time), CheckPicture.plot.right + 10, middle + 4, size: 12,
            fill: theme.text)
    }

    /// Runs with about the same time are drawn side by side.
    private func drawDots(
        _ runs: [Run], _ color: String, middle: Double, into document: inout SVGDocument
    ) {
        let count = min(runs.count, Self.mostDots)
        let radius = count > 300 ? 1.5 : count > 80 ? 2.2 : 3.2
        let drawn = (0..<count).map { runs[count < 2 ? 0 : $0 * (runs.count - 1) / (count - 1)] }
        let columns = Dictionary(grouping: drawn.indices) { Int(x(drawn[$0].time) / (2 * radius)) }
        for column in columns.keys.sorted() {
            let members = columns[column] ?? []
            // As many as fit into the strip without overlapping; if there are more, they overlap.
            let step = min(2 * radius + 0.5, 32 / Double(members.count))
            for (place, index) in members.enumerated() {
                let offset = Double((place + 1) / 2) * (place.isMultiple(of: 2) ? -step : step)
                let run = drawn[index]
                let at = x(run.time)
                let words =
                    TerminalText.shortened(run.name, toColumns: 60) + ", "
                    + DurationFormat.text(nanoseconds: run.time)
                document.group(class: "run", tooltip: words) { group in
                    if isBeyond(run.time) {
                        let tip = run.time > Double(axis.end) ? 6.0 : -6.0
                        let base = "M\(SVGDocument.number(at)) \(SVGDocument.number(middle + offset - 4))"
                        group.path(
                            "\(base)l\(SVGDocument.number(tip)) 4l\(SVGDocument.number(-tip)) 4z",
                            "fill=\"\(color)\"")
                    } else {
                        group.rectangle(
                            at - radius, middle + offset - radius, 2 * radius, 2 * radius,
                            "rx=\"\(SVGDocument.number(radius))\" fill=\"\(color)\" fill-opacity=\"0.75\"")
                    }
                }
            }
        }
    }
}
