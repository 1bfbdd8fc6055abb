import InspectorColumns

/// Two runs compared, as SVG. For each operation, its execution before, and below that its execution after,
/// on a common time axis. For larger runs, the execution times of each kind's operations.
public struct ComparisonPicture: Sendable {
    /// How many operations have a row each; if there are more, they are grouped by kind.
    private static let mostRows = 200
    private static let mostKinds = 60
    private static let left = 190.0
    private static let right = 90.0
    private static let lineHeight = 16.0
    private static let longestName = 40

    private let comparison: TraceComparison
    private let names: (before: String, after: String)
    private let theme: PictureTheme
    private let style: ComparisonStyle
    private let width: Double
    /// Other important facts about the two runs, below the figures.
    private let cautions: [String]
    /// When the two runs begin, in their own times.
    private let starts: (before: Int64, after: Int64)
    /// The length of the longer run, in nanoseconds.
    private let length: Int64

    /// - Parameters:
    ///   - before: the name of the earlier run, for example its file.
    ///   - after: the name of the later run.
    ///   - width: in pixels; at least 400.
    public init(
        _ comparison: TraceComparison, before: String, after: String, theme: PictureTheme = .light,
        width: Int = 1200
    ) {
        self.comparison = comparison
        names = (before, after)
        self.theme = theme
        style = ComparisonStyle(theme)
        cautions = [comparison.incompleteness, comparison.endingChanges].compactMap { $0 }
        let (first, second) = (comparison.before.extent, comparison.after.extent)
        starts = (first.lowerBound, second.lowerBound)
        length = max(1, first.upperBound - first.lowerBound, second.upperBound - second.lowerBound)
        self.width = Double(min(max(400, width), 10_000))
    }

    /// What is not drawn individually, in one sentence; `nil` if everything is.
    public var omission: String? {
        guard isByKind else { return nil }
        return
            "\(Prose.counted(comparison.rows.count, "operation")) are grouped by kind, because there are "
            + "more than \(Self.mostRows)"
    }

    private var isByKind: Bool { comparison.rows.count > Self.mostRows }

    private var top: Double { 118 + Self.lineHeight * Double(cautions.count) }

    /// The file's text. The same traces give the same bytes.
    public var svg: String {
        let title =
            "\(TerminalText.shortened(names.before, toColumns: 60)) → "
            + "\(TerminalText.shortened(names.after, toColumns: 60))"
        var svg = SVGDocument(width: width, theme: theme, title: title, definitions: style.definitions)
        drawHeading(title, into: &svg)
        drawLegend(into: &svg)
        if comparison.rows.isEmpty {
            svg.text("No operations.", 12, top, size: 12, fill: theme.text)
            return svg.closed(height: top + 20)
        }
        let bottom = isByKind ? drawKinds(into: &svg) : drawOperations(into: &svg)
        return svg.closed(height: bottom)
    }

    private func drawHeading(_ title: String, into svg: inout SVGDocument) {
        svg.text(title, 12, 24, size: 16, fill: theme.text, isBold: true)
        svg.text(figures, 12, 42, size: 11, fill: theme.text)
        for (line, caution) in cautions.enumerated() {
            svg.text(
                caution, 12, 58 + Self.lineHeight * Double(line), size: 11, fill: theme.text, isBold: true)
        }
        svg.text(
            ChangeText.caution + (omission.map { " \($0)." } ?? ""), 12, top - 60, size: 10,
            fill: theme.mutedText)
    }

    /// The figures of both runs, in a line.
    private var figures: String {
        let (before, after) = (comparison.before, comparison.after)
        func change(_ name: String, _ first: Int64, _ second: Int64) -> String {
            // A run that did not end cannot be compared by percentage.
            let percent =
                comparison.incompleteness == nil ? ChangeText.percent(from: first, to: second) : ""
            return
                "\(name) \(DurationFormat.text(nanoseconds: first)) → "
                + "\(DurationFormat.text(nanoseconds: second))"
                + (percent.isEmpty ? "" : " (\(percent))")
        }
        let totals = comparison.totals
        return [
            "\(Prose.grouped(totals.before.count)) → \(Prose.counted(totals.after.count, "operation"))",
            change("makespan", before.makespan, after.makespan),
            change("critical path", before.criticalPath.length, after.criticalPath.length),
            change("work", before.work, after.work),
        ].joined(separator: " · ")
    }

    private func drawLegend(into svg: inout SVGDocument) {
        if isByKind {
            return style.drawLegend(
                of: Set(comparison.kinds.map(\.change)), waits: [], top: top - 48, into: &svg)
        }
        var (executions, waits): (Set<TraceComparison.Change>, Set<TraceComparison.Change>) = ([], [])
        for row in comparison.rows {
            let parts = comparison.parts(of: row)
            executions.insert(parts?.execution ?? row.change)
            let (before, after) = bars(row)
            if before?.hasWait == true { waits.insert(.same) }
            if after?.hasWait == true { waits.insert(parts?.wait ?? .same) }
        }
        style.drawLegend(of: executions, waits: waits, top: top - 48, into: &svg)
    }

