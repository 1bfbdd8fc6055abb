/// Two runs compared, as SVG: of each operation when it executed before, and below that when it did after, over a common axis
/// of time; of larger runs how long the operations of each kind executed.
public struct ComparisonPicture: Sendable {
    /// So many operations have a row each; more are put together by kind.
    private static let mostRows = 200
    private static let mostKinds = 60
    private static let left = 190.0
    private static let right = 90.0
    private static let top = 118.0
    private static let longestName = 40

    private let comparison: TraceComparison
    private let names: (before: String, after: String)
    private let theme: PictureTheme
    private let width: Double

    /// - Parameters:
    ///   - before: what the earlier run is called, its file say.
    ///   - after: what the later one is called.
    ///   - width: in pixels; at least 400.
    public init(
        _ comparison: TraceComparison, before: String, after: String, theme: PictureTheme = .light,
        width: Int = 1200
    ) {
        self.comparison = comparison
        names = (before, after)
        self.theme = theme
        self.width = Double(min(max(400, width), 10_000))
    }

    /// What is not drawn one by one, in one sentence; `nil` when everything is.
    public var omission: String? {
        guard isByKind else { return nil }
        return
            "\(Prose.counted(comparison.rows.count, "operation")) are put together by kind: more than \(Self.mostRows) are "
            + "not drawn one by one"
    }

    private var isByKind: Bool { comparison.rows.count > Self.mostRows }

    /// The file's text. The same traces give the same bytes.
    public var svg: String {
        let title =
            "\(TerminalText.shortened(names.before, toColumns: 60)) → \(TerminalText.shortened(names.after, toColumns: 60))"
        var svg = SVGDocument(width: width, theme: theme, title: title, definitions: definitions)
        svg.text(title, 12, 24, size: 16, fill: theme.text, isBold: true)
        svg.text(figures, 12, 42, size: 11, fill: theme.text)
        svg.text(
            "One run against one run is no verdict: two runs of the same program differ too."
                + (omission.map { " \($0)." } ?? ""), 12, 58, size: 10, fill: theme.mutedText)
        drawLegend(into: &svg)
        if comparison.rows.isEmpty {
            svg.text("No operations.", 12, Self.top, size: 12, fill: theme.text)
            return svg.closed(height: Self.top + 20)
        }
        let bottom = isByKind ? drawKinds(into: &svg) : drawOperations(into: &svg)
        return svg.closed(height: bottom)
    }

    private var figures: String {
        let (before, after) = (comparison.before, comparison.after)
        func change(_ name: String, _ first: Int64, _ second: Int64) -> String {
            let percent = ChangeText.percent(from: first, to: second)
            return
                "\(name) \(DurationFormat.text(nanoseconds: first)) → \(DurationFormat.text(nanoseconds: second))"
                + (percent.isEmpty ? "" : " (\(percent))")
        }
        let totals = comparison.totals
        return [
            "\(totals.before.count) → \(Prose.counted(totals.after.count, "operation"))",
            change("makespan", before.makespan, after.makespan),
            change("critical path", before.criticalPath.length, after.criticalPath.length),
            change("work", before.work, after.work),
        ].joined(separator: " · ")
    }

    private var definitions: String {
        "<pattern id=\"slower\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
            + "<rect width=\"6\" height=\"6\" fill=\"\(theme.slower)\"/>"
            + "<rect width=\"2\" height=\"6\" fill=\"\(theme.background)\" fill-opacity=\"0.45\"/></pattern>\n"
    }

    private func fill(_ change: TraceComparison.Change) -> String {
        switch change {
        case .slower: "fill=\"url(#slower)\" stroke=\"\(theme.slower)\""
        case .faster: "fill=\"\(theme.faster)\""
        case .same: "fill=\"\(theme.spawn)\""
        case .new: "fill=\"\(theme.background)\" stroke=\"\(theme.text)\" stroke-dasharray=\"4 2\""
        case .gone: "fill=\"none\" stroke=\"\(theme.mutedText)\" stroke-dasharray=\"2 3\""
        }
    }

    private func color(_ change: TraceComparison.Change) -> String {
        switch change {
        case .slower: theme.slower
        case .faster: theme.faster
        case .same, .gone: theme.mutedText
        case .new: theme.text
        }
    }

