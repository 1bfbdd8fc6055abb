/// How a picture of two runs shows what changed, and its legend.
package struct ComparisonStyle {
    let theme: PictureTheme

    package init(_ theme: PictureTheme) { self.theme = theme }

    var definitions: String {
        "<pattern id=\"slower\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
            + "patternTransform=\"rotate(45)\">"
            + "<rect width=\"6\" height=\"6\" fill=\"\(theme.slower)\"/>"
            + "<rect width=\"2\" height=\"6\" fill=\"\(theme.background)\" "
            + "fill-opacity=\"0.45\"/></pattern>\n"
    }

    func fill(_ change: TraceComparison.Change) -> String {
        switch change {
        case .endedDifferently:
            "fill=\"\(theme.fill(.failed))\" stroke=\"\(theme.border(.failed))\""
        case .neverFinished:
            "fill=\"\(theme.fill(.unfinished))\" stroke=\"\(theme.border(.unfinished))\" "
                + "stroke-dasharray=\"3 2\""
        case .slower: "fill=\"url(#slower)\" stroke=\"\(theme.slower)\""
        case .faster: "fill=\"\(theme.faster)\""
        case .same: "fill=\"\(theme.spawn)\""
        case .new: "fill=\"\(theme.background)\" stroke=\"\(theme.text)\" stroke-dasharray=\"4 2\""
        case .gone: "fill=\"none\" stroke=\"\(theme.mutedText)\" stroke-dasharray=\"2 3\""
        }
    }

    /// The line of a wait.
    func wait(_ change: TraceComparison.Change) -> String {
        switch change {
        case .slower, .faster: "stroke=\"\(color(change))\" stroke-width=\"3\""
        default: "stroke=\"\(theme.mutedText)\""
        }
    }

    package func color(_ change: TraceComparison.Change) -> String {
        switch change {
        case .endedDifferently: theme.border(.failed)
        case .neverFinished: theme.border(.unfinished)
        case .slower: theme.slower
        case .faster: theme.faster
        case .same, .gone: theme.mutedText
        case .new: theme.text
        }
    }

    /// - Parameters:
    ///   - shown: the changes that occur.
    ///   - waits: the changes of waits that occur; empty where no waits are drawn.
    func drawLegend(
        of shown: Set<TraceComparison.Change>, waits: Set<TraceComparison.Change>, top: Double,
        into svg: inout SVGDocument
    ) {
        var x = 12.0
        func entry(_ words: String, _ svg: inout SVGDocument, _ draw: (inout SVGDocument) -> Void) {
            draw(&svg)
            svg.text(words, x + 22, top + 9, size: 10, fill: theme.mutedText)
            x += 36 + SVGTextWidth.pixels(words, size: 10)
        }
        entry("before", &svg) { $0.rectangle(x, top + 3, 16, 4, "fill=\"\(theme.clusterBorder)\"") }
        let ofExecutions: [TraceComparison.Change: String] = [
            .slower: "executed longer", .faster: "executed faster", .same: "executed about as long",
        ]
        for change in TraceComparison.Change.allCases where shown.contains(change) {
            let words = ofExecutions[change] ?? change.label
            entry("\(change.mark) \(words)", &svg) { $0.rectangle(x, top, 16, 9, fill(change)) }
        }
        let waitWords: [(TraceComparison.Change, String)] = [
            (.slower, "waited longer"), (.faster, "waited less"),
            (.same, "waited, dependencies done"),
        ]
        for (change, word) in waitWords where waits.contains(change) {
            entry(word, &svg) { $0.line(x, top + 5, x + 16, top + 5, wait(change)) }
        }
    }
}