    // MARK: Operations

    private func drawOperations(into svg: inout SVGDocument) -> Double {
        let rowHeight = comparison.rows.count <= 60 ? 24.0 : 18.0
        let rows = comparison.rows.sortedByDigits { row in
            let analysis = row.after == nil ? comparison.before : comparison.after
            let index = Int(row.after ?? row.before ?? 0)
            let line = analysis.timings.transitions[index]
            return (line?.start ?? 0) - (row.after == nil ? starts.before : starts.after)
        }
        let bottom = top + Double(rows.count) * rowHeight
        drawAxis(to: length, bottom: bottom, into: &svg)
        for (position, row) in rows.enumerated() {
            let y = top + Double(position) * rowHeight
            let operation = comparison.operation(row)
            let name = TerminalText.shortened(operation.displayName, toColumns: Self.longestName)
            svg.group(class: "operation", tooltip: tooltip(row, operation)) { svg in
                svg.text(
                    SVGTextWidth.fitting(name, pixels: Self.left - 40, size: 11), 26, y + rowHeight * 0.65,
                    fill: theme.text)
                svg.text(
                    row.change.mark, 12, y + rowHeight * 0.65, size: 10,
                    fill: style.color(row.change))
                let (before, after) = bars(row)
                if let before {
                    let look = row.change == .gone ? style.fill(.gone) : "fill=\"\(theme.clusterBorder)\""
                    draw(before, top: y + 2, height: rowHeight * 0.2, look, .same, into: &svg)
                }
                if let after {
                    // The part that took longer is coloured: the execution, the wait, or both.
                    let parts = comparison.parts(of: row)
                    draw(
                        after, top: y + 4 + rowHeight * 0.2, height: rowHeight * 0.45,
                        style.fill(parts?.execution ?? row.change), parts?.wait ?? .same, into: &svg)
                }
                let end = max(before.map { $0.x + $0.width } ?? 0, after.map { $0.x + $0.width } ?? 0)
                guard row.change != .same else { return }
                drawWords(
                    comparison.marked(row) + cause(row), after: end, y + rowHeight * 0.65,
                    style.color(row.change),
                    into: &svg)
            }
        }
        return bottom + 30
    }

    /// The note that only the wait changed.
    private func cause(_ row: TraceComparison.Row) -> String {
        guard let parts = comparison.parts(of: row), parts.execution == .same, parts.wait == row.change else {
            return ""
        }
        return " waiting"
    }

    /// The changes: after the bars; or, if there is not enough room, over their ends.
    private func drawWords(
        _ words: String, after end: Double, _ y: Double, _ color: String, into svg: inout SVGDocument
    ) {
        let room = SVGTextWidth.pixels(words, size: 10)
        let isBehind = end + 5 + room <= width
        if !isBehind {
            svg.rectangle(
                width - 6 - room, y - 9, room + 4, 12, "fill=\"\(theme.background)\" fill-opacity=\"0.8\"")
        }
        svg.text(
            words, isBehind ? end + 5 : width - 4, y, size: 10, fill: color, anchor: isBehind ? .start : .end)
    }

    private struct Bar {
        /// Where the wait for dependencies ended.
        let wait: Double
        let x: Double
        let width: Double

        var hasWait: Bool { x - wait > 0.5 }
    }

    private func bars(_ row: TraceComparison.Row) -> (before: Bar?, after: Bar?) {
        (
            bar(row.before, comparison.before, since: starts.before),
            bar(row.after, comparison.after, since: starts.after)
        )
    }

    /// The bar for its execution; or, if it never started, for the moment at which it ended.
    private func bar(_ index: Int32?, _ analysis: TraceAnalysis, since start: Int64) -> Bar? {
        guard let index, let line = analysis.timings.transitions[Int(index)],
            let waits = analysis.waits[Int(index)]
        else { return nil }
        let scale = (width - Self.left - Self.right) / Double(length)
        return Bar(
            wait: Self.left + Double(line.enqueued + waits.dependency - start) * scale,
            x: Self.left + Double(line.start - start) * scale,
            width: max(1.5, Double(line.end - line.start) * scale))
    }

    private func draw(
        _ bar: Bar, top: Double, height: Double, _ look: String, _ wait: TraceComparison.Change,
        into svg: inout SVGDocument
    ) {
        let middle = top + height / 2
        if bar.hasWait { svg.line(bar.wait, middle, bar.x, middle, style.wait(wait)) }
        svg.rectangle(bar.x, top, bar.width, height, look)
    }

