/// The meaning of the colours and marks that occur in a timeline.
struct TimelineLegend {
    enum Entry: Hashable {
        case part(LifetimeParts.Part)
        /// A name and a fill.
        case kind(String, String)
        case running, wake
        case executionPart(ExecutionParts.Part)
        case ending(OperationEnding)
        case critical, circle, suspension, blocking, slots
        /// For operations that are drawn as shares.
        case trouble
    }

    let entries: [Entry]
    let style: TimelineStyle

    /// Returns the y coordinate of its end.
    func draw(top: Double, width: Double, into svg: inout SVGDocument) -> Double {
        var x = 12.0
        var y = top
        for entry in entries {
            let words = words(entry)
            let entryWidth = 30 + SVGTextWidth.pixels(words, size: 10)
            if x > 12, x + entryWidth > width - 12 {
                x = 12
                y += 16
            }
            drawSample(entry, x, y, into: &svg)
            svg.text(words, x + 21, y + 9, size: 10, fill: style.theme.mutedText)
            x += entryWidth
        }
        return y + 14
    }

    private func words(_ entry: Entry) -> String {
        switch entry {
        case .part(let part): part.label
        case .kind(let name, _): name
        case .running: "task running"
        case .wake: "woke a task"
        case .executionPart(let part): part.label
        case .ending(let ending): ending.label
        case .critical: "critical path"
        case .circle: Glossary.circle
        case .suspension: "queue suspended"
        case .blocking: "blocks its thread until others finish"
        case .slots: "slots"
        case .trouble: "share that failed or never finished"
        }
    }

    private func drawSample(_ entry: Entry, _ x: Double, _ y: Double, into svg: inout SVGDocument) {
        let theme = style.theme
        switch entry {
        case .part(.execution):
            svg.rectangle(x, y, 16, 10, style.undivided)
        case .kind(_, let fill):
            svg.rectangle(x + 0.5, y + 0.5, 15, 9, style.kindOutline(fill: fill))
        case .part(let part):
            svg.rectangle(x, y + 3, 16, 4, "fill=\"\(theme.color(part))\"")
        case .running:
            svg.rectangle(x, y, 16, 10, "fill=\"\(theme.color(TaskPart.running))\"")
        case .wake:
            svg.line(x, y + 5, x + 16, y + 5, "stroke=\"\(theme.wake)\" marker-end=\"url(#wake)\"")
        case .executionPart(let part):
            svg.rectangle(x, y, 16, 5, "fill=\"\(theme.grid)\"")
            for fill in style.fills(part) { svg.rectangle(x, y + 5, 16, 5, fill) }
            svg.rectangle(x + 0.5, y + 0.5, 15, 9, style.kindOutline())
        case .ending(let ending):
            svg.rectangle(x, y, 10, 10, "fill=\"\(theme.fill(ending))\"")
            if let pattern = style.pattern(ending) { svg.rectangle(x, y, 10, 10, pattern) }
            if let border = style.border(ending) { svg.rectangle(x, y, 10, 10, border) }
            if let mark = TimelineStyle.mark(ending) {
                svg.text(mark, x + 12, y + 8.5, size: 9, fill: theme.border(ending))
            }
        case .critical:
            svg.rectangle(x + 1, y + 1, 14, 8, style.critical)
        case .circle:
            TimelineCircles.outline(x + 2, y + 2, 12, 6, style, into: &svg)
        case .suspension:
            svg.rectangle(x, y, 16, 10, "fill=\"url(#suspended)\"")
        case .blocking:
            svg.rectangle(x, y, 16, 10, "fill=\"\(theme.grid)\"")
            for fill in style.blockingFills { svg.rectangle(x, y, 16, 4, fill) }
        case .trouble:
            svg.rectangle(x, y, 16, 10, style.undivided)
            svg.rectangle(x, y + 6, 16, 4, "fill=\"\(theme.border(.failed))\"")
        case .slots:
            svg.line(
                x, y + 5, x + 16, y + 5,
                "stroke=\"\(theme.text)\" stroke-width=\"1\" stroke-dasharray=\"6 3\"")
        }
    }
}