    private func drawLegend(into svg: inout SVGDocument) {
        var x = 12.0
        func entry(_ words: String, _ svg: inout SVGDocument, _ draw: (inout SVGDocument) -> Void) {
            draw(&svg)
            svg.text(words, x + 22, 79, size: 10, fill: theme.mutedText)
            x += 36 + SVGTextWidth.pixels(words, size: 10)
        }
        entry("before", &svg) { $0.rectangle(x, 73, 16, 4, "fill=\"\(theme.clusterBorder)\"") }
        let words: [(TraceComparison.Change, String)] = [
            (.slower, "after, longer"), (.faster, "after, shorter"), (.same, "after, about the same"),
            (.new, "new"), (.gone, "gone"),
        ]
        let shown =
            isByKind ? Set(comparison.kinds.map(change)) : Set(comparison.rows.map(\.change))
        for (change, word) in words where shown.contains(change) {
            entry("\(ChangeText.mark(change)) \(word)", &svg) { $0.rectangle(x, 70, 16, 9, fill(change)) }
        }
        guard !isByKind else { return }
        entry("waited, with its dependencies done", &svg) {
            $0.line(x, 75, x + 16, 75, "stroke=\"\(theme.mutedText)\"")
        }
    }

    // MARK: Operations

    private func drawOperations(into svg: inout SVGDocument) -> Double {
        let (first, second) = (start(comparison.before), start(comparison.after))
        let length = max(1, comparison.before.makespan, comparison.after.makespan)
        let rowHeight = comparison.rows.count <= 60 ? 24.0 : 18.0
        let rows = comparison.rows.sortedByDigits { row in
            let analysis = row.after == nil ? comparison.before : comparison.after
            let index = Int(row.after ?? row.before ?? 0)
            let line = analysis.lifelines[index]
            return (line?.start ?? 0) - (row.after == nil ? first : second)
        }
        let bottom = Self.top + Double(rows.count) * rowHeight
        drawAxis(to: length, bottom: bottom, into: &svg)
        for (position, row) in rows.enumerated() {
            let y = Self.top + Double(position) * rowHeight
            let operation = comparison.operation(row)
            let name = TerminalText.shortened(operation.displayName, toColumns: Self.longestName)
            svg.group(class: "operation", tooltip: tooltip(row, operation)) { svg in
                svg.text(
                    SVGTextWidth.fitting(name, pixels: Self.left - 40, size: 11), 26, y + rowHeight * 0.65,
                    fill: theme.text)
                svg.text(
                    ChangeText.mark(row.change), 12, y + rowHeight * 0.65, size: 10, fill: color(row.change))
                let before = bar(row.before, comparison.before, since: first, length)
                let after = bar(row.after, comparison.after, since: second, length)
                if let before {
                    let look = row.change == .gone ? fill(.gone) : "fill=\"\(theme.clusterBorder)\""
                    draw(before, top: y + 2, height: rowHeight * 0.2, look, into: &svg)
                }
                if let after {
                    draw(
                        after, top: y + 4 + rowHeight * 0.2, height: rowHeight * 0.45, fill(row.change),
                        into: &svg)
                }
                let end = max(before.map { $0.x + $0.width } ?? 0, after.map { $0.x + $0.width } ?? 0)
                guard row.change != .same else { return }
                svg.text(
                    ChangeText.marked(row), end + 5,
                    y + rowHeight * 0.65, size: 10, fill: color(row.change))
            }
        }
        return bottom + 30
    }

    private func start(_ analysis: TraceAnalysis) -> Int64 {
        var start: Int64?
        for case let line? in analysis.lifelines { start = min(start ?? line.enqueued, line.enqueued) }
        return start ?? 0
    }

    private struct Bar {
        /// Where its dependencies were done.
        let wait: Double
        let x: Double
        let width: Double
    }

    /// Of its execution, or where it never started, of the moment at which it ended.
    private func bar(_ index: Int32?, _ analysis: TraceAnalysis, since start: Int64, _ length: Int64) -> Bar?
    {
        guard let index, let line = analysis.lifelines[Int(index)], let waits = analysis.waits[Int(index)]
        else { return nil }
        let scale = (width - Self.left - Self.right) / Double(length)
        return Bar(
            wait: Self.left + Double(line.enqueued + waits.dependency - start) * scale,
            x: Self.left + Double(line.start - start) * scale,
            width: max(1.5, Double(line.end - line.start) * scale))
    }

