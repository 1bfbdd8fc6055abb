/// A differential flame graph: the boxes of the later run, in the colours of what changed.
struct FlameComparisonPicture {
    private static let mostGone = 5

    let output: FlameComparisonOutput
    /// Whether it has the program that zooms and searches.
    var isInteractive = true

    var svg: String {
        let (theme, comparison) = (output.theme, output.comparison)
        let tree = FlameDrawing.drawn(comparison.tree)
        // A box of several small functions has no change of its own.
        var changes = [FlameComparison.Change?](repeating: nil, count: tree.nodes.count)
        for (index, place) in tree.places.enumerated() where changes[Int(place)] == nil {
            changes[Int(place)] = comparison.changes[index]
        }
        let words = FlameWords(tree: tree)
        let drawing = FlameDrawing(
            tree: tree, theme: theme, fill: { Self.fill(changes[$0], theme) },
            tooltip: { node in
                words.tooltip(node) + (changes[node].map { ", \(Self.words($0, words))" } ?? "")
            })
        var svg = SVGDocument(
            width: FlameDrawing.width, theme: theme, title: output.heading,
            definitions: drawing.definitions)
        svg.text(
            SVGTextWidth.fitting(output.heading, pixels: FlameDrawing.chartWidth, size: 16, isBold: true),
            FlameDrawing.margin, 24, size: 16, fill: theme.text, isBold: true)
        var y = 42.0
        for line in output.notes + FlameComparisonOutput.kinds(comparison) + gone(comparison, words) {
            svg.text(line, FlameDrawing.margin, y, size: 10, fill: theme.mutedText)
            y += 15
        }
        drawLegend(top: y - 4, into: &svg)
        guard tree.total > 0 else { return svg.closed(height: y + 20) }
        let bottom = drawing.draw(top: y + 36, into: &svg)
        guard isInteractive else { return svg.closed(height: bottom + 12) }
        FlameDrawing.addControls(top: y + 26, theme: theme, into: &svg)
        return svg.closed(height: bottom + 12, role: "application")
    }

    /// What the picture of the later run cannot show.
    private func gone(_ comparison: FlameComparison, _ words: FlameWords) -> [String] {
        let gone = comparison.functions.reversed().filter { $0.change.after == 0 && $0.change.isProven }
        guard !gone.isEmpty else { return [] }
        let shown = gone.prefix(Self.mostGone).map { function in
            "\(TerminalText.shortened(function.label.name)) of \(TerminalText.shortened(function.kind)) "
                + "(\(words.amount(Int64(rounding: function.change.before))))"
        }
        return ["Gone: " + Prose.list(shown, of: gone.count)]
    }

    private static func words(_ change: FlameComparison.Change, _ words: FlameWords) -> String {
        if change.before == 0 { return "new" }
        guard change.isProven else { return "no more change than chance explains" }
        let difference = words.amount(Int64(rounding: change.difference.magnitude))
        let percent = change.percent
        return (change.difference > 0 ? "+" : "-") + difference + (percent.isEmpty ? "" : " (\(percent))")
    }

    private static func fill(_ change: FlameComparison.Change?, _ theme: PictureTheme) -> String {
        guard let change, change.isProven else { return "fill=\"\(theme.grid)\"" }
        let color = change.difference > 0 ? theme.slower : theme.faster
        if change.before == 0 {
            return "fill=\"\(color)\" fill-opacity=\"0.45\" stroke=\"\(theme.text)\" stroke-dasharray=\"4 2\""
        }
        let part = min(1, change.difference.magnitude / max(change.before, Double(change.after)))
        return "fill=\"\(color)\" fill-opacity=\"\(SVGDocument.number(0.12 + 0.38 * part))\""
    }

    private func drawLegend(top: Double, into svg: inout SVGDocument) {
        let theme = output.theme
        var x = FlameDrawing.margin
        let entries: [(String, String)] = [
            ("takes longer", "fill=\"\(theme.slower)\" fill-opacity=\"0.4\""),
            ("takes less time", "fill=\"\(theme.faster)\" fill-opacity=\"0.4\""),
            (
                "new",
                "fill=\"\(theme.slower)\" fill-opacity=\"0.45\" stroke=\"\(theme.text)\" "
                    + "stroke-dasharray=\"4 2\""
            ),
            ("no more change than chance explains", "fill=\"\(theme.grid)\""),
        ]
        for (words, fill) in entries {
            svg.rectangle(x, top, 16, 9, fill)
            svg.text(words, x + 22, top + 9, size: 10, fill: theme.mutedText)
            x += 38 + SVGTextWidth.pixels(words, size: 10)
        }
    }
}