    private func drawAxis(to length: Int64, bottom: Double, into svg: inout SVGDocument) {
        let chart = width - Self.left - Self.right
        for (time, label) in TimeAxis(from: 0, to: length, room: Int(chart / 6.5)).ticks {
            let x = Self.left + Double(time) / Double(length) * chart
            svg.line(x, top - 6, x, bottom + 4, "stroke=\"\(theme.grid)\" stroke-width=\"1\"")
            svg.text(label, x, top - 10, size: 10, fill: theme.mutedText, anchor: .middle)
            svg.text(label, x, bottom + 16, size: 10, fill: theme.mutedText, anchor: .middle)
        }
    }

    private func tooltip(_ row: TraceComparison.Row, _ operation: TracedOperation) -> String {
        func safe(_ text: String) -> String { TerminalText.shortened(text, toColumns: 60) }
        func side(_ name: String, _ words: String?, _ waits: LifetimeParts?) -> String? {
            guard let words, let waits else { return nil }
            let parts = LifetimeParts.Part.allCases.filter { waits[$0] > 0 }.map {
                "\($0.label) \(DurationFormat.text(nanoseconds: waits[$0]))"
            }
            return "\(name): \(words); " + (parts.isEmpty ? "no time" : parts.joined(separator: ", "))
        }
        let endings = comparison.endings(row)
        let lines = [
            "\(safe(operation.displayName)) (\(safe(operation.kind)))",
            side("before", endings.before?.label, row.before.flatMap { comparison.before.waits[Int($0)] }),
            side("after", endings.after?.label, row.after.flatMap { comparison.after.waits[Int($0)] }),
        ]
        return lines.compactMap { $0 }.joined(separator: "\n")
    }

    // MARK: Kinds

    private func drawKinds(into svg: inout SVGDocument) -> Double {
        let rest = comparison.kinds.dropFirst(Self.mostKinds)
        var kinds = Array(comparison.kinds.prefix(Self.mostKinds))
        if !rest.isEmpty {
            kinds.append(
                rest.dropFirst().reduce(rest[rest.startIndex]) {
                    TraceComparison.Kind(
                        name: "\(Prose.counted(rest.count, "more kind"))", before: $0.before + $1.before,
                        after: $0.after + $1.after)
                })
        }
        let longest = max(
            1, kinds.map { max($0.before.mean.execution, $0.after.mean.execution) }.max() ?? 1)
        let scale = (width - Self.left - Self.right) / Double(longest)
        let rowHeight = 30.0
        let bottom = top + Double(kinds.count) * rowHeight
        drawAxis(to: longest, bottom: bottom, into: &svg)
        for (position, kind) in kinds.enumerated() {
            let y = top + Double(position) * rowHeight
            let (first, second) = (kind.before.mean.execution, kind.after.mean.execution)
            let change = kind.change
            let name = TerminalText.shortened(kind.name, toColumns: Self.longestName)
            let words =
                "\(Prose.grouped(kind.before.count)) → \(Prose.counted(kind.after.count, "operation")), "
                + "executed on average "
                + "\(DurationFormat.text(nanoseconds: first)) → \(DurationFormat.text(nanoseconds: second))"
            svg.group(class: "kind", tooltip: "\(name)\n\(words)") { svg in
                svg.text(
                    SVGTextWidth.fitting(name, pixels: Self.left - 24, size: 11), 12, y + 12,
                    fill: theme.text)
                svg.text(
                    "\(Prose.grouped(kind.before.count)) → \(Prose.grouped(kind.after.count))", 12, y + 24,
                    size: 9, fill: theme.mutedText)
                svg.rectangle(
                    Self.left, y + 3, Double(first) * scale, 6, "fill=\"\(theme.clusterBorder)\"")
                svg.rectangle(Self.left, y + 11, Double(second) * scale, 12, style.fill(change))
                let end = Self.left + Double(max(first, second)) * scale
                guard let difference = self.difference(kind) else { return }
                drawWords(
                    "\(change.mark) \(difference)", after: end, y + 20,
                    style.color(change), into: &svg)
            }
        }
        return bottom + 30
    }

    /// How its operations ended, if that differs; otherwise how much longer they executed.
    private func difference(_ kind: TraceComparison.Kind) -> String? {
        let (before, after) = (kind.before, kind.after)
        if before.count > 0, after.count > 0,
            let words = EndingCounts.changeWords(from: before.endings, to: after.endings)
        {
            return words
        }
        if !kind.isComparable { return after.endings.unfinishedWords }
        let (first, second) = (before.mean.execution, after.mean.execution)
        return first == second ? nil : ChangeText.duration(from: first, to: second)
    }
}

extension TraceAnalysis {
    /// From the first enqueue to the end of the last lifetime, including unfinished operations.
    package var extent: Range<Int64> {
        var (start, end) = (Int64.max, Int64.min)
        for case let line? in timings.transitions {
            start = min(start, line.enqueued)
            end = max(end, line.end)
        }
        return start <= end ? start..<end : 0..<0
    }
}
