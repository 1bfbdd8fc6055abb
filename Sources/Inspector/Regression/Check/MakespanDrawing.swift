/// The parts of the makespan, as means over the runs: a bar for each side on the same scale, and the length
/// of each part.
struct MakespanDrawing {
    private struct Part {
        let label: String
        /// Used if the label does not fit.
        var kind = ""
        let times: [Double]
        let isProven: Bool
        let color: String
    }

    /// The parts with the largest differences are shown, and the longest ones.
    private static let mostChanged = 5
    private static let barHeight = 30.0
    private static let gap = 26.0
    private static let rowHeight = 17.0
    private static let columns = (baseline: 560.0, current: 660.0, change: 760.0, proof: 776.0)

    private let words: CheckWords
    private let theme: PictureTheme
    /// In the order of the table: proven parts first, then by the largest difference.
    private let parts: [Part]
    private let longest: Double

    init(_ words: CheckWords, _ theme: PictureTheme) {
        self.words = words
        self.theme = theme
        let delays = words.check.delays
        let rows = delays.rows
        let bySize = rows.indices.sorted {
            (max(rows[$1].baseline, rows[$1].current), $0) < (max(rows[$0].baseline, rows[$0].current), $1)
        }
        let most = theme.groupFills.count
        var shown = Set(rows.indices.prefix(Self.mostChanged))
        for index in bySize where shown.count < most { shown.insert(index) }
        let named = rows.indices.filter(shown.contains)
        var parts = zip(named, theme.groupFills).map { index, color in
            let row = rows[index]
            return Part(
                label: words.label(row),
                kind: row.kind.map { TerminalText.shortened($0) } ?? "",
                times: [row.baseline, row.current], isProven: row.isProven,
                color: color)
        }
        let others = rows.indices.filter { !shown.contains($0) }.map { rows[$0] }
        if !others.isEmpty {
            parts.append(
                Part(
                    label: Prose.counted(others.count, "other"),
                    times: [others.reduce(0) { $0 + $1.baseline }, others.reduce(0) { $0 + $1.current }],
                    isProven: false, color: theme.grid))
        }
        if max(abs(delays.rest.baseline), abs(delays.rest.current)) >= 1 {
            parts.append(
                Part(
                    label: DelayChain.beforeFirst,
                    times: [max(delays.rest.baseline, 0), max(delays.rest.current, 0)], isProven: false,
                    color: theme.clusterBorder))
        }
        self.parts = parts
        longest = (0...1).map { side in parts.reduce(0) { $0 + $1.times[side] } }.max() ?? 0
    }

    /// - Returns: the y coordinate of its end.
    func draw(below top: Double, into document: inout SVGDocument) -> Double {
        guard longest > 0 else { return top }
        document.text(
            "Parts of the makespan, mean of the runs", CheckPicture.margin, top + 13,
            size: 13,
            fill: theme.text, isBold: true)
        let bars = [top + 26, top + 26 + Self.barHeight + Self.gap]
        drawBars(bars, into: &document)
        return drawRows(below: bars[1] + Self.barHeight + 12, into: &document)
    }

    /// The longest part at the left, in the same order on both sides, so that the bands between them show
    /// what grew.
    private func drawBars(_ tops: [Double], into document: inout SVGDocument) {
        for (name, top) in zip(["baseline", "current"], tops) {
            document.text(
                name, CheckPicture.margin, top + Self.barHeight / 2 + 4, size: 12, fill: theme.text)
        }
        let (left, right) = CheckPicture.plot
        let scale = (right - left) / longest
        var at = [left, left]
        let order = parts.indices.sorted {
            (parts[$1].times[0], parts[$1].times[1], $0) < (parts[$0].times[0], parts[$0].times[1], $1)
        }
        for part in order.map({ parts[$0] }) {
            let widths = part.times.map { $0 * scale }
            let (above, below) = (tops[0] + Self.barHeight, tops[1])
            func point(_ x: Double, _ y: Double) -> String {
                "\(SVGDocument.number(x)) \(SVGDocument.number(y))"
            }
            document.path(
                "M\(point(at[0], above))L\(point(at[0] + widths[0], above))L"
                    + "\(point(at[1] + widths[1], below))L\(point(at[1], below))z",
                "fill=\"\(part.color)\" fill-opacity=\"0.4\"")
            for side in 0...1 where widths[side] > 0 {
                document.group(
                    class: "part",
                    tooltip: "\(part.label), \(DurationFormat.text(nanoseconds: part.times[side]))"
                ) { group in
                    group.rectangle(
                        at[side], tops[side], widths[side], Self.barHeight,
                        "fill=\"\(part.color)\" stroke=\"\(theme.background)\"")
                    let room = widths[side] - 10
                    let isRoomy = SVGTextWidth.pixels(part.label, size: 11) <= room
                    let label = isRoomy ? part.label : SVGTextWidth.fitting(part.kind, pixels: room, size: 11)
                    guard !label.isEmpty else { return }
                    group.text(
                        label, at[side] + 5, tops[side] + Self.barHeight / 2 + 4, size: 11, fill: theme.text)
                }
                at[side] += widths[side]
            }
        }
    }

    private func drawRows(below top: Double, into document: inout SVGDocument) -> Double {
        var y = top + 10
        func cell(_ text: String, _ x: Double, _ fill: String, isBold: Bool = false) {
            document.text(text, x, y, size: 11, fill: fill, anchor: .end, isBold: isBold)
        }
        cell("baseline", Self.columns.baseline, theme.mutedText)
        cell("current", Self.columns.current, theme.mutedText)
        cell("change", Self.columns.change, theme.mutedText)
        for part in parts {
            y += Self.rowHeight
            let change = part.times[1] - part.times[0]
            let text = words.signed(change)
            let color = !part.isProven ? theme.mutedText : change > 0 ? theme.slower : theme.faster
            document.rectangle(
                CheckPicture.plot.left, y - 9, 10, 10,
                "fill=\"\(part.color)\" stroke=\"\(theme.clusterBorder)\"")
            let left = CheckPicture.plot.left + 18
            document.text(
                SVGTextWidth.fitting(part.label, pixels: Self.columns.baseline - 80 - left, size: 11), left,
                y,
                size: 11, fill: theme.text)
            cell(CheckTables.time(part.times[0]), Self.columns.baseline, theme.text)
            cell(CheckTables.time(part.times[1]), Self.columns.current, theme.text)
            cell(text, Self.columns.change, color, isBold: part.isProven)
            document.text(
                text == "-" ? "" : part.isProven ? "proven" : "not proven", Self.columns.proof, y, size: 11,
                fill: color)
        }
        return y + 8
    }
}