    private func draw(
        _ bar: Bar, top: Double, height: Double, _ look: String, into svg: inout SVGDocument
    ) {
        let middle = top + height / 2
        if bar.x - bar.wait > 0.5 {
            svg.line(bar.wait, middle, bar.x, middle, "stroke=\"\(theme.mutedText)\"")
        }
        svg.rectangle(bar.x, top, bar.width, height, look)
    }

    private func drawAxis(to length: Int64, bottom: Double, into svg: inout SVGDocument) {
        let chart = width - Self.left - Self.right
        for (time, label) in TimeAxis(from: 0, to: length, room: Int(chart / 6.5)).ticks {
            let x = Self.left + Double(time) / Double(length) * chart
            svg.line(x, Self.top - 6, x, bottom + 4, "stroke=\"\(theme.grid)\" stroke-width=\"1\"")
            svg.text(label, x, Self.top - 10, size: 10, fill: theme.mutedText, anchor: .middle)
            svg.text(label, x, bottom + 16, size: 10, fill: theme.mutedText, anchor: .middle)
        }
    }

    private func tooltip(_ row: TraceComparison.Row, _ operation: TracedOperation) -> String {
        func safe(_ text: String) -> String { TerminalText.shortened(text, toColumns: 60) }
        func side(_ name: String, _ waits: Waits?) -> String? {
            waits.map { waits in
                let parts = Waits.Part.allCases.filter { waits[$0] > 0 }.map {
                    "\($0.label) \(DurationFormat.text(nanoseconds: waits[$0]))"
                }
                return "\(name): " + (parts.isEmpty ? "no time" : parts.joined(separator: ", "))
            }
        }
        let lines = [
            "\(safe(operation.displayName)) (\(safe(operation.kind)))",
            side("before", row.before.flatMap { comparison.before.waits[Int($0)] }),
            side("after", row.after.flatMap { comparison.after.waits[Int($0)] }),
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
            1, kinds.map { max($0.before.waits.execution, $0.after.waits.execution) }.max() ?? 1)
        let scale = (width - Self.left - Self.right) / Double(longest)
        let rowHeight = 30.0
        let bottom = Self.top + Double(kinds.count) * rowHeight
        drawAxis(to: longest, bottom: bottom, into: &svg)
        for (position, kind) in kinds.enumerated() {
            let y = Self.top + Double(position) * rowHeight
            let (first, second) = (kind.before.waits.execution, kind.after.waits.execution)
            let change = change(kind)
            let name = TerminalText.shortened(kind.name, toColumns: Self.longestName)
            let words =
                "\(kind.before.count) → \(Prose.counted(kind.after.count, "operation")), executed "
                + "\(DurationFormat.text(nanoseconds: first)) → \(DurationFormat.text(nanoseconds: second))"
            svg.group(class: "kind", tooltip: "\(name)\n\(words)") { svg in
                svg.text(
                    SVGTextWidth.fitting(name, pixels: Self.left - 24, size: 11), 12, y + 12,
                    fill: theme.text)
                svg.text(
                    "\(kind.before.count) → \(kind.after.count)", 12, y + 24, size: 9, fill: theme.mutedText)
                svg.rectangle(
                    Self.left, y + 3, Double(first) * scale, 6, "fill=\"\(theme.clusterBorder)\"")
                svg.rectangle(Self.left, y + 11, Double(second) * scale, 12, fill(change))
                let end = Self.left + Double(max(first, second)) * scale + 5
                if first == second { return }
                svg.text(
                    "\(ChangeText.mark(change)) \(ChangeText.duration(from: first, to: second))", end, y + 20,
                    size: 10, fill: color(change))
            }
        }
        return bottom + 30
    }

    private func change(_ kind: TraceComparison.Kind) -> TraceComparison.Change {
        if kind.before.count == 0 { return .new }
        if kind.after.count == 0 { return .gone }
        return TraceComparison.change(
            from: kind.before.waits.execution, to: kind.after.waits.execution, least: 0)
    }
}
