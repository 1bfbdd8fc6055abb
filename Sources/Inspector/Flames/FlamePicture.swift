/// What operations calculated, or what blocked them, as a flame graph in SVG.
struct FlamePicture {
    let report: FlameReport

    /// The file's text. The same trace and options give the same bytes.
    var svg: String {
        let (theme, tree) = (report.theme, FlameDrawing.drawn(report.tree))
        let calls =
            report.isBlocked ? FlameCall.calls(tree, in: tree.nodes.indices, joinsLibraries: true) : nil
        let words = FlameWords(tree: tree, calls: calls)
        let families = tree.nodes.indices.map { CodeFamily(tree.label($0)) }
        let drawing = FlameDrawing(
            tree: tree, theme: theme, fill: { Self.fill(families[$0], theme) }, tooltip: words.tooltip)
        var svg = SVGDocument(
            width: FlameDrawing.width, theme: theme, title: report.title, definitions: drawing.definitions)
        svg.text(
            SVGTextWidth.fitting(report.title, pixels: FlameDrawing.chartWidth, size: 16, isBold: true),
            FlameDrawing.margin, 24, size: 16, fill: theme.text, isBold: true)
        svg.text(report.figures, FlameDrawing.margin, 42, size: 11, fill: theme.text)
        for (line, note) in report.notes.enumerated() {
            svg.text(
                note, FlameDrawing.margin, 58 + 15 * Double(line), size: 10, fill: theme.mutedText)
        }
        let top = 58 + 15 * Double(report.notes.count)
        guard tree.total > 0 else { return svg.closed(height: top) }
        drawLegend(Set(families), top: top - 6, into: &svg)
        let bottom = drawing.draw(top: top + 34, into: &svg)
        FlameDrawing.addControls(top: top + 24, theme: theme, into: &svg)
        return svg.closed(height: bottom + 12, role: "application")
    }

    private static func fill(_ family: CodeFamily, _ theme: PictureTheme) -> String {
        family == .kernel ? "fill=\"url(#kernel)\"" : "fill=\"\(theme.fill(family))\""
    }

    private func drawLegend(_ families: Set<CodeFamily>, top: Double, into svg: inout SVGDocument) {
        var x = FlameDrawing.margin
        for family in CodeFamily.allCases where families.contains(family) {
            svg.rectangle(
                x, top, 16, 9,
                Self.fill(family, report.theme) + " stroke=\"\(report.theme.clusterBorder)\"")
            svg.text(family.label, x + 22, top + 9, size: 10, fill: report.theme.mutedText)
            x += 38 + SVGTextWidth.pixels(family.label, size: 10)
        }
    }
}
